from __future__ import annotations

import pytest

from baton.adapters.platforms.telegram import topics
from baton.adapters.platforms.telegram.topics import Topics, topic_name
from baton.core.transfer.place import Place
from tests.support.platforms.state import MemoryState
from tests.support.platforms.telegram.rules import units
from tests.support.platforms.telegram.stage import TelegramStage
from tests.support.platforms.telegram.world import FORUM
from tests.unit.platforms.telegram.conftest import Running

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
    kept = Topics(state)
    for number in range(300):
        kept.put(ROOM, f"k{number}", Place("telegram", "777", str(number + 2)))
    assert kept.get(ROOM, "k0") is None
    assert kept.get(ROOM, "k299") == Place("telegram", "777", "301")
    assert len(state.texts["topics"]) < 20_000


@pytest.mark.parametrize("damage", ["", "{", "[]", "5", '{"777 k": 5}', '{"777 k": "telegram"}'])
def test_a_damaged_note_is_as_none(damage: str) -> None:
    state = MemoryState()
    state.put("topics", damage)
    kept = Topics(state)
    assert kept.get(ROOM, "k") is None
    kept.put(ROOM, "k", TOPIC)
    assert kept.get(ROOM, "k") == TOPIC


@pytest.mark.parametrize(
    ("title", "name"), [("Fix it", "Fix it"), ("", "Baton"), (" \n ", "Baton"), ("a\nb\x1b[2J", "a b")]
)
def test_a_title_becomes_one_line(title: str, name: str) -> None:
    assert topic_name(title) == name


@pytest.mark.parametrize("title", ["x" * 500, "😀" * 500, "x" * 127 + "😀"])
def test_a_long_title_is_cut(title: str) -> None:
    assert 100 < units(topic_name(title)) <= 128


async def open_and_die(stage: TelegramStage, key: str) -> None:
    """As a gateway that is killed when the server has opened the topic and its answer has not come."""
    platform = stage.platform()
    await platform.connect([])
    Topics(stage.state).ask(stage.forum, key, "t")
    stage.server.world.open_topic(stage.server.world.chats[FORUM], "t")
    await platform.close()


def topics_of(stage: TelegramStage) -> list[int]:
    return sorted(stage.server.world.chats[FORUM].topics)


@pytest.mark.anyio
async def test_a_topic_left_by_a_kill_is_the_one_the_next_try_uses(stage: TelegramStage) -> None:
    await open_and_die(stage, "transfer/1")
    async with Running(stage.platform()) as up:
        opened = await up.platform.open_thread(stage.forum, "t", "transfer/1")
        assert topics_of(stage) == [int(opened.thread)]
        again = await up.platform.open_thread(stage.forum, "t", "transfer/1")
        assert again == opened


@pytest.mark.anyio
@pytest.mark.parametrize("deletable", [True, False])
async def test_a_topic_left_by_a_kill_is_removed_if_another_was_opened_since(
    stage: TelegramStage, monkeypatch: pytest.MonkeyPatch, deletable: bool
) -> None:
    monkeypatch.setattr(topics, "PATIENCE", 0.0)
    await open_and_die(stage, "transfer/1")
    (left,) = topics_of(stage)
    if not deletable:
        stage.server.world.undeletable.add(FORUM)
    platform = stage.platform()
    await platform.connect([])
    opened = await platform.open_thread(stage.forum, "t", "transfer/1")
    await platform.close()
    assert len(topics_of(stage)) == 2
    async with Running(stage.platform()) as up:
        await stage.says(stage.room, "after it")
        await up.inbox.has(1)
        assert await up.platform.open_thread(stage.forum, "t", "transfer/1") == opened
    world = stage.server.world
    assert (topics_of(stage), world.closed_topics) == (
        ([int(opened.thread)], []) if deletable else ([left, int(opened.thread)], [left])
    )


@pytest.mark.anyio
async def test_a_topic_that_nobody_here_asked_for_is_left_alone(stage: TelegramStage) -> None:
    """Another gateway of the same bot, with a store of its own, may have opened it."""
    stage.server.world.open_topic(stage.server.world.chats[FORUM], "t")
    before = topics_of(stage)
    async with Running(stage.platform()) as up:
        opened = await up.platform.open_thread(stage.forum, "t", "transfer/1")
        await stage.says(stage.room, "after it")
        await up.inbox.has(1)
    assert topics_of(stage) == sorted([*before, int(opened.thread)])
