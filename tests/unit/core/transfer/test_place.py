from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.errors import BadPlace, PlaceTaken
from baton.core.transfer.place import Binding, Place, check_free, parse_place
from tests.unit.core.steady import STEADY

PARTS = st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40)


@pytest.mark.parametrize(
    ("place", "key"),
    [
        (Place("telegram", "-1001"), "telegram:-1001"),
        (Place("telegram", "-1001", "7"), "telegram:-1001:7"),
        (Place("matrix", "!abc:example.org", "$ev"), "matrix:%21abc%3Aexample.org:%24ev"),
        (Place("web", "a b/ä", "%"), "web:a%20b%2F%C3%A4:%25"),
        (Place("a1_b", "x"), "a1_b:x"),
    ],
)
def test_a_place_has_one_key_and_comes_back_from_it(place: Place, key: str) -> None:
    assert place.key == key
    assert parse_place(key) == place


@STEADY
@given(PARTS.filter(bool), PARTS)
def test_any_room_and_thread_come_back(room: str, thread: str) -> None:
    place = Place("p", room, thread)
    assert place.key.isascii()
    assert parse_place(place.key) == place


@STEADY
@given(st.tuples(PARTS.filter(bool), PARTS), st.tuples(PARTS.filter(bool), PARTS))
def test_different_places_have_different_keys(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (Place("p", *one).key == Place("p", *other).key) == (one == other)


@pytest.mark.parametrize(
    ("platform", "room", "thread"),
    [
        ("", "1", ""),
        ("Telegram", "1", ""),
        ("1telegram", "1", ""),
        ("tele gram", "1", ""),
        ("t" * 33, "1", ""),
        ("telegram\n", "1", ""),
        ("telegram", "", ""),
        ("telegram", "", "7"),
        ("telegram", "a\0", ""),
        ("telegram", "\ud800", ""),
        ("telegram", "x" * 513, ""),
        ("telegram", "ä" * 400, ""),
        ("telegram", "ä" * 200, "ä" * 200),
        ("telegram", "1", "\0"),
        ("telegram", "1", "x" * 513),
    ],
)
def test_what_cannot_be_a_place_is_refused(platform: str, room: str, thread: str) -> None:
    with pytest.raises(BadPlace):
        Place(platform, room, thread)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "telegram",
        "telegram:",
        ":1",
        "telegram:1:",
        "telegram:1:2:3",
        "telegram:a b",
        "telegram:%c3%a4",
        "telegram:%41",
        "telegram:%FF",
        "telegram:%00",
        "telegram:%ED%A0%80",
        "telegram:ä",
        "Telegram:1",
        "telegram:1\n",
        "telegram:%",
        "\ud800:1",
    ],
)
def test_only_the_canonical_key_is_a_place(key: str) -> None:
    with pytest.raises(BadPlace):
        parse_place(key)


def test_the_longest_parts_and_the_longest_key_fit() -> None:
    for place in (Place("p" * 32, "x" * 512, "y" * 512), Place("telegram", "ä" * 331)):
        assert parse_place(place.key) == place
    assert len(Place("web", "\U00020000" * 166).key) == 1996
    with pytest.raises(BadPlace, match="at most 2000"):
        Place("web", "\U00020000" * 167)


def test_a_place_is_free_for_its_conversation_and_the_one_it_is_taken_from() -> None:
    bound = Binding("telegram:1", "mine", 1)
    check_free(None, "anybody", None)
    check_free(bound, "mine", None)
    check_free(bound, "yours", "mine")
    for instead_of in (None, "yours", "others"):
        with pytest.raises(PlaceTaken) as caught:
            check_free(bound, "yours", instead_of)
        assert caught.value.facts == {"place": "telegram:1", "conversation": "mine"}
