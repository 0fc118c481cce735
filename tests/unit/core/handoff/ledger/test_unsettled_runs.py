"""Runs that show nothing: what was known before them stays known, and the packet says that they were."""

from __future__ import annotations

import pytest

from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.narration.narrative import Narrative
from baton.core.handoff.next_action import FIX, next_action
from baton.core.handoff.packet_text import Scene, render
from tests.unit.core.handoff.ledger.talk import Talk

FIRST, SECOND = "20260527_123456_abcdef", "20260528_123456_abcdef"
FAILED = "FAILED tests/a.py::test_a\n1 failed in 0.10s"
SILENT = [
    "pytest tests/a.py > out.log 2>&1 &",
    "pytest tests/a.py | tail -1",
    "for i in 1 2; do pytest tests/a.py; done",
]


def failing() -> Talk:
    return (
        Talk(FIRST)
        .say("Make the tests pass, and tell me which of them were broken.")
        .run("pytest tests/a.py", 1, FAILED)
    )


def packet(ledger: Ledger) -> str:
    return render(ledger, Scene(chain=(FIRST, SECOND)), Narrative(missing="no model")).markdown


def line_with(shown: str, text: str) -> str:
    (found,) = [line for line in shown.splitlines() if text in line]
    return found


def time_out(talk: Talk, command: str) -> Talk:
    text = "[timed out after 120 s, ended]"
    return talk.call("shell", {"command": command}, text, ok=False, exit=-9, command=command, timed_out=True)


@pytest.mark.parametrize("command", SILENT)
def test_a_run_that_shows_nothing_closes_no_failure(command: str) -> None:
    ledger = gather(failing().run(command, 0, "started").entries)
    (error,) = ledger.of(facts.ERROR, facts.OPEN)
    assert (error.text, error.data["line"], error.at) == ("pytest tests/a.py", "1 failed in 0.10s", f"{FIRST}/4")
    assert not ledger.of(facts.COMMAND)
    told = line_with(packet(ledger), "Fails: ")
    assert told.endswith("(g1#4); started again later, result unknown (g1#7)")
    assert "result is unknown" in next_action(ledger).text


@pytest.mark.parametrize("command", SILENT)
def test_nor_one_of_an_earlier_session(command: str) -> None:
    ledger = gather(Talk(SECOND).run(command, 0, "started").entries, gather(failing().entries))
    (error,) = ledger.of(facts.ERROR, facts.OPEN)
    assert (error.text, error.at) == ("pytest tests/a.py", f"{FIRST}/4")
    assert line_with(packet(ledger), "Fails: ").endswith("started again later, result unknown (g2#3)")


def test_a_time_out_of_a_failing_check_closes_nothing_either() -> None:
    assert next_action(gather(time_out(failing(), "pytest tests/a.py").entries)).kind == FIX


@pytest.mark.parametrize("command", ["pytest tests/a.py", "pytest"])
def test_a_pass_closes_what_was_started_again(command: str) -> None:
    talk = failing().run(SILENT[0]).run(command, 0, "3 passed in 0.10s")
    assert not gather(talk.entries).of(facts.ERROR)
    assert "started again" not in packet(gather(talk.entries))


def test_a_failure_that_a_wider_pass_closed_is_not_opened_by_silence() -> None:
    talk = Talk(SECOND).run("pytest", 0, "9 passed in 0.90s").run(SILENT[0])
    ledger = gather(talk.entries, gather(failing().entries))
    assert not ledger.of(facts.ERROR, facts.OPEN)


def test_another_failure_is_told_instead_of_the_one_before_it() -> None:
    talk = failing().run(SILENT[0]).run("pytest tests/a.py", 1, "2 failed in 0.10s")
    told = line_with(packet(gather(talk.entries)), "Fails: ")
    assert "2 failed in 0.10s" in told
    assert "started again" not in told


@pytest.mark.parametrize("command", ["python load.py 2025", "pytest tests/load"])
def test_a_time_out_is_told_until_the_command_shows_something(command: str) -> None:
    talk = time_out(Talk(FIRST).say("Load it."), command)
    assert line_with(packet(gather(talk.entries)), f"`{command}`").count("the command timed out") == 1
    silent = f"nohup {command} > load.log 2>&1 &"
    for ledger in (
        gather(talk.run(silent).entries),
        gather(Talk(SECOND).run(silent).entries, gather(talk.entries[:4])),
    ):
        assert "; the run before it timed out (g1#4)" in line_with(packet(ledger), f"`{silent}`")
    assert "timed out" not in packet(gather(talk.run(command, 0, "loaded 3 rows").entries))


def test_a_mere_doubt_gives_way_to_what_the_next_run_shows() -> None:
    loop = "for y in 1 2; do python load.py $y; done"
    talk = Talk(FIRST).say("Load them.").run(loop, 1, "2: error").run(loop, 0, "1 ok\n2 ok")
    assert not gather(talk.entries).of(facts.ERROR)
