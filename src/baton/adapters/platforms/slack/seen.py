"""How far we have read in the places we know, kept between runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from baton.adapters.platforms.json_fields import parse_json
from baton.adapters.platforms.slack.place import age
from baton.core.errors import BadPlace
from baton.core.transfer.place import Place, parse_place
from baton.ports.platform import Shelf

_INDEX = "places"
_MOST = 40
"""Each costs a call on every new connection, and Slack allows about 50 a minute."""


class Seen:
    """Of more than 40 places those where nobody has spoken for longest are forgotten."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._keys: list[str] | None = None

    def places(self) -> Iterator[tuple[Place, str]]:
        """Each with the time of the last message known to be kept."""
        for key in tuple(self._index()):
            if ts := self._shelf.get(_name(key)):
                try:
                    yield parse_place(key), ts
                except BadPlace:
                    continue

    def begin(self, place: Place, ts: str) -> None:
        """From now on this place is read. What is known of it stays."""
        if place.key not in self._index():
            self._advance(place.key, ts)

    def mark(self, place: Place, ts: str) -> None:
        """Everything up to this message is kept."""
        before = self._shelf.get(_name(place.key)) if place.key in self._index() else None
        if before is None or age(before) < age(ts):
            self._advance(place.key, ts)

    def forget(self, place: Place) -> None:
        self._save([key for key in self._index() if key != place.key])

    def _advance(self, key: str, ts: str) -> None:
        self._shelf.put(_name(key), ts)
        if self._index()[-1:] != [key]:
            self._save([*(other for other in self._index() if other != key), key][-_MOST:])

    def _index(self) -> list[str]:
        if self._keys is None:
            self._keys = _keys(self._shelf.get(_INDEX) or "[]")
        return self._keys

    def _save(self, keys: list[str]) -> None:
        self._shelf.put(_INDEX, json.dumps(keys))
        self._keys = keys


def _keys(text: str) -> list[str]:
    kept = parse_json(text)
    return [key for key in cast("list[object]", kept) if isinstance(key, str)] if isinstance(kept, list) else []


def _name(key: str) -> str:
    return f"seen:{key}"
