"""Whether the owner can still read where a conversation speaks: what it says is not told to strangers alone.

A turn may run for an hour, and its owner may leave the room meanwhile. So the platform is asked before each message of
a conversation, not only before a move.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection

from baton.core.errors import SendLater, SendUnsure
from baton.core.transfer.place import Place
from baton.engine.aio import in_thread
from baton.ports.platform import Platform

FRESH = 5.0
"""Seconds for which an answer holds: the parts of a long reply ask once."""
_MOST = 1_000
Owners = Callable[[str], Collection[str]]
"""Who is the owner on a platform."""


def nobody(_: str) -> Collection[str]:
    return ()


class Readers:
    def __init__(self, owners: Owners = nobody) -> None:
        self._owners = owners
        self._seen: dict[tuple[str, str], float] = {}

    async def check(self, platform: Platform, place: Place) -> None:
        """`SendRefused` if no owner can read there, `SendLater` if the platform cannot say now. Where nobody is known
        as the owner, there is nobody to ask for.
        """
        room = (place.platform, place.room)
        if time.monotonic() - self._seen.get(room, -FRESH) < FRESH:
            return
        people = await in_thread(self._owners, place.platform)
        if not people:
            return
        try:
            await platform.check_reader(place, people)
        except SendUnsure as error:  # nothing was sent: asking again is safe
            raise SendLater(platform=platform.name, reason=str(error.facts.get("reason", "")), after=1.0) from None
        if len(self._seen) >= _MOST:
            self._seen.clear()
        self._seen[room] = time.monotonic()
