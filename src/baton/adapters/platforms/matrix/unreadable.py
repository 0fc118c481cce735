"""Encrypted messages that came before their key. They wait, and the person is told once if it does not come."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from baton.adapters.platforms.json_fields import Json, parse_json, table, tables, text
from baton.adapters.platforms.matrix.place import place
from baton.core.errors import BadPlace
from baton.core.transfer.place import Place
from baton.core.value import value
from baton.ports.platform import Shelf

NOTICE = "A message here could not be decrypted, so it was not read. Please send it once more."
_SHELF = "unreadable"
_MOST, _MOST_OF_A_ROOM = 30, 10
_DAY = 86_400.0


@value
class Waiting:
    room: str
    event: Json
    since: float
    told: bool

    @property
    def place(self) -> Place:
        """Where it was said: what hangs on what is not encrypted."""
        relation = table(table(self.event.get("content")).get("m.relates_to"))
        try:
            return place(self.room, text(relation.get("event_id")) if relation.get("rel_type") == "m.thread" else "")
        except BadPlace:
            return place(self.room)


class Unreadable:
    """On the shelf, so that a message that was acknowledged is not forgotten."""

    def __init__(self, shelf: Shelf, now: Callable[[], float] = time.time) -> None:
        self._shelf = shelf
        self._now = now
        kept = tables(parse_json(shelf.get(_SHELF) or "[]"))
        self._waiting = [_waiting(each) for each in kept if text(each.get("room"))]

    def add(self, room: str, event: Json) -> bool:
        """False if it waits already, or too many do: those that came first stay."""
        self._waiting = [each for each in self._waiting if self._now() - each.since < _DAY]
        ids = [each.event.get("event_id") for each in self._waiting]
        of_the_room = [each for each in self._waiting if each.room == room]
        if event.get("event_id") in ids or len(ids) >= _MOST or len(of_the_room) >= _MOST_OF_A_ROOM:
            return False
        self._keep([*self._waiting, Waiting(room, event, self._now(), told=False)])
        return True

    def waiting(self) -> list[Waiting]:
        return list(self._waiting)

    def remove(self, read: Waiting) -> None:
        self._keep([each for each in self._waiting if each is not read])

    def overdue(self, after: float) -> list[Waiting]:
        """Those that have waited too long and were not told of yet: one of each room, with the others marked."""
        late = [each for each in self._waiting if not each.told and self._now() - each.since >= after]
        if late:
            marked = [Waiting(each.room, each.event, each.since, each.told or each in late) for each in self._waiting]
            self._keep(marked)
        return list({each.place: each for each in late}.values())

    def _keep(self, waiting: list[Waiting]) -> None:
        self._waiting = waiting
        kept = [
            {"room": each.room, "event": each.event, "since": each.since, "told": each.told} for each in self._waiting
        ]
        self._shelf.put(_SHELF, json.dumps(kept))


def _waiting(kept: Json) -> Waiting:
    since, told = _number(kept.get("since")), kept.get("told") is True
    return Waiting(text(kept.get("room")), table(kept.get("event")), since, told)


def _number(given: object) -> float:
    return float(given) if isinstance(given, int | float) else 0.0
