"""Slack's ids of places and messages. Every `Place` of Slack is made here."""

from __future__ import annotations

import re

from baton.core.errors import BadPlace
from baton.core.ids import quote
from baton.core.transfer.place import Place

NAME = "slack"
_ROOM = re.compile(r"[CDG][A-Z0-9]{1,40}")
_TS = re.compile(r"[0-9]{1,12}\.[0-9]{1,9}")


def place(room: object, thread: object = "", ts: object = "") -> Place:
    """Where the message with this `ts` stands. A thread's first message stands in the room, as it did before anybody
    answered it. `BadPlace` if these are not ids of Slack.
    """
    if not isinstance(room, str) or _ROOM.fullmatch(room) is None:
        reason = "Slack's channels have ids such as C012 or D034; a person's is the one of your direct messages with it"
        raise BadPlace(value=quote(str(room)), reason=reason)
    if not thread or thread == ts:
        return Place(NAME, room)
    return Place(NAME, room, stamp(thread))


def stamp(ts: object) -> str:
    """The id of a message in its room; `BadPlace` if it is not one."""
    if not isinstance(ts, str) or _TS.fullmatch(ts) is None:
        raise BadPlace(value=quote(str(ts)), reason="it is not the time of a message, such as 1700000000.000100")
    return ts


def is_direct(room: Place) -> bool:
    return room.room.startswith("D")


def age(ts: str) -> tuple[int, int]:
    """The sort key of a room's messages."""
    seconds, _, fraction = ts.partition(".")
    return int(seconds), int(fraction.ljust(9, "0"))
