"""What a client was last told of its conversation's head, and what it is told when the head is another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core.log import entry as kinds
from baton.core.log.provenance import Standing, provenance
from baton.core.log.session import HANDOFF
from baton.engine.aio import in_thread
from baton.surfaces.acp import lineage, updates
from baton.surfaces.acp.meter import Meter

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.surfaces.acp.client import Line
    from baton.surfaces.acp.frames import Json
    from baton.surfaces.acp.host import Host


class HeadNews:
    def __init__(self, host: Host, line: Line, meter: Meter, conversation: Conversation) -> None:
        self._host = host
        self._line = line
        self._meter = meter
        self._id = conversation.id
        self._told = conversation.head_id

    async def now(self) -> Conversation:
        """The conversation as it is stored."""
        return await in_thread(lambda: self._host.store().conversations.get(self._id))

    async def meta(self, previous_id: str = "") -> Json:
        """Where the head comes from; from now on the client knows it."""
        found = await in_thread(self._standing)
        self._told = found.head.id
        return provenance(self._line.session_id, found, previous_id)

    async def tell_moved(self, action: Json) -> None:
        """One update if the head is another than the client knows, silence otherwise. `action` goes with a handoff."""
        previous = self._told
        if (await self.now()).head_id == previous:
            return
        meta = await self.meta(previous)
        if meta["baton"]["edge"] == HANDOFF:
            meta["baton"]["continue"] = action
        self._line.send(updates.moved(meta))
        await self._tell_usage()

    async def summary(self) -> str:
        """Of the last compression."""
        return await in_thread(self._summary)

    async def _tell_usage(self) -> None:
        """What is in the fresh context, which no provider has counted yet."""
        fresh = Meter()
        await in_thread(self._recall, fresh)
        self._meter.used = fresh.used
        if usage := self._meter.news():
            self._line.send(usage)

    def _standing(self) -> Standing:
        store = self._host.store()
        return lineage.standing(store, store.conversations.get(self._id))

    def _recall(self, fresh: Meter) -> None:
        store = self._host.store()
        head_id = store.conversations.get(self._id).head_id
        fresh.recall(store.entries.load(head_id), head_id)

    def _summary(self) -> str:
        store = self._host.store()
        entries = store.entries.load(store.conversations.get(self._id).head_id)
        found = (entry.data.get("summary") for entry in reversed(entries) if entry.kind == kinds.COMPRESSION)
        return str(next(found, "") or "")
