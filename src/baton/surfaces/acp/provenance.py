"""Where a conversation's head comes from, what was said in it, and which head the client knows."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from baton.core.errors import NotFound
from baton.core.ids import is_id, is_session_id
from baton.core.log import entry as kinds
from baton.core.log.payloads import Compression, PacketOpening, UserInput, payload
from baton.core.log.provenance import Standing, provenance
from baton.core.log.session import HANDOFF, UNDO, Session
from baton.core.log.undo import opening_undone
from baton.engine.aio import in_thread
from baton.engine.turns.writer import count_context
from baton.surfaces.acp import updates
from baton.surfaces.acp.usage import UsageMeter
from baton.surfaces.words.protocol import LIST_SESSIONS

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.core.log.entry import Entry
    from baton.ports.store import Store
    from baton.surfaces.acp.client import Line
    from baton.surfaces.acp.frames import Json
    from baton.surfaces.acp.host import Host

UNTITLED = "Untitled"


def resolve(store: Store, given: str) -> Conversation:
    """A conversation by its own id or that of any session it ever had; `NotFound` for any other text."""
    if is_session_id(given):
        return store.conversations.get(store.sessions.get(given).conversation_id)
    if is_id("conversation", given):
        return store.conversations.get(given)
    raise NotFound(noun="session", value=repr(given[:80]), suggestion=LIST_SESSIONS)


def load_standing(store: Store, conversation: Conversation) -> Standing:
    chain = store.sessions.chain(conversation.head_id)
    packet_id, path = _packet(store, chain)
    drafts = store.drafts.list_waiting(conversation.id)
    return Standing(
        conversation.id,
        chain,
        [store.sessions.vitals(session.id) for session in chain],
        packet_id,
        path,
        drafts[-1].id if drafts else "",
    )


def _packet(store: Store, chain: list[Session]) -> tuple[str, str]:
    """The id and the path of the packet that the last session's work began from."""
    undone: set[str] = set()
    for session in reversed(chain):
        first = store.entries.load(session.id, limit=1) if session.edge in (HANDOFF, UNDO) else []
        undone.update(opening_undone(entry) for entry in first)
        if session.edge == HANDOFF and session.id not in undone:
            held = payload(first[0]) if first else None
            return (held.packet, held.path) if isinstance(held, PacketOpening) else ("", "")
    return "", ""


def past(store: Store, head_id: str) -> Iterator[Entry]:
    """Every entry of a conversation once, in order: of all its sessions, and of what it was forked from."""
    chain = store.sessions.chain(head_id)
    for session, following in zip(chain, [*chain[1:], None], strict=True):
        upto = following.parent_seq if following else None
        for entry in store.entries.load(session.id, limit=upto):
            if not entry.copied:
                yield entry


def first_words(store: Store, conversation_id: str) -> str:
    """What the person said first; empty if nobody said anything."""
    for entry in past(store, store.conversations.get(conversation_id).head_id):
        held = payload(entry) if entry.kind == kinds.USER else None
        if isinstance(held, UserInput) and not held.synthetic:
            return held.words
    return ""


def row(store: Store, conversation: Conversation) -> Json:
    """One line of session/list."""
    title = {} if conversation.title == UNTITLED else {"title": conversation.title}
    return {
        "sessionId": conversation.id,
        "cwd": conversation.workspace or os.getcwd(),
        **title,
        "updatedAt": iso(conversation.updated_at),
        "_meta": provenance(conversation.id, load_standing(store, conversation)),
    }


def iso(at: int) -> str:
    """A stored time (microseconds, UTC) as ISO 8601."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at // 1_000_000)) + f".{at // 1000 % 1000:03d}Z"


class KnownHead:
    def __init__(self, host: Host, line: Line, meter: UsageMeter, conversation: Conversation) -> None:
        self._host = host
        self._line = line
        self._meter = meter
        self.conversation_id = conversation.id
        self._told = conversation.head_id

    async def now(self) -> Conversation:
        """The conversation as it is stored."""
        return await in_thread(lambda: self._host.store().conversations.get(self.conversation_id))

    async def meta(self, previous_id: str = "") -> Json:
        """Where the head comes from; the client is assumed to know it from now on."""
        found = await in_thread(self._load_standing)
        self._told = found.head.id
        return provenance(self._line.session_id, found, previous_id)

    async def tell_moved(self, action: Json) -> None:
        """Sends one update if the head is not the one the client knows. `action` is added after a handoff."""
        previous = self._told
        if (await self.now()).head_id == previous:
            return
        meta = await self.meta(previous)
        if meta["baton"]["edge"] == HANDOFF:
            meta["baton"]["continue"] = action
        self._line.send(updates.provenance(meta))
        await self._tell_usage()

    async def summary(self) -> str:
        """The summary of the last compression."""
        return await in_thread(self._summary)

    async def _tell_usage(self) -> None:
        """How full the fresh context is, by estimate: no provider has counted it yet."""
        self._meter.used = await in_thread(self._count)
        if usage := self._meter.news():
            self._line.send(usage)

    def _load_standing(self) -> Standing:
        store = self._host.store()
        return load_standing(store, store.conversations.get(self.conversation_id))

    def _count(self) -> int:
        store = self._host.store()
        return count_context(store, store.conversations.get(self.conversation_id).head_id)

    def _summary(self) -> str:
        store = self._host.store()
        entries = store.entries.load(store.conversations.get(self.conversation_id).head_id)
        held = next((payload(entry) for entry in reversed(entries) if entry.kind == kinds.COMPRESSION), None)
        return held.summary if isinstance(held, Compression) else ""
