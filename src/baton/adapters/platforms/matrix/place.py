"""Places on Matrix: a room's id, and the id of the event that a thread begins with. Every place is made here."""

from __future__ import annotations

import re

from baton.core.errors import BadPlace
from baton.core.ids import quote
from baton.core.transfer.place import Place

NAME = "matrix"
_ROOM = re.compile(r"![^\s\x00-\x1f\x7f]{1,254}")


def place(room: str, thread: str = "") -> Place:
    return Place(NAME, room, thread)


def room_of(text: str) -> Place:
    """The room with this id; `BadPlace` for an alias or a person, which only a server could resolve."""
    if _ROOM.fullmatch(text) is None:
        reason = "a Matrix room is named by its id, which begins with '!' (in Element: Settings, Advanced)"
        raise BadPlace(value=quote(text), reason=reason)
    return place(text)
