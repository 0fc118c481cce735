"""What is remembered between runs: who somebody is, and when each room last heard from a person."""

from __future__ import annotations

import json
import logging
import threading
import time

from baton.adapters.platforms.json_fields import parse_json, table, text, whole
from baton.adapters.platforms.whatsapp.place import NAME, is_number, is_scoped
from baton.core.value import value
from baton.ports.platform import PlatformState

_log = logging.getLogger("baton.platforms")
_MOST_PEOPLE = 500
_DAY = 24 * 3600
_MOST_ROOMS = 500


@value
class Person:
    """`sender` is who they are; `room` is where they are answered."""

    sender: str
    room: str


class People:
    """Identifies people, and remembers which scoped id each number came with first."""

    def __init__(self, state: PlatformState) -> None:
        self._scoped = RecentTexts(state, "scoped", _MOST_PEOPLE)
        self._numbers = RecentTexts(state, "numbers", _MOST_PEOPLE)
        self._passed = RecentTexts(state, "passed", _MOST_PEOPLE)

    def has_passed(self, number: str) -> bool:
        return bool(self._passed.get(number))

    def person(self, number: str, scoped: str) -> Person | None:
        """None if neither id has the form that Meta gives out."""
        number, scoped = number if is_number(number) else "", scoped if is_scoped(scoped) else ""
        if number and scoped:
            return self._both(number, scoped)
        if number:
            return Person(f"{NAME}:{number}", number)
        known = self._numbers.get(scoped) if scoped else ""
        return Person(f"{NAME}:{known or scoped}", known or scoped) if scoped else None

    def _both(self, number: str, scoped: str) -> Person:
        first = self._scoped.get(number)
        if first and first != scoped:
            _log.warning("whatsapp: a number has passed to somebody else, who is now known by another id")
            self._passed.put(number, scoped)
            return Person(f"{NAME}:{scoped}", scoped)
        self._scoped.put(number, scoped)
        self._numbers.put(scoped, number)
        return Person(f"{NAME}:{number}", number)


class ReplyWindow:
    """Meta takes free text only within a day of the person's last message. For an unknown room only Meta can say.

    The last message of each room is remembered too: typing is shown as an answer to it.
    """

    def __init__(self, state: PlatformState) -> None:
        self._rooms = RecentTexts(state, "rooms", _MOST_ROOMS)

    def note_message(self, room: str, message_id: str, sent: int) -> None:
        if sent >= self._last(room):
            self._rooms.put(room, f"{sent} {message_id}")

    def close(self, room: str) -> None:
        """Meta said that the window is closed."""
        self._rooms.put(room, f"0 {self.last_message(room)}")

    def is_closed(self, room: str) -> bool:
        return bool(self._rooms.get(room)) and self._last(room) < time.time() - _DAY

    def last_message(self, room: str) -> str:
        """The id of the last message there; empty if none is known."""
        return self._rooms.get(room).partition(" ")[2]

    def _last(self, room: str) -> int:
        return whole(self._rooms.get(room).partition(" ")[0])


class RecentTexts:
    """A bounded number of texts by name. The one written longest ago goes first, so strangers cannot fill the state.

    Safe from any thread, and for several gateways at once: everything is in the platform's state and nothing is cached.
    Of two writes in the same moment one may be lost.
    """

    def __init__(self, state: PlatformState, name: str, most: int) -> None:
        self._state = state
        self._name = name
        self._most = most
        self._lock = threading.Lock()

    def get(self, name: str) -> str:
        """Empty if it is not known, or no longer."""
        with self._lock:
            return self._load().get(name, "")

    def put(self, name: str, kept: str) -> None:
        with self._lock:
            self._put(name, kept)

    def _put(self, name: str, kept: str) -> None:
        known = self._load()
        if known.get(name) == kept:
            return
        known.pop(name, None)
        known[name] = kept
        while len(known) > self._most:
            del known[next(iter(known))]
        self._state.put(self._name, json.dumps(known))

    def _load(self) -> dict[str, str]:
        found = table(parse_json(self._state.get(self._name) or ""))
        return {name: text(each) for name, each in found.items()}
