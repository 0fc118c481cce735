"""Places on Signal: a person by their account id, a group by its own id."""

from __future__ import annotations

import re

from baton.adapters.platforms.json_fields import Json, text
from baton.core.errors import BadPlace
from baton.core.ids import quote
from baton.core.transfer.place import Place

NAME = "signal"
_PERSON = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_GROUP = re.compile(r"group\.[A-Za-z0-9+/_-]{1,200}={0,2}")
_ALLOWED = "a room is a person's account id (a UUID) or group.ID; `baton pair` finds out yours"


def place(room: str) -> Place:
    """Makes every place of Signal. `BadPlace` for anything else, such as a telephone number, which can change hands."""
    room = room if room.startswith("group.") else room.lower()
    if _PERSON.fullmatch(room) is None and _GROUP.fullmatch(room) is None:
        raise BadPlace(value=quote(room), reason=_ALLOWED)
    return Place(NAME, room)


def is_group(where: Place) -> bool:
    return where.room.startswith("group.")


def recipient(where: Place) -> Json:
    """The parameters that name this place in a call."""
    group = where.room.removeprefix("group.")
    return {"groupId": group} if group != where.room else {"recipient": [where.room]}


def person(envelope: Json) -> str:
    """The sender's account id; empty if there is none."""
    found = text(envelope.get("sourceUuid")).lower()
    return found if _PERSON.fullmatch(found) else ""
