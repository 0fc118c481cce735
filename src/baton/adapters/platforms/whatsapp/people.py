"""Who a message is from, by what of it cannot be chosen or passed on."""

from __future__ import annotations

import logging

from baton.adapters.platforms.whatsapp.place import NAME, is_number, is_scoped
from baton.adapters.platforms.whatsapp.recent import Recent
from baton.core.value import value
from baton.ports.platform import Shelf

_log = logging.getLogger("baton.platforms")
_MOST = 500


@value
class Person:
    """`sender` is who they are; `room` is where they are answered."""

    sender: str
    room: str


class People:
    """Remembers which number came with which scoped id first."""

    def __init__(self, shelf: Shelf) -> None:
        self._scoped = Recent(shelf, "scoped", _MOST)
        self._numbers = Recent(shelf, "numbers", _MOST)

    def person(self, number: str, scoped: str) -> Person | None:
        """None if neither is what Meta gives out."""
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
            return Person(f"{NAME}:{scoped}", scoped)
        self._scoped.put(number, scoped)
        self._numbers.put(scoped, number)
        return Person(f"{NAME}:{number}", number)
