"""The topics we opened, by key, so that asking again gives the same one."""

from __future__ import annotations

import json
from typing import cast

from baton.adapters.platforms.markup.units import utf16
from baton.core.display import one_line
from baton.core.errors import BadPlace
from baton.core.transfer.place import Place, parse_place
from baton.ports.platform import Shelf

_SHELF_KEY = "topics"
_KEPT = 200
_LONGEST_NAME = 128
_NAMELESS = "Baton"


class Topics:
    """Only the newest are remembered; a transfer asks again within minutes, if at all."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def get(self, room: Place, key: str) -> Place | None:
        try:
            found = parse_place(self._all().get(_name(room, key), ""))
        except BadPlace:
            return None
        return found

    def put(self, room: Place, key: str, topic: Place) -> None:
        held = {**self._all(), _name(room, key): topic.key}
        self._shelf.put(_SHELF_KEY, json.dumps(dict(list(held.items())[-_KEPT:])))

    def _all(self) -> dict[str, str]:
        try:
            held: object = json.loads(self._shelf.get(_SHELF_KEY) or "{}")
        except ValueError:
            return {}
        items = cast("dict[object, object]", held).items() if isinstance(held, dict) else ()
        return {str(key): text for key, text in items if isinstance(text, str)}


def topic_name(title: str) -> str:
    """On one line, and as long as the server takes."""
    name = one_line(title, _LONGEST_NAME)
    while utf16(name) > _LONGEST_NAME:
        name = f"{name[:-2]}…"
    return name or _NAMELESS


def _name(room: Place, key: str) -> str:
    return f"{room.room} {key}"
