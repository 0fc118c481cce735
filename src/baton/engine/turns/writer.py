"""One conversation as its owner sees it: the live context, and an append that is stored before it counts.

Between turns nothing is held. During a turn the writer owns the conversation, renews its lease, and keeps the context
in memory, so that a turn costs the same after ten entries and after ten thousand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from typing import TypeVar

from baton.core.agent.message import Message
from baton.core.agent.tokens import Gauge, estimate
from baton.core.errors import Conflict, StoreError
from baton.core.log import context as contexts
from baton.core.log import entry as kinds
from baton.core.log.entry import Entry, NewEntry
from baton.core.log.lease import Ownership
from baton.core.log.payloads import CompressionUndone, Payload, new_entry, payload
from baton.core.log.pins import PIN_KINDS, find_pins, pins_text
from baton.core.log.session import COMPRESSION, UNDO, Session, Vitals, lineage_vitals, read_vitals
from baton.core.log.undo import opening_undone, since_packet
from baton.core.log.usage import count_tokens, find_sizes, measure
from baton.core.log.waiting import left_behind
from baton.engine.aio import heartbeat, in_thread, uncancelled
from baton.engine.turns.questions import Questions
from baton.ports.store import Store

T = TypeVar("T")
First = Callable[[Sequence[Entry]], Sequence[NewEntry]]
"""The first entries of a continuation, made from the live entries of the head."""

_PAGE = 2000


class _Live:
    """The context as it is sent, kept up to date with what is appended."""

    def __init__(self, messages: list[Message], tokens: int, rules: str) -> None:
        self.messages = messages
        self.tokens = tokens
        self.rules = rules

    def take(self, stored: Sequence[Entry], entries: Sequence[Entry]) -> None:
        """Adds what was `stored`, the last of all `entries`."""
        for message in contexts.to_messages_live(stored):
            self.messages.append(message)
            self.tokens += contexts.size(message)
        if any(entry.kind in PIN_KINDS for entry in stored):
            self.tokens -= estimate(self.rules)
            self.rules = pins_text(find_pins(entries))
            self.tokens += estimate(self.rules)


class SessionWriter:
    """Use as `async with`, as often as there are turns: claims the conversation, loads what is new, and releases it at
    the end, whatever happened. `epoch` is that of the last claim; `unfinished` is set if not even the turn's end could
    be stored. `place` is where the running turn came from, `questions` are those its process waits with.
    """

    def __init__(
        self, store: Store, conversation_id: str, owner: str, lease: float, questions: Questions | None = None
    ) -> None:
        self._store = store
        self.owner = owner
        self._lease = lease
        self.questions = questions or Questions(store)
        self.place = ""
        self._held = AsyncExitStack()
        self.conversation_id = conversation_id
        self.open = False
        self.epoch = 0
        self.unfinished = False
        self._in_doubt = False
        self.entries: list[Entry] = []
        self._live: _Live | None = None
        self.gauge = Gauge()
        self.beside = 0
        self.vitals = Vitals()
        self._count = -1
        self._turnstile = asyncio.Lock()
        self.session: Session
        self._proof: Ownership

    @property
    def store(self) -> Store:
        return self._store

    @property
    def messages(self) -> list[Message]:
        return self._project().messages

    @property
    def tokens(self) -> int:
        return self._project().tokens

    @property
    def rules(self) -> str:
        return self._project().rules

    async def prepare(self) -> None:
        """Projects the context now, off the event loop; otherwise whoever asks for it first waits for it."""
        if self._live is None:
            await in_thread(self._project)

    async def __aenter__(self) -> SessionWriter:
        claimed = False

        def claim() -> None:
            nonlocal claimed
            self._proof = self._store.conversations.claim(self.conversation_id, self.owner, self._lease)
            self.epoch, self.unfinished, claimed = self._proof.epoch, False, True
            self._load_if_changed()

        try:
            async with self._turnstile:  # what was stored at the end of the last turn has been counted by then
                await uncancelled(in_thread(claim))
            self._in_doubt = False
        except BaseException:
            if claimed:
                await self._release()
            raise
        await self._held.enter_async_context(heartbeat(self._renew, self._lease / 3))
        self.open = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self.open = False
        await self._held.aclose()
        await self._release()

    async def append(self, *new: NewEntry) -> list[Entry]:
        """Stores entries, then adds them to the context. Raises what the store raises, with the context unchanged. A
        cancellation waits for the end: what is stored is also in the context. An undone compression brings back entries
        that are not in memory, so the context is loaded anew.
        """
        return await uncancelled(self._append(new))

    async def _append(self, new: Sequence[NewEntry]) -> list[Entry]:
        async with self._turnstile:
            await self._make_certain()
            count = self._count
            stored = await self._write(
                lambda: self._store.entries.append(self._proof, self.session.id, new, expected=count)
            )
            if any(entry.kind == kinds.COMPRESSION and _is_undone(entry) for entry in stored):
                self._in_doubt = True
                await self._make_certain()
            else:
                self._count += len(stored)
                self._take(stored)
        return stored

    async def _write(self, act: Callable[[], T]) -> T:
        """A store that went away may have kept what it did not acknowledge: the next write calls
        `_make_certain` first.
        """
        try:
            return await in_thread(act)
        except StoreError:
            self._in_doubt = True
            raise

    async def make_certain(self) -> None:
        """The context is what is stored, even after a write whose outcome is unknown."""
        async with self._turnstile:
            await self._make_certain()

    async def _make_certain(self) -> None:
        if self._in_doubt:
            await in_thread(self._look_again)

    def _look_again(self) -> None:
        """Renewing the lease waits for a write of ours that is still under way, and proves that nobody else wrote."""
        self._store.conversations.renew(self._proof, self._lease)
        self._load_if_changed()
        self._in_doubt = False

    async def advance(
        self,
        *,
        edge: str,
        end_reason: str,
        reason: str = "",
        entries: Sequence[NewEntry] | First = (),
        draft_id: str | None = None,
    ) -> Session:
        """In one transaction the head ends and its continuation begins with `entries`; from then on the writer writes
        to that one. Waiting input is carried along, unless `entries` is a function, which then takes care of it. Raises
        what the store raises, with everything as it was.
        """
        return await uncancelled(self._move(edge, end_reason, reason, entries, draft_id))

    async def _move(
        self, edge: str, end_reason: str, reason: str, entries: Sequence[NewEntry] | First, draft_id: str | None
    ) -> Session:
        async with self._turnstile:
            await self._make_certain()
            waits = left_behind(self.entries, self._count + 1)
            first = entries(self.entries) if callable(entries) else [*entries, *waits]
            return await self._write(lambda: self._advance(edge, end_reason, reason, first, draft_id))

    def _advance(
        self, edge: str, end_reason: str, reason: str, entries: Sequence[NewEntry], draft_id: str | None
    ) -> Session:
        head = self._store.sessions.advance(
            self._proof,
            self.session.id,
            edge=edge,
            end_reason=end_reason,
            reason=reason,
            model=self.session.model,
            entries=entries,
            draft_id=draft_id,
        )
        self._load(self._store.sessions.get(head.id))
        return self.session

    async def record(self, *held: Payload) -> None:
        """As `append`, for payloads that do not count towards the context."""
        await self.append(*map(new_entry, held))

    def learn(self, reported: int, estimated: int) -> None:
        self.gauge = self.gauge.learn(reported, estimated)

    def pressure(self, extra: int = 0) -> int:
        """Tokens the next request would take, `extra` being what is sent beside the entries."""
        return self.gauge.tokens(self.tokens + extra)

    def size(self) -> int:
        """Tokens of the context, as every surface and the next process tell them."""
        return measure(self.entries, self.gauge, self.beside, lambda: self.tokens)

    def _load_if_changed(self) -> None:
        """What is in memory from an earlier turn still holds unless the head or its length has changed."""
        head_id = self._store.conversations.get(self.conversation_id).head_id
        head = self._store.sessions.get(head_id)
        if self._count != head.entries or self.session.id != head.id:
            self._load(head)

    def _load(self, head: Session) -> None:
        """All of it or nothing: half a context must never be taken for the whole."""
        vitals, entries = self._vitals_since_packet(head), live_entries(self._store, head)
        self.session, self._count = head, head.entries
        self.vitals, self.entries = vitals, entries
        self.gauge, beside = find_sizes(entries)
        self.beside = beside or self.beside
        self._live = None

    def _vitals_since_packet(self, head: Session) -> Vitals:
        """A session that began with a split or an undo continues the counts of those before it."""
        if head.edge not in (COMPRESSION, UNDO):
            return self._store.sessions.vitals(head.id)
        chain = self._store.sessions.chain(head.id)
        undos = [self._store.entries.load(session.id, limit=1) for session in chain if session.edge == UNDO]
        begun = since_packet(chain, [opening_undone(first[0]) for first in undos if first])
        return lineage_vitals(self._store.sessions.vitals(session.id) for session in begun)

    def _project(self) -> _Live:
        if self._live is None:
            context = contexts.project(self.entries)
            self._live = _Live(list(context.messages), context.tokens, context.rules)
        return self._live

    def _take(self, stored: Sequence[Entry]) -> None:
        """Adds entries to the live context; a compression, which replaces part of it, has it projected anew."""
        self.entries += stored
        if compressions := [entry.data for entry in stored if entry.kind == kinds.COMPRESSION]:
            self.vitals = self.vitals.plus(read_vitals(compressions))
            self._trim()
            self._live = None
        elif self._live is not None:
            self._live.take(stored, self.entries)

    def _trim(self) -> None:
        compression = contexts.last_compression(self.entries)
        if compression:
            self.entries = [entry for entry in self.entries if entry.seq >= compression.keep_from]

    async def _renew(self) -> bool:
        """Whether the conversation is still ours."""
        try:
            await in_thread(self._store.conversations.renew, self._proof, self._lease)
        except Conflict:
            return False
        return True

    async def _release(self) -> None:
        """If this fails the lease expires by itself; whoever has taken the conversation meanwhile keeps it."""
        with suppress(Conflict, StoreError):
            await uncancelled(in_thread(self._store.conversations.release, self._proof))


def _is_undone(entry: Entry) -> bool:
    return isinstance(payload(entry), CompressionUndone)


def count_context(store: Store, session_id: str) -> int:
    """Tokens in the context of a session, as it is stored."""
    return count_tokens(live_entries(store, store.sessions.get(session_id)))


def live_entries(store: Store, session: Session) -> list[Entry]:
    """The entries that matter for the context: read backwards until a compression in force is found."""
    found: list[Entry] = []
    upto = session.entries
    while upto > 0:
        after = max(0, upto - _PAGE)
        found = store.entries.load(session.id, after=after, limit=upto - after) + found
        upto = after
        compression = contexts.last_compression(found)
        if compression and found[0].seq <= compression.keep_from:
            break
    return found
