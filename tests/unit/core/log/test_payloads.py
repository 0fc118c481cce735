"""What entries hold, as JSON and back, and what 0.1 wrote."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from baton.core.agent.message import Call, Image, Usage
from baton.core.log import entry as kinds
from baton.core.log.entry import entry
from baton.core.log.payloads import (
    AssistantStep,
    Compression,
    CompressionFailed,
    CompressionPutOff,
    CompressionUndone,
    ContextWarned,
    HandoffAsked,
    HandoffDeclined,
    HandoffFailed,
    HandoffUndone,
    InputWithdrawn,
    Link,
    Note,
    PacketOpening,
    Payload,
    QueuedInput,
    RuleDropped,
    RulePinned,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnInterrupted,
    UserInput,
    WorkspaceVerified,
    new_entry,
    payload,
    read,
    to_json,
)

FULL = UserInput(
    "look",
    (Image("image/png", "aGk=", "shot.png"), Image("image/gif", "aGk=")),
    (Link("a.py", "file:///a.py"),),
    shown="look at @shot.png",
    synthetic=True,
    place="telegram:7",
    inbox="telegram:m1",
    sender="telegram:777",
    transfer="t_1",
    queued="u_q",
    turn="u_1",
)
EXAMPLES: list[Payload] = [
    UserInput("hi"),
    FULL,
    QueuedInput(UserInput("later", place="telegram:7"), "u_2", first=True),
    AssistantStep(
        "", (Call("1", "shell", {"command": "make"}),), "m", "calls", Usage(1, 2, 3, 0.5), "hm", "telegram:7", "u_1", 2
    ),
    AssistantStep("done", (), "m", "stop"),
    AssistantStep("done", (), "m", "stop", Usage(120, 3, 0), sent=100),
    ToolCall("1", "shell", {"command": "make"}, "make"),
    ToolResult("1", "shell", "ok", True, {"exit": 0}),
    ToolResult("1", "shell", "no", False, {}),
    Compression("compressed", "", 1.5, 3, "first", ("Never push.",), "summary", "text", 900, "u_1", 4),
    CompressionFailed("timed_out", "no summary within 60 s", 60.0, "u_1"),
    CompressionUndone("20260101_000000_aaaaaa", 7, "lossy"),
    CompressionUndone("20260101_000000_aaaaaa", 1, "compressed", 12),
    HandoffUndone("20260101_000000_aaaaaa", 12),
    PacketOpening("text", "p_1", "00", "a.md", "first", (), "You asked for it", "u_1"),
    TurnEnd("u_1", "failed", "It broke.", "telegram:7"),
    TurnEnd("u_1", "completed", silent=True),
    TurnInterrupted("u_1", "The last turn was interrupted.", suspended=True),
    InputWithdrawn("u_q"),
    CompressionPutOff("t_1"),
    ContextWarned(70_000),
    HandoffAsked("d_1", "compressions", "Continue?", ("tokens",)),
    HandoffDeclined("d_1"),
    HandoffDeclined("d_1", "compressions", ("tokens",)),
    HandoffFailed("It broke."),
    WorkspaceVerified("p_1", "A file changed.", True, 1, ({"kind": "changed", "path": "a.py"},)),
    RulePinned("K0a1b2c3d", 1, "Ask me before you push."),
    RuleDropped("K0a1b2c3d", "Ask me before you push."),
    Note("lost"),
]


@pytest.mark.parametrize("held", EXAMPLES, ids=lambda held: type(held).__name__)
def test_a_payload_is_read_as_it_was_written(held: Payload) -> None:
    new = new_entry(held, 7)
    stored = entry("s", 1, new.kind, 0, new.tokens, json.dumps(dict(new.data)))
    assert (payload(stored), new.tokens) == (held, 7)


def test_every_payload_has_an_example_and_every_kind_a_payload() -> None:
    assert {type(held) for held in EXAMPLES} == set(get_args(Payload))
    assert {held.kind for held in EXAMPLES} == set(kinds.KINDS)


@pytest.mark.parametrize(
    ("data", "held"),
    [
        (
            {"turn": "u", "end": "cancelled", "error": "", "place": "telegram:7"},
            TurnEnd("u", "cancelled", "", "telegram:7"),
        ),
        ({"turn": "u", "end": "completed", "error": "", "silent": True}, TurnEnd("u", "completed", silent=True)),
        ({"turn": "u", "end": "interrupted", "text": "cut", "for_model": True}, TurnInterrupted("u", "cut")),
        (
            {"turn": "u", "end": "interrupted", "text": "cut", "for_model": True, "suspended": True},
            TurnInterrupted("u", "cut", suspended=True),
        ),
        ({"queued": "u_q", "taken_back": True}, InputWithdrawn("u_q")),
        ({"handoff": "declined", "draft": "d_1"}, HandoffDeclined("d_1")),
        ({"handoff": "failed", "error": "It broke."}, HandoffFailed("It broke.")),
        (
            {"verified": "p_1", "text": "same", "for_model": True, "drift": False, "count": 0, "differences": []},
            WorkspaceVerified("p_1", "same"),
        ),
        ({"foreign": "orphan result", "text": "x", "source": {"file": "a", "line": 1}}, Note("x")),
    ],
)
def test_a_note_of_0_1_is_the_fact_it_meant(data: dict[str, Any], held: Payload) -> None:
    assert read("note", data) == held


@pytest.mark.parametrize("kind", [*kinds.KINDS, "of_a_later_version"])
@pytest.mark.parametrize(
    "data", [{}, {"text": 7, "calls": "x", "images": [3], "usage": [], "args": None, "turn": None}]
)
def test_no_entry_is_unreadable(kind: str, data: dict[str, Any]) -> None:
    assert isinstance(read(kind, data), get_args(Payload))


def test_what_is_empty_takes_no_room() -> None:
    assert to_json(UserInput("hi")) == {"text": "hi"}
    assert to_json(TurnEnd("u_1", "completed")) == {"turn": "u_1", "end": "completed", "error": ""}
