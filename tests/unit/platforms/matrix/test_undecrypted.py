"""Messages that wait for their key."""

from __future__ import annotations

from typing import Any

from baton.adapters.platforms.matrix.inbound import UndecryptedMessages
from baton.adapters.platforms.matrix.place import place
from tests.support.platforms.state import MemoryState


class Now:
    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


def event(number: int, thread: str = "") -> dict[str, Any]:
    relation = {"m.relates_to": {"rel_type": "m.thread", "event_id": thread}} if thread else {}
    return {"type": "m.room.encrypted", "event_id": f"${number}", "content": {"ciphertext": "x", **relation}}


def test_they_survive_a_restart_and_are_kept_once() -> None:
    state, now = MemoryState(), Now()
    first = UndecryptedMessages(state, now)
    for number in (1, 2, 1):
        first.add("!r", event(number))
    again = UndecryptedMessages(state, now)

    assert [each.event for each in again.messages()] == [event(1), event(2)]
    again.remove(again.messages()[0])
    assert [each.event for each in UndecryptedMessages(state, now).messages()] == [event(2)]


def test_each_place_is_told_once_when_patience_ends() -> None:
    state, now = MemoryState(), Now()
    undecrypted = UndecryptedMessages(state, now)
    for number, thread in ((1, ""), (2, ""), (3, "$root")):
        undecrypted.add("!r", event(number, thread))

    assert undecrypted.take_overdue(60) == []
    now.seconds += 60
    assert [each.place for each in undecrypted.take_overdue(60)] == [place("!r"), place("!r", "$root")]
    assert undecrypted.take_overdue(60) == []
    assert UndecryptedMessages(state, now).take_overdue(60) == []
    assert len(undecrypted.messages()) == 3


def test_neither_their_number_nor_their_age_grows_without_end() -> None:
    state, now = MemoryState(), Now()
    undecrypted = UndecryptedMessages(state, now)
    for number in range(50):
        undecrypted.add(f"!{number % 2}", event(number))
    assert [each.event for each in undecrypted.messages()] == [event(number) for number in range(20)]
    for number in range(100, 150):
        undecrypted.add(f"!{number}", event(number))
    assert len(undecrypted.messages()) == 30

    now.seconds += 90_000
    undecrypted.add("!r", event(200))
    assert [each.event for each in undecrypted.messages()] == [event(200)]


def test_a_damaged_state_is_an_empty_one() -> None:
    for text in ("", "{", "[1, null]", "{}", "[{}]"):
        state = MemoryState()
        state.put("unreadable", text)
        assert UndecryptedMessages(state).messages() == []
