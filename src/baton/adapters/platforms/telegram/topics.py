"""The topics we open: one for each key, however often a gateway is killed meanwhile.

The server has no way to open a topic only once. But it tells of every topic in a service message, so what was asked
for is written down first. A topic nobody noted, because its answer never came, is taken for the key that asked for it;
if another one was opened for that key by then, it is removed: it is empty.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import cast

from baton.adapters.platforms.json_fields import Fields
from baton.adapters.platforms.markup.spans import utf16
from baton.adapters.platforms.telegram.api import Api
from baton.adapters.platforms.telegram.place import NAME, chat_of, place, topic_of
from baton.core.display import one_line
from baton.core.errors import BadPlace, PlatformError, SendRefused
from baton.core.transfer.place import Place, parse_place
from baton.core.value import value
from baton.ports.platform import PlatformState

PATIENCE = 2.0
"""Seconds for which the service message of an earlier try is waited for before another topic is opened."""
_LOOK = 0.05
_STATE_KEY, _ASKED_KEY = "topics", "topics-asked"
_MOST_TOPICS, _MOST_ASKED = 200, 50
_LONGEST_NAME = 128
_NAMELESS = "Baton"
_log = logging.getLogger("baton.platforms.telegram")


Create = Callable[[str], Awaitable[int | None]]
"""Opens a topic of this name; gives its number, None if the chat has no topics."""


@value
class NewTopic:
    """A topic of ours, as a service message tells of it."""

    topic: Place
    name: str


class Topics:
    """The topics we opened, by key, so that asking again gives the same one.

    Only the newest are remembered; a transfer asks again within minutes, if at all.
    """

    def __init__(self, state: PlatformState) -> None:
        self._state = state

    def get(self, room: Place, key: str) -> Place | None:
        try:
            return parse_place(self._read(_STATE_KEY).get(_topic_key(room, key), ""))
        except BadPlace:
            return None

    def put(self, room: Place, key: str, topic: Place) -> None:
        self._write(_STATE_KEY, _topic_key(room, key), topic.key, _MOST_TOPICS)

    def ask(self, room: Place, key: str, name: str) -> bool:
        """Notes that a topic is about to be opened. True if that was noted before: there may be one already."""
        before = _topic_key(room, key) in self._read(_ASKED_KEY)
        self._write(_ASKED_KEY, _topic_key(room, key), name, _MOST_ASKED)
        return before

    def settle(self, room: Place, key: str) -> None:
        """Every topic that was asked for under this key is known."""
        asked = {name: text for name, text in self._read(_ASKED_KEY).items() if name != _topic_key(room, key)}
        self._state.put(_ASKED_KEY, json.dumps(asked))

    def find_asked(self, found: NewTopic) -> tuple[Place, str] | None:
        """The room and the key a topic was asked for under, if we cannot say of which it is already."""
        room = place(chat_of(found.topic))
        if found.topic.key in self._read(_STATE_KEY).values():
            return None
        for asked, name in reversed(self._read(_ASKED_KEY).items()):
            owner, _, key = asked.partition(" ")
            if owner == room.room and name == found.name:
                return room, key
        return None

    def _write(self, note: str, key: str, text: str, most: int) -> None:
        kept = {**{name: each for name, each in self._read(note).items() if name != key}, key: text}
        self._state.put(note, json.dumps(dict(list(kept.items())[-most:])))

    def _read(self, note: str) -> dict[str, str]:
        try:
            kept: object = json.loads(self._state.get(note) or "{}")
        except ValueError:
            return {}
        items = cast("dict[object, object]", kept).items() if isinstance(kept, dict) else ()
        return {str(key): text for key, text in items if isinstance(text, str)}


class TopicKeeper:
    """Opens topics, and looks after those whose opening was cut off."""

    def __init__(self, api: Api, state: PlatformState) -> None:
        self._api = api
        self._topics = Topics(state)
        self._alone = asyncio.Lock()

    async def open(self, room: Place, title: str, key: str, create: Create) -> Place:
        """The topic of this key; the room itself if the chat has no topics. One at a time: two of the same name could
        not be told apart by their service messages.
        """
        async with self._alone:
            return await self._open(room, topic_name(title), key, create)

    async def _open(self, room: Place, name: str, key: str, create: Create) -> Place:
        if known := self._topics.get(room, key):
            return known
        doubtful = self._topics.ask(room, key, name)
        if doubtful and (adopted := await self._wait_adopted(room, key)):
            return adopted
        topic = await create(name)
        opened, adopted = place(chat_of(room), topic), self._topics.get(room, key)
        if topic is not None:
            self._topics.put(room, key, opened)
        if adopted is not None and adopted != opened:
            await self._remove(adopted)
        if not doubtful:
            self._topics.settle(room, key)
        return opened

    async def notice(self, found: NewTopic) -> None:
        """A service message tells of a topic of ours. One that nobody noted belongs to the key that asked for it."""
        if (asked := self._topics.find_asked(found)) is None:
            return
        room, key = asked
        if self._topics.get(room, key) is None:
            self._topics.put(room, key, found.topic)
            return
        self._topics.settle(room, key)
        await self._remove(found.topic)

    async def _wait_adopted(self, room: Place, key: str) -> Place | None:
        for _ in range(int(PATIENCE / _LOOK)):
            if adopted := self._topics.get(room, key):
                return adopted
            await asyncio.sleep(_LOOK)
        return None

    async def _remove(self, topic: Place) -> None:
        """Deletes an empty topic, or closes it where we may not delete. If neither is allowed, it stays."""
        chat, number = chat_of(topic), topic_of(topic)
        if number is None:
            return
        for act in (self._api.delete_forum_topic, self._api.close_forum_topic):
            try:
                await self._api.ask(act(chat, number))
            except SendRefused:
                continue
            except PlatformError as error:
                _log.info("%s: an empty topic could not be removed: %s", NAME, error)
            return


def read_new_topic(update: object, us: int) -> NewTopic | None:
    """The topic that an update tells of, if we opened it."""
    message = Fields(update).optional_object("message")
    if message is None or (made := message.optional_object("forum_topic_created")) is None:
        return None
    author, number = message.optional_object("from"), message.optional_number("message_thread_id")
    if author is None or author.optional_number("id") != us or not number:
        return None
    return NewTopic(place(message.object("chat").number("id"), number), made.text("name"))


def topic_name(title: str) -> str:
    """One line, no longer than the server accepts."""
    name = one_line(title, _LONGEST_NAME)
    while utf16(name) > _LONGEST_NAME:
        name = f"{name[:-2]}…"
    return name or _NAMELESS


def _topic_key(room: Place, key: str) -> str:
    return f"{room.room} {key}"
