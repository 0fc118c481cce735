"""Whether an owner's process is gone: told by real processes, and in doubt never."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from baton.core.log.owner import Owner, Process, parse_owner, short_owner
from baton.engine import processes
from baton.engine.processes import is_gone, new_owner, this_process
from tests.support.named_process import begin_owner

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(this_process() is None, reason="the system does not tell of its processes")


class Other(NamedTuple):
    process: subprocess.Popen[str]
    name: str


@pytest.fixture
def other() -> Iterator[Other]:
    process, name = begin_owner()
    yield Other(process, name)
    process.kill()
    process.communicate()


def test_one_that_lives_is_not_gone(other: Other) -> None:
    name = other.name
    assert not is_gone(name)
    os.kill(other.process.pid, signal.SIGSTOP)
    assert not is_gone(name), "stopped is not dead"
    os.kill(other.process.pid, signal.SIGCONT)


def test_one_that_was_killed_is_gone_even_before_its_parent_knows(other: Other) -> None:
    name = other.name
    os.kill(other.process.pid, signal.SIGKILL)
    os.waitid(os.P_PID, other.process.pid, os.WEXITED | os.WNOWAIT)
    assert is_gone(name)
    other.process.wait()
    assert is_gone(name)


def test_one_that_ended_in_order_is_gone(other: Other) -> None:
    name = other.name
    other.process.communicate("")
    assert is_gone(name)


def test_a_number_that_came_again_is_another_process(other: Other) -> None:
    known = parse_owner(other.name)
    assert known
    assert known.process
    earlier = Process(known.process.place, known.pid, known.process.started - 1)
    assert is_gone(str(Owner("terminal", "abc", known.pid, earlier)))


@pytest.mark.parametrize(
    "name",
    ["alice", "terminal:1:abc", "", "terminal:x:abc@p.1", "terminal:4194303:abc@p.1", "gateway:1:a@p", "a:1:b@.5"],
)
def test_in_doubt_it_lives(name: str) -> None:
    assert not is_gone(name)


def test_a_process_of_another_machine_or_container_is_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    here = this_process()
    assert here
    dead = str(Owner("terminal", "abc", 4_194_303, Process(here.place, 4_194_303, 1)))
    assert is_gone(dead)
    assert not is_gone(dead.replace(here.place, "0" * 20))
    monkeypatch.setattr(processes, "this_process", lambda: None)
    assert not is_gone(dead)


def test_owners_of_this_process_live_and_those_of_the_program_it_was_before_do_not() -> None:
    name = new_owner("terminal")
    assert not is_gone(name)
    assert is_gone(name.replace(name.split("@")[0], f"terminal:{os.getpid()}:before"))


def test_a_program_that_replaced_itself_takes_over_from_itself() -> None:
    second = (
        "import sys\nfrom baton.engine.processes import is_gone, new_owner\n"
        "print(is_gone(sys.argv[1]), is_gone(new_owner('run')))"
    )
    first = (
        "import os, sys\nfrom baton.engine.processes import new_owner\n"
        f"os.execv(sys.executable, [sys.executable, '-c', {second!r}, new_owner('run')])"
    )
    done = subprocess.run([sys.executable, "-c", first], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


@pytest.mark.parametrize("owner", [Owner("editor", "k3xw9a", 7), Owner("run", "a", 1, Process("p" * 20, 1, 99))])
def test_an_owner_is_read_as_it_was_written(owner: Owner) -> None:
    assert parse_owner(str(owner)) == owner
    assert short_owner(str(owner)) == f"{owner.surface}:{owner.pid}:{owner.token}"
