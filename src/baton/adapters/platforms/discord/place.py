"""A channel of Discord, and the only way from it to a place."""

from __future__ import annotations

import re

from baton.adapters.platforms.json_fields import Fields, Malformed
from baton.core.errors import BadPlace
from baton.core.ids import quote
from baton.core.transfer.place import Place
from baton.core.value import value

NAME = "discord"

_ID = re.compile(r"[0-9]{1,20}")
_DIRECT = 1
_TEXT, _ANNOUNCEMENT = 0, 5
_THREADS = (10, 11, 12)


@value
class Channel:
    """A channel, a thread (which has a parent) or a private chat."""

    id: str
    kind: int
    parent: str = ""

    @property
    def direct(self) -> bool:
        return self.kind == _DIRECT

    @property
    def has_threads(self) -> bool:
        """Whether threads can be begun from its messages."""
        return self.kind in (_TEXT, _ANNOUNCEMENT)

    @property
    def place(self) -> Place:
        return place(self.parent, self.id) if self.parent else place(self.id)


def place(room: str, thread: str = "") -> Place:
    return Place(NAME, room, thread)


def channel_of(where: Place) -> str:
    """The id of the channel that messages to this place go to."""
    return where.thread or where.room


def read_room(text: str) -> Place:
    if _ID.fullmatch(text) is None:
        raise BadPlace(value=quote(text), reason="a channel of Discord is known by its id, a number")
    return place(text)


def snowflake(data: Fields, name: str) -> str:
    """An id of Discord; `Malformed` if it is absent or anything else."""
    found = data.get(name)
    if not isinstance(found, str) or _ID.fullmatch(found) is None:
        raise Malformed(f"{name} is not an id")
    return found


def read_channel(data: Fields) -> Channel:
    kind = data.number("type", 0)
    parent = snowflake(data, "parent_id") if kind in _THREADS else ""
    return Channel(snowflake(data, "id"), kind, parent)
