"""Putting events into rooms: encrypted where the room is, and never in plain text there."""

from __future__ import annotations

import asyncio
from collections import defaultdict

from baton.adapters.platforms.json_fields import text
from baton.adapters.platforms.matrix.errors import later
from baton.adapters.platforms.matrix.machine import Machine
from baton.adapters.platforms.matrix.place import NAME
from baton.adapters.platforms.matrix.wire import Wire, path
from baton.core.errors import SendRefused, SendUnsure


class Speaking:
    def __init__(self, wire: Wire, machine: Machine) -> None:
        self._wire = wire
        self._machine = machine
        self._sharing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def is_sealed(self, room_id: str) -> bool:
        """Whether the room is encrypted. What `/sync` has not told us yet is asked for: a room may have become so while
        we could not hear. `SendRefused` if we are not in it.
        """
        room = self._machine.rooms.get(room_id)
        if room is not None and room.encrypted:
            return True
        try:
            await self._wire.ask(path("rooms", room_id, "state", "m.room.encryption"))
        except SendRefused as error:
            if error.facts.get("errcode") == "M_NOT_FOUND":
                return False
            raise
        if room is None:
            raise later("the room is encrypted, and its members are not known yet")
        self._machine.seal_from_now_on(room_id)
        return True

    async def put(self, room_id: str, content: dict[str, object], transaction: str) -> str:
        """The id of the event. The same transaction gives the same event."""
        kind = "m.room.message"
        if await self.is_sealed(room_id):
            async with self._sharing[room_id]:
                await self._machine.share(room_id)
            kind, content = "m.room.encrypted", self._machine.sealed(room_id, content)
        answer = await self._wire.tell("PUT", path("rooms", room_id, "send", kind, transaction), content)
        if not (identity := text(answer.get("event_id"))):
            raise SendUnsure(platform=NAME, reason="the server did not name the event")
        return identity
