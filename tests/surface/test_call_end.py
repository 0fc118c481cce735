"""How the end of a tool call is told: by what a command printed, before its exit code."""

from __future__ import annotations

from typing import Any

import pytest

from baton.surfaces.acp import tool_calls
from baton.surfaces.acp.tool_calls import KnownCall
from baton.surfaces.shared.call_end import CallEnd, describe_call_end, describe_call_failure, shown_output

NOTE = "[exit 0, but pytest in the pipe ended with 1]"
RED = f"FAILED tests/test_a.py::test_x\n==== 2 failed, 41 passed in 3.21s ====\n{NOTE}"


def ran(command: str, exit_: int | None = 0, **more: Any) -> dict[str, Any]:
    return {"command": command, "exit": exit_, "log": None, **more}


@pytest.mark.parametrize(
    ("details", "text", "ok", "end"),
    [
        (ran("pytest -q | tail -5"), RED, True, CallEnd(False, "2 failed, 41 passed in 3.21s")),
        (ran("pytest -q | tail -5"), "41 passed in 3.21s", True, CallEnd(True, "41 passed in 3.21s")),
        (ran("pytest -q | tail -5"), "nothing to read", True, CallEnd(True)),
        (ran("make lint | tail", pipe=[2, 0]), "", True, CallEnd(False, "make lint ended with 2")),
        (ran("pytest || true"), "1 failed in 0.10s", True, CallEnd(False, "1 failed in 0.10s")),
        (ran("make lint && make test"), "1 failed, 2 passed", True, CallEnd(False, "1 failed, 2 passed")),
        (ran("pytest", 1), "1 failed in 0.10s", False, CallEnd(False, "1 failed in 0.10s")),
        (ran("grep x y", 1), "", False, CallEnd(False, "exit 1")),
        (ran("cat pytest.log"), RED, True, CallEnd(True)),
        (ran("ls"), "", True, CallEnd(True)),
        (ran("./deploy", 3), "no", False, CallEnd(False, "exit 3")),
        (ran("pytest", 137, timed_out=True), "", False, CallEnd(False, "timed out")),
        ({"command": "pytest", "refused": True}, "no", False, CallEnd(False, "refused")),
        ({"refused": True, "by": "user", "words": "not yet"}, "no", False, CallEnd(False, "refused: not yet")),
    ],
)
def test_a_command_is_told_by_its_summary(details: dict[str, Any], text: str, ok: bool, end: CallEnd) -> None:
    assert describe_call_end("shell", text, details, ok=ok) == end


def test_the_remark_on_the_exit_code_is_for_the_model() -> None:
    assert shown_output("a\nb\n[exit 0, not sandboxed]") == "a\nb"
    assert shown_output("[exit 0]") == ""
    assert shown_output("[exit 0] is what it printed\n") == "[exit 0] is what it printed"


def test_other_tools_are_told_by_what_they_report() -> None:
    assert describe_call_end("edit", RED, {"path": "a"}, ok=True) == CallEnd(True)
    assert describe_call_failure("edit", "no such file", {}, ok=False) == "no such file"


def test_a_failure_behind_a_green_exit_is_told_in_its_own_words() -> None:
    assert describe_call_failure("shell", RED, ran("pytest | tail"), ok=True) == "2 failed, 41 passed in 3.21s"
    assert describe_call_failure("shell", "41 passed in 1.00s", ran("pytest | tail"), ok=True) == ""
    assert describe_call_failure("shell", "boom\n[exit 3]", ran("./deploy", 3), ok=False) == "boom\n[exit 3]"


def test_an_editor_is_shown_a_failed_call() -> None:
    shown = KnownCall("shell", {"command": "pytest -q | tail -5"}, "Run pytest", RED)
    ended = tool_calls.end("call", shown, "/w", ran("pytest -q | tail -5", pipe=[1, 0]), ok=True)
    assert (ended["status"], ended["rawOutput"]["exit"], ended["rawOutput"]["pipe"]) == ("failed", 0, [1, 0])
    assert ended["title"] == "Run pytest · 2 failed, 41 passed in 3.21s"
    calm = tool_calls.end("call", KnownCall("shell", {"command": "ls"}, "Run ls", "a"), "/w", ran("ls"), ok=True)
    assert "title" not in calm


def test_a_summary_that_is_too_long_or_hostile_is_one_safe_line() -> None:
    text = "\x1b]0;x\x07" + "=" * 300 + " 1 failed, " + "9" * 400 + " passed in 1.0s"
    end = describe_call_end("shell", text, ran("pytest | tail"), ok=True)
    assert len(end.note) <= 80
    assert "\x1b" not in end.note
