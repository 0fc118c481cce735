from __future__ import annotations

import pytest

from baton.adapters.platforms.telegram.outbound import Topics, topic_name
from baton.core.transfer.place import Place
from tests.support.platforms.state import MemoryState
from tests.support.platforms.telegram.rules import units

ROOM = Place("telegram", "777")
TOPIC = Place("telegram", "777", "12")


def test_a_topic_is_known_again_by_room_and_key_after_a_restart() -> None:
    state = MemoryState()
    Topics(state).put(ROOM, "k", TOPIC)
    assert Topics(state).get(ROOM, "k") == TOPIC
    assert Topics(state).get(ROOM, "other") is None
    assert Topics(state).get(Place("telegram", "778"), "k") is None


def test_only_the_newest_topics_stay() -> None:
    state = MemoryState()
    topics = Topics(state)
    for number in range(300):
        topics.put(ROOM, f"k{number}", Place("telegram", "777", str(number + 2)))
    assert topics.get(ROOM, "k0") is None
    assert topics.get(ROOM, "k299") == Place("telegram", "777", "301")
    assert len(state.texts["topics"]) < 20_000


@pytest.mark.parametrize("damage", ["", "{", "[]", "5", '{"777 k": 5}', '{"777 k": "telegram"}'])
def test_a_damaged_note_is_as_none(damage: str) -> None:
    state = MemoryState()
    state.put("topics", damage)
    topics = Topics(state)
    assert topics.get(ROOM, "k") is None
    topics.put(ROOM, "k", TOPIC)
    assert topics.get(ROOM, "k") == TOPIC


@pytest.mark.parametrize(
    ("title", "name"), [("Fix it", "Fix it"), ("", "Baton"), (" \n ", "Baton"), ("a\nb\x1b[2J", "a b")]
)
def test_a_title_becomes_one_line(title: str, name: str) -> None:
    assert topic_name(title) == name


@pytest.mark.parametrize("title", ["x" * 500, "😀" * 500, "x" * 127 + "😀"])
def test_a_long_title_is_cut(title: str) -> None:
    assert 100 < units(topic_name(title)) <= 128
