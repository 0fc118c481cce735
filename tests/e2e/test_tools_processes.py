"""What a command starts ends with it, whatever it tries, and what it says stays within bounds."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.output import LOG_CAP, Logs
from baton.adapters.tools.processes.sandbox import Sandbox
from baton.adapters.tools.shell import Shell
from tests.support.patience import PATIENCE
from tests.unit.tools.kit import silent, used

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["bare", "caged"])
def shell(request: pytest.FixtureRequest, isolated: Path) -> Shell:
    workspace = Workspace(isolated)
    sandbox = Sandbox(workspace, wanted=request.param == "caged")
    if request.param == "caged" and not sandbox.works():
        pytest.skip(sandbox.why_not)
    return Shell(workspace, Logs(workspace), 2_000, sandbox)


@pytest.fixture
def mark() -> str:
    """A number that no other process has among its arguments."""
    return f"9{random.SystemRandom().randrange(10**8, 10**9)}"


def alive(mark: str) -> list[str]:
    """The processes with the mark among their arguments, zombies left out."""
    found: list[str] = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if mark in command and state not in "ZX":
            found.append(f"{pid} {state} {command!r}")
    return found


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.02)


DAEMON = """
import os, signal, sys, time
if os.fork(): sys.exit()
if len(sys.argv) > 2: os.setsid()
else: os.setpgid(0, 0)
if os.fork(): os._exit(0)
for number in (signal.SIGTERM, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
open("ready", "w").close()
time.sleep(float(sys.argv[1]))
"""

FORKS = """
import os, sys, time, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
end = time.time() + 30
def breed(depth):
    while time.time() < end:
        if depth and os.fork() == 0:
            os.setpgid(0, 0)
            breed(depth - 1)
        open("ready", "w").close()
        time.sleep(0.05)
    os._exit(0)
for _ in range(4):
    if os.fork() == 0: breed(1)
time.sleep(30)
"""

STUBBORN = {
    "a sleeper": "touch ready; sleep {mark}",
    "one that ignores the signal": "trap '' TERM HUP INT; touch ready; sleep {mark}; sleep {mark}",
    "a stopped one": "sleep {mark} & kill -STOP $!; touch ready; wait",
    "one in a pipe": "touch ready; sleep {mark} | sleep {mark} | cat",
    "one in a group of its own": "set -m; sleep {mark} & touch ready; wait",
    "a daemon in the session": "{python} daemon.py {mark}; sleep {mark}",
    "a daemon in a session of its own": "{python} daemon.py {mark} setsid; sleep {mark}",
    "one started with nohup and setsid": "nohup setsid sleep {mark} >/dev/null 2>&1 & touch ready; sleep {mark}",
    "one without environment": "env -i sleep {mark} & touch ready; wait",
    "one without environment in a group of its own": "set -m; env -i sleep {mark} & touch ready; wait",
    "ones that keep breeding": "{python} forks.py {mark}",
}


def command(kind: str, mark: str) -> str:
    Path("daemon.py").write_text(DAEMON)
    Path("forks.py").write_text(FORKS)
    return STUBBORN[kind].format(mark=mark, python=os.path.realpath(sys.executable))


@pytest.mark.parametrize("kind", STUBBORN)
async def test_after_a_cancel_everything_is_dead_within_a_second(shell: Shell, mark: str, kind: str) -> None:
    task = asyncio.create_task(shell.run({"command": command(kind, mark)}, silent))
    await until(lambda: Path("ready").exists() and alive(mark))
    begun = time.monotonic()
    task.cancel()
    await asyncio.wait([task], timeout=10)
    assert time.monotonic() - begun < 1
    assert task.cancelled()
    assert alive(mark) == []


@pytest.mark.parametrize("kind", ["one that ignores the signal", "a daemon in a session of its own"])
async def test_after_a_time_out_everything_is_dead_within_a_second(shell: Shell, mark: str, kind: str) -> None:
    begun = time.monotonic()
    outcome = await used(shell, command=command(kind, mark), timeout=2)
    assert outcome.details["timed_out"]
    assert time.monotonic() - begun < 3.5
    assert alive(mark) == []


async def test_what_a_command_left_in_the_background_ends_with_it(shell: Shell, mark: str) -> None:
    left = f"sleep {mark} & (setsid sleep {mark} &) ; nohup sleep {mark} >/dev/null 2>&1 &"
    outcome = await used(shell, command=f"{left} echo done")
    assert outcome.text.startswith("done\n")
    assert alive(mark) == []


async def test_other_processes_are_left_alone(shell: Shell, mark: str) -> None:
    with subprocess.Popen(["sleep", mark]) as other:
        await used(shell, command="sleep 60", timeout=1)
        assert other.poll() is None
        other.kill()


MEASURE = """
import asyncio, resource, sys
from baton.adapters.tools.output import Logs
from baton.adapters.tools.processes.sandbox import Sandbox
from baton.adapters.tools.shell import Shell
from baton.adapters.files.workspace import Workspace

async def main():
    workspace, shown = Workspace("."), []
    shell = Shell(workspace, Logs(workspace), 8_000, Sandbox(workspace, wanted=False))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = await shell.run({"command": sys.argv[1]}, shown.append)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(after - before, len(outcome.text), sum(map(len, shown)), outcome.details["exit"], outcome.details["log"])

asyncio.run(main())
"""


@pytest.mark.parametrize("flood", ["head -c 1G /dev/zero | tr '\\0' x", "yes $'\\e[31mred\\r' | head -c 20M"])
def test_a_flood_of_output_is_bounded_in_memory_and_on_disk(isolated: Path, flood: str) -> None:
    said = subprocess.run([sys.executable, "-c", MEASURE, flood], capture_output=True, text=True, check=True).stdout
    grown, text, shown, exit_, log = said.split()
    assert int(grown) < 16 * 1024, "kilobytes"
    assert int(text) < 9_000
    assert int(shown) < 250_000
    assert exit_ == "0"
    assert os.path.getsize(isolated / log) < LOG_CAP + 1_000
