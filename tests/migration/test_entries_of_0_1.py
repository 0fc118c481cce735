"""A conversation of Baton 0.1: turns, an interruption, withdrawn input, a declined draft, a handoff, a drift."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.core.agent.message import UserMessage
from baton.core.log.context import project
from baton.core.log.interrupted import count_interruptions, find_interrupted
from baton.core.log.payloads import (
    AssistantStep,
    HandoffDeclined,
    InputWithdrawn,
    PacketOpening,
    Payload,
    QueuedInput,
    TurnEnd,
    TurnInterrupted,
    UserInput,
    WorkspaceVerified,
    payload,
)
from baton.core.log.waiting import find_waiting
from baton.engine.archive import export_lines, import_lines
from baton.ports.store import Store
from baton.testing.memory.store import MemoryStore

EXPORT = Path(__file__).with_name("conversation_0_1.jsonl")
CONVERSATION = "c_wxarvzken7ft"


@pytest.fixture
def store() -> Store:
    store = MemoryStore()
    import_lines(store, EXPORT.read_bytes().splitlines(keepends=True), EXPORT.name)
    return store


def held(store: Store) -> list[list[Payload]]:
    sessions = store.sessions.of(CONVERSATION)
    return [[payload(entry) for entry in store.entries.load(session.id)] for session in sessions]


def test_each_note_is_read_as_the_fact_it_meant(store: Store) -> None:
    first, second = held(store)
    assert [type(each) for each in first] == [
        *(UserInput, AssistantStep, TurnEnd),
        *(UserInput, TurnInterrupted),
        *(UserInput, AssistantStep, TurnEnd),
        HandoffDeclined,
        *(UserInput, QueuedInput, InputWithdrawn, TurnEnd),
    ]
    assert [type(each) for each in second] == [PacketOpening, UserInput, WorkspaceVerified, AssistantStep, TurnEnd]
    assert [each.end for each in (*first, *second) if isinstance(each, TurnEnd)] == [
        *("completed", "completed", "cancelled", "completed")
    ]


def test_nothing_is_taken_for_open_or_waiting(store: Store) -> None:
    for session in store.sessions.of(CONVERSATION):
        entries = store.entries.load(session.id)
        assert (find_interrupted(entries), find_waiting(entries), count_interruptions(entries)) == (None, [], 0)


def test_the_model_is_told_what_it_was_told_then(store: Store) -> None:
    (first, second) = (store.entries.load(session.id) for session in store.sessions.of(CONVERSATION))
    told = [message.text for message in project(first).messages if isinstance(message, UserMessage)]
    assert told[2].startswith("The last turn was interrupted before it ended.")
    told = [message.text for message in project(second).messages if isinstance(message, UserMessage)]
    assert "Edited: a.txt" in told[2]


def test_its_export_is_what_it_was(store: Store) -> None:
    lines = "".join(f"{line}\n" for line in export_lines(store, [CONVERSATION]))
    kept = [line for line in lines.splitlines() if '"type":"entry"' in line]
    assert kept == [line for line in EXPORT.read_text().splitlines() if '"type":"entry"' in line]
