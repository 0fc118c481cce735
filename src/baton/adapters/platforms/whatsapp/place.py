"""Places on WhatsApp: a person by number or by business-scoped id, a group by its own id."""

from __future__ import annotations

import re

from baton.adapters.platforms.json_fields import Json
from baton.core.errors import BadPlace
from baton.core.ids import quote
from baton.core.transfer.place import Place

NAME = "whatsapp"
_NUMBER = re.compile(r"[0-9]{5,20}")
_SCOPED = re.compile(r"[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}")
_GROUP = re.compile(r"group\.[A-Za-z0-9_=+/-]{1,200}")
_ALLOWED = "a room is a number in digits with its country code, such as 15550100, or a person's business-scoped id"


def place(room: str) -> Place:
    """Makes every place of WhatsApp. `BadPlace` for anything else."""
    room = room.removeprefix("+")
    if not any(kind.fullmatch(room) for kind in (_NUMBER, _SCOPED, _GROUP)):
        raise BadPlace(value=quote(room), reason=_ALLOWED)
    return Place(NAME, room)


def is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def is_scoped(text: str) -> bool:
    return _SCOPED.fullmatch(text) is not None


def recipient(where: Place) -> Json:
    """The fields of a message that say where it goes."""
    group = where.room.removeprefix("group.")
    if group != where.room:
        return {"recipient_type": "group", "to": group}
    return {"recipient_type": "individual", "to" if is_number(where.room) else "recipient": where.room}
