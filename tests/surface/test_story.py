"""The record as a person reads it."""

from __future__ import annotations

import json
import re

import pytest

from baton.core.agent.message import Call
from baton.core.log.entry import Entry, entry
from baton.core.log.payloads import (
    AssistantStep,
    Compression,
    CompressionFailed,
    InputWithdrawn,
    Payload,
    QueuedInput,
    ToolCall,
    ToolResult,
    TurnEnd,
    UserInput,
    new_entry,
)
from baton.surfaces.shared.story import AGENT, DONE, FAILED, NOTICE, PERSON, Part, tell
from tests.unit.core.log.test_payloads import EXAMPLES

INNER = re.compile(r"\b[a-z]{1,2}_[0-9a-z]+\b|\b[0-9]{8}_[0-9]{6}\b|\b[a-z]+_[a-z]+\b|K0a1b2c3d")


def log(*said: Payload) -> list[Entry]:
    new = [new_entry(each) for each in said]
    return [entry("s", seq, each.kind, 0, 0, json.dumps(dict(each.data))) for seq, each in enumerate(new, 1)]


def told(*said: Payload) -> list[tuple[str, str, str]]:
    return [(part.role, part.head, part.text) for part in tell(log(*said)) if not part.quiet]


@pytest.mark.parametrize("held", EXAMPLES, ids=lambda held: type(held).__name__)
def test_every_entry_has_one_part_with_a_head_and_no_inner_name(held: Payload) -> None:
    (part,) = tell(log(held))
    assert isinstance(part, Part)
    assert part.head
    assert not INNER.search(f"{part.head}\n{part.text}")
    assert "\n" not in part.head


def test_a_call_is_told_once_with_how_it_ended() -> None:
    call = Call("c1", "shell", {"command": "pytest -q"})
    details = {"exit": 1, "command": "pytest -q"}
    assert told(
        UserInput("run the tests", turn="u_1"),
        AssistantStep("I will.", (call,), "m", "calls"),
        ToolCall("c1", "shell", {"command": "pytest -q"}, "Run pytest -q"),
        ToolResult("c1", "shell", "F.\n1 failed, 1 passed in 0.1s\n[exit 1]", False, details),
        AssistantStep("", (call,), "m", "calls"),
        TurnEnd("u_1", "completed"),
    ) == [
        (PERSON, "You", "run the tests"),
        (AGENT, "Agent", "I will."),
        (FAILED, "Run pytest -q · 1 failed, 1 passed in 0.1s", "F.\n1 failed, 1 passed in 0.1s"),
    ]  # fmt: skip


def test_a_call_without_a_result_says_that_its_end_is_not_known() -> None:
    assert told(ToolCall("c1", "shell", {"command": "make"}, "Run make")) == [
        (NOTICE, "Run make · how it ended is not known", "")
    ]


def test_a_call_whose_title_is_not_at_hand_is_named_by_what_it_was_about() -> None:
    assert told(ToolResult("c1", "edit", "changed", True, {"path": "a.py", "diff": "-a\n+b\n"})) == [
        (DONE, "edit a.py", "-a\n+b")
    ]


def test_a_message_that_waited_is_told_once() -> None:
    later, never = UserInput("later"), UserInput("never")
    assert told(
        QueuedInput(later, "u_1"), QueuedInput(never, "u_2"), QueuedInput(UserInput("soon"), "u_3"),
        InputWithdrawn("u_2"), UserInput("later", queued="u_1"),
    ) == [
        (PERSON, "You, taken back before its turn", "never"),
        (PERSON, "You, waiting for its turn", "soon"),
        (PERSON, "You", "later"),
    ]  # fmt: skip


def test_who_spoke_from_where() -> None:
    guest = UserInput("Anna (telegram:7) says:\n> hi", sender="telegram:7", place="telegram:1")
    assert [head for _, head, _ in told(UserInput("hi", place="signal:1"), guest)] == [
        "You, in Signal",
        "Somebody else, in Telegram",
    ]


def test_where_the_context_turned() -> None:
    lossy = Compression("lossy", "", 0.0, 1, "", (), "", "", 41_200, after=9_800)
    assert [head for _, head, _ in told(lossy, CompressionFailed("failed", "The model is down.", 1.0))] == [
        "Context was compressed here without a summary: 41,200 → 9,800 tokens.",
        "Context could not be compressed: The model is down. Nothing was changed.",
    ]
