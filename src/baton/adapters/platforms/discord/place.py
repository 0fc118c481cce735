"""A channel of Discord, and the one way from it to a place."""

from __future__ import annotations

import re

from baton.adapters.platforms.discord.fields import Fields, number, snowflake
from baton.core.errors import BadPlace
from baton.core.ids import shown
from baton.core.transfer.place import Place
from baton.core.value import value

NAME = "discord"

_ID = re.compile(r"[0-9]{1,20}")
_DIRECT = 1
_TEXT, _ANNOUNCEMENT = 0, 5
_THREADS = (10, 11, 12)


@value
class Channel:
    """Where messages are: a channel, a thread (it has a parent then) or a private chat."""

    id: str
    kind: int
    parent: str = ""

    @property
    def direct(self) -> bool:
        return self.kind == _DIRECT

    @property
    def has_threads(self) -> bool:
        """Threads can be begun from its messages."""
        return self.kind in (_TEXT, _ANNOUNCEMENT)

    @property
    def place(self) -> Place:
        return place(self.parent, self.id) if self.parent else place(self.id)


def place(room: str, thread: str = "") -> Place:
    return Place(NAME, room, thread)


def address(where: Place) -> str:
    """The id of the channel that messages to this place go to."""
    return where.thread or where.room


def read_room(text: str) -> Place:
    if _ID.fullmatch(text) is None:
        raise BadPlace(value=shown(text), reason="a channel of Discord is known by its id, a number")
    return place(text)


def read_channel(data: Fields) -> Channel:
    kind = number(data, "type")
    parent = snowflake(data, "parent_id") if kind in _THREADS else ""
    return Channel(snowflake(data, "id"), kind, parent)
