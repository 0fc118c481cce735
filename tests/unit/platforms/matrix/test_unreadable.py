"""Messages that wait for their key."""

from __future__ import annotations

from typing import Any

from baton.adapters.platforms.matrix.place import place
from baton.adapters.platforms.matrix.unreadable import Unreadable
from tests.support.platforms.shelf import MemoryShelf


class Now:
    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


def event(number: int, thread: str = "") -> dict[str, Any]:
    relation = {"m.relates_to": {"rel_type": "m.thread", "event_id": thread}} if thread else {}
    return {"type": "m.room.encrypted", "event_id": f"${number}", "content": {"ciphertext": "x", **relation}}


def test_they_survive_a_restart_and_are_kept_once() -> None:
    shelf, now = MemoryShelf(), Now()
    first = Unreadable(shelf, now)
    for number in (1, 2, 1):
        first.add("!r", event(number))
    again = Unreadable(shelf, now)

    assert [each.event for each in again.waiting()] == [event(1), event(2)]
    again.remove(again.waiting()[0])
    assert [each.event for each in Unreadable(shelf, now).waiting()] == [event(2)]


def test_each_place_is_told_once_when_patience_ends() -> None:
    shelf, now = MemoryShelf(), Now()
    unreadable = Unreadable(shelf, now)
    for number, thread in ((1, ""), (2, ""), (3, "$root")):
        unreadable.add("!r", event(number, thread))

    assert unreadable.overdue(60) == []
    now.seconds += 60
    assert [each.place for each in unreadable.overdue(60)] == [place("!r"), place("!r", "$root")]
    assert unreadable.overdue(60) == []
    assert Unreadable(shelf, now).overdue(60) == []
    assert len(unreadable.waiting()) == 3


def test_neither_their_number_nor_their_age_grows_without_end() -> None:
    shelf, now = MemoryShelf(), Now()
    unreadable = Unreadable(shelf, now)
    for number in range(50):
        unreadable.add(f"!{number % 2}", event(number))
    assert [each.event for each in unreadable.waiting()] == [event(number) for number in range(20)]
    for number in range(100, 150):
        unreadable.add(f"!{number}", event(number))
    assert len(unreadable.waiting()) == 30

    now.seconds += 90_000
    unreadable.add("!r", event(200))
    assert [each.event for each in unreadable.waiting()] == [event(200)]


def test_a_damaged_shelf_is_an_empty_one() -> None:
    for text in ("", "{", "[1, null]", "{}", "[{}]"):
        shelf = MemoryShelf()
        shelf.put("unreadable", text)
        assert Unreadable(shelf).waiting() == []
