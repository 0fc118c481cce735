from __future__ import annotations

import pytest

from baton.adapters.platforms.slack.catch_up import ReadPositions
from baton.adapters.platforms.slack.place import age, is_direct, place
from baton.core.errors import BadPlace
from baton.core.transfer.place import Place
from tests.support.platforms.state import MemoryState


@pytest.mark.parametrize("room", ["C012", "D0ABC123", "G1"])
def test_a_room(room: str) -> None:
    assert place(room) == Place("slack", room)
    assert is_direct(place(room)) == room.startswith("D")


@pytest.mark.parametrize("room", ["", "U012", "#general", "c012", "C012\n", "C 1", None, 7])
def test_not_a_room(room: object) -> None:
    with pytest.raises(BadPlace):
        place(room)


def test_messages_have_an_order() -> None:
    stamps = ["1700000000.000100", "10.1", "10.000001", "10.000000", "9.000001"]
    assert sorted(stamps, key=age, reverse=True) == stamps
    assert sorted(stamps, reverse=True) != stamps


def test_what_was_read_is_known_after_a_restart() -> None:
    state = MemoryState()
    seen = ReadPositions(state)
    seen.mark(place("C1"), "2.0")
    seen.mark(place("C1"), "1.0")
    seen.begin(place("C1", "1.5"), "1.5")
    seen.begin(place("C1", "1.5"), "9.0")
    seen.mark(place("C2"), "3.0")
    seen.forget(place("C2"))
    assert list(ReadPositions(state).places()) == [(place("C1"), "2.0"), (place("C1", "1.5"), "1.5")]


def test_a_place_left_and_joined_again_is_read_from_the_new_beginning() -> None:
    seen = ReadPositions(MemoryState())
    seen.mark(place("C1"), "2.0")
    seen.forget(place("C1"))
    seen.begin(place("C1"), "7.0")
    assert list(seen.places()) == [(place("C1"), "7.0")]


def test_of_many_places_the_liveliest_are_known() -> None:
    seen = ReadPositions(MemoryState())
    for number in range(100):
        seen.mark(place(f"C{number}"), "1.0")
        seen.mark(place("C0"), f"{number + 2}.0")
    known = [each.room for each, _ in seen.places()]
    assert known == [*(f"C{number}" for number in range(61, 100)), "C0"]


def test_a_broken_state_is_an_empty_one() -> None:
    state = MemoryState()
    state.put("places", '["not a place", 7, "slack:C1"]')
    state.put("seen:not a place", "1.0")
    assert list(ReadPositions(state).places()) == []
    state.put("places", "{")
    assert list(ReadPositions(state).places()) == []
