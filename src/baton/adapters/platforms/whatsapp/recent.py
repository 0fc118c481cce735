"""The last few of something, kept between runs."""

from __future__ import annotations

import json
import threading

from baton.adapters.platforms.json_fields import parse_json, table, text
from baton.ports.platform import Shelf


class Recent:
    """Texts by name, at most so many: the one untouched longest goes first. Strangers cannot fill the shelf.

    May be used from any thread, and by several gateways: nothing is remembered but on the shelf. Of two that write in
    the same moment one may be forgotten.
    """

    def __init__(self, shelf: Shelf, name: str, most: int) -> None:
        self._shelf = shelf
        self._name = name
        self._most = most
        self._lock = threading.Lock()

    def get(self, name: str) -> str:
        """Empty if it is not known (any more)."""
        with self._lock:
            return self._loaded().get(name, "")

    def put(self, name: str, kept: str) -> None:
        with self._lock:
            self._put(name, kept)

    def _put(self, name: str, kept: str) -> None:
        known = self._loaded()
        if known.get(name) == kept:
            return
        known.pop(name, None)
        known[name] = kept
        while len(known) > self._most:
            del known[next(iter(known))]
        self._shelf.put(self._name, json.dumps(known))

    def _loaded(self) -> dict[str, str]:
        found = table(parse_json(self._shelf.get(self._name) or ""))
        return {name: text(each) for name, each in found.items()}
