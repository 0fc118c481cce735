"""What is remembered of the rooms: the last message there, which typing needs, and when the last word was theirs."""

from __future__ import annotations

import time

from baton.adapters.platforms.json_fields import whole
from baton.adapters.platforms.whatsapp.recent import Recent
from baton.ports.platform import Shelf

_DAY = 24 * 3600
_MOST = 500


class Window:
    """Meta takes our words within a day of theirs. Of a room that is not known, only Meta can say."""

    def __init__(self, shelf: Shelf) -> None:
        self._rooms = Recent(shelf, "rooms", _MOST)

    def heard(self, room: str, message_id: str, sent: int) -> None:
        if sent >= self._last(room):
            self._rooms.put(room, f"{sent} {message_id}")

    def closed(self, room: str) -> None:
        """Meta has said so."""
        self._rooms.put(room, f"0 {self.message(room)}")

    def is_closed(self, room: str) -> bool:
        return bool(self._rooms.get(room)) and self._last(room) < time.time() - _DAY

    def message(self, room: str) -> str:
        """The last message there; empty if none is known."""
        return self._rooms.get(room).partition(" ")[2]

    def _last(self, room: str) -> int:
        return whole(self._rooms.get(room).partition(" ")[0])
