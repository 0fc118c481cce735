"""A handoff as it happens: a packet is written, a person or the policy says yes, and the conversation continues
in a fresh session.

The head moves in one transaction, so that a process that dies leaves the old session live or the new one ready. A
packet whose conversation has continued since is never used: `DraftStale`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, suppress

from baton.core.agent.event import (
    Emit,
    HandoffEnded,
    HandoffOffered,
    HandoffStarted,
    HandoffStep,
    HeadAdvanced,
    Noticed,
    PacketWritten,
)
from baton.core.agent.tokens import estimate
from baton.core.errors import BadTransition, BatonError, DraftStale, HandoffError, StoreDamaged
from baton.core.handoff import packet as drafts
from baton.core.handoff import policy
from baton.core.handoff.ledger.fact import Ledger, to_json
from baton.core.handoff.opening import opening_entry
from baton.core.handoff.packet import Draft, Packet
from baton.core.handoff.policy import USER, Ask, HandOff
from baton.core.handoff.signs import find_asked
from baton.core.handoff.twin import twin_of
from baton.core.log import entry as kinds
from baton.core.log.entry import Entry, NewEntry
from baton.core.log.payloads import FAILED, HandoffAsked, HandoffDeclined
from baton.core.log.session import HANDOFF, UNDO, Session
from baton.core.log.unanswered import copies, find_unanswered
from baton.core.value import replace, value
from baton.engine.aio import in_thread
from baton.engine.handoff.cleaner import Cleaner
from baton.engine.handoff.packets import HandoffKit, PacketWriter, Written
from baton.engine.handoff.verify import first_look
from baton.engine.turns.writer import SessionWriter
from baton.ports.model import Model
from baton.ports.store import Store

ASKED = "handoff"
BY_POLICY = "compression_handoff"
DONE = "done"
OFFERED = "offered"
_PAGE = 500
_WORK = (kinds.ASSISTANT, kinds.TOOL_CALL, kinds.TOOL_RESULT, kinds.COMPRESSION)


@value
class Cause:
    """Why: one of `core.handoff.policy.REASONS`, the sentence for people, the turn that continues in the fresh session,
    and what else speaks for it.
    """

    reason: str = USER
    because: str = "You asked for a fresh session"
    turn_id: str = ""
    also: tuple[str, ...] = ()


class Handoff:
    """Handoffs of the conversation that `writer` owns. `model` may be None: then packets have no narrative."""

    def __init__(self, store: Store, writer: SessionWriter, kit: HandoffKit, model: Model | None, emit: Emit) -> None:
        self._store = store
        self._writer = writer
        self._kit = kit
        self._model = model
        self._emit = emit
        self._step = ""

    async def write(self, cause: Cause) -> Written:
        """A packet, and nothing else changed."""
        async with self._report_progress(cause) as cause:
            written = await self._write(cause)
            self._emit(HandoffEnded(DONE, written.path, written.packet.tokens))
            return written

    async def now(self, cause: Cause, end_reason: str = ASKED) -> Session:
        """Without a review: you said yes beforehand."""
        async with self._report_progress(cause) as cause:
            written = await self._write(cause)
            return await self._look_at_workspace(await self._begin(written.packet, written.path, cause, end_reason))

    async def by_policy(self, due: HandOff, cause: Cause) -> Session | None:
        """Unasked, if the policy finds nothing against it; otherwise you are asked, and the answer is None."""
        async with self._report_progress(cause) as cause:
            written = await self._write(cause)
            decision = policy.review(self._kit.policy, due, written.findings)
            if isinstance(decision, Ask):
                await self._offer(written, cause, decision.doubt)
                return None
            return await self._begin(written.packet, written.path, cause, BY_POLICY)

    async def offer(self, cause: Cause, doubt: str = "") -> HandoffOffered:
        """A draft that waits for a person, on this surface or any other, now or after a restart."""
        async with self._report_progress(cause) as cause:
            written = await self._write(cause)
            return await self._offer(written, cause, " ".join(filter(None, (doubt, *written.doubts))))

    async def ask(self, cause: Cause, doubt: str) -> HandoffOffered:
        """As `offer`, but a draft that waits already and still stands is offered again, instead of a second one."""
        return await self.ask_again(cause, doubt) or await self.offer(cause, doubt)

    async def ask_again(self, cause: Cause, doubt: str = "") -> HandoffOffered | None:
        """Offers the draft that you were asked about and that still waits; with a `doubt` any other one too. None if
        there is none: those that the conversation has outrun are closed.
        """
        for draft in reversed(await in_thread(self._store.drafts.list_waiting, self._writer.conversation_id)):
            asked = find_asked(self._writer.entries, draft.id)
            if not await self.usable(draft.id):
                await in_thread(self._store.drafts.cancel, draft.id)
            elif asked or doubt:
                return await self._offer_again(draft, cause, asked.doubt if asked else doubt)
        return None

    async def confirm(self, draft_id: str) -> Session:
        """A person said yes to a draft. `DraftStale` if the conversation has continued since."""
        draft = await self._draft(draft_id)
        packet = await in_thread(self._store.packets.get, draft.packet_id)
        await in_thread(self._check_current, draft_id, packet)
        twin = twin_of(packet)
        cause = Cause(because=twin.because or Cause().because)
        return await self._look_at_workspace(await self._begin(packet, twin.path, cause, ASKED, draft_id))

    async def _look_at_workspace(self, session: Session) -> Session:
        """Reports how the workspace compares with the packet now. The comparison that counts is before the
        first turn.
        """
        with suppress(BatonError, OSError):
            code, text = await first_look(self._writer, self._kit)
            self._emit(Noticed(code, text))
        return session

    async def usable(self, draft_id: str) -> bool:
        """Whether a draft still stands for the conversation as it is."""
        draft = await in_thread(self._store.drafts.get, draft_id)
        packet = await in_thread(self._store.packets.get, draft.packet_id)
        try:
            await in_thread(self._check_current, draft_id, packet)
        except DraftStale:
            return False
        return True

    async def edit(self, draft_id: str, markdown: str, ledger: Ledger | None = None) -> Packet:
        """Gives a draft another text, and another ledger with it if there is one: cleaned, stored as a packet of its
        own, and put in the place of the first.
        """
        draft = await self._draft(draft_id)
        packet = await in_thread(self._store.packets.get, draft.packet_id)
        return await in_thread(self._edit, draft_id, packet, markdown, ledger)

    async def cancel(self, draft_id: str) -> None:
        """A person said no: the session continues, and the policy does not ask again until it changes."""
        await self._draft(draft_id)
        await in_thread(self._store.drafts.cancel, draft_id)
        await self._record_refusal(draft_id)

    async def close(self, draft_id: str) -> None:
        """As `cancel`, for a question that was left without an answer; whatever became of the draft meanwhile."""
        with suppress(BadTransition):
            await in_thread(self._store.drafts.cancel, draft_id)
        await self._record_refusal(draft_id)

    async def _record_refusal(self, draft_id: str) -> None:
        asked = find_asked(self._writer.entries, draft_id)
        refusal = HandoffDeclined(draft_id, asked.reason, asked.also) if asked else HandoffDeclined(draft_id)
        await self._writer.record(refusal)

    async def _draft(self, draft_id: str) -> Draft:
        """`BadInput` unless it is one of this conversation."""
        draft = await in_thread(self._store.drafts.get, draft_id)
        drafts.check_of(draft, self._writer.conversation_id)
        return draft

    @asynccontextmanager
    async def _report_progress(self, cause: Cause) -> AsyncGenerator[Cause]:
        """Emits the current step at least every second, and the end if it failed. Yields the cause without secrets: a
        model may have worded it.
        """
        start = time.monotonic()
        because = await in_thread(lambda: self._cleaner().clean(cause.because))
        cause = replace(cause, because=because)
        self._emit(HandoffStarted(cause.reason, cause.because))
        ticker = asyncio.create_task(self._tick(start))
        try:
            yield cause
        except (HandoffError, StoreDamaged) as error:
            self._emit(HandoffEnded(FAILED, "", 0, str(error)))
            raise
        finally:
            ticker.cancel()

    async def _tick(self, start: float) -> None:
        while True:
            self._emit(HandoffStep(self._step, time.monotonic() - start))
            await asyncio.sleep(1)

    def _cleaner(self) -> Cleaner:
        return Cleaner(self._kit.redactor(self._writer.conversation_id))

    def _say(self, step: str) -> None:
        self._step = step
        self._emit(HandoffStep(step, 0.0))

    async def _write(self, cause: Cause) -> Written:
        packets = PacketWriter(self._store, self._kit, self._model, self._say)
        written = await packets.write(self._writer.session.id, cause.because, self._writer.entries)
        share, tokens = written.score.share, written.packet.tokens
        self._emit(PacketWritten(written.path, tokens, share, written.secrets, written.checkpoint, written.usage))
        return written

    async def _offer(self, written: Written, cause: Cause, doubt: str) -> HandoffOffered:
        conversation = await in_thread(self._store.conversations.get, self._writer.conversation_id)
        open_draft = self._store.drafts.open
        draft = await in_thread(open_draft, conversation.id, conversation.version, written.packet.id)
        return await self._put_question(draft, written.packet, cause, doubt)

    async def _offer_again(self, draft: Draft, cause: Cause, doubt: str) -> HandoffOffered:
        async with self._report_progress(cause) as cause:
            packet = await in_thread(self._store.packets.get, draft.packet_id)
            return await self._put_question(draft, packet, cause, doubt)

    async def _put_question(self, draft: Draft, packet: Packet, cause: Cause, doubt: str) -> HandoffOffered:
        twin = twin_of(packet)
        lacks = tuple(map(str, twin.score.get("shortfalls", ())))
        if cause.turn_id:
            await self._writer.record(HandoffAsked(draft.id, cause.reason, doubt, cause.also))
        resumes = bool(cause.turn_id)
        offered = HandoffOffered(
            draft.id, packet.id, twin.path, packet.tokens, cause.reason, cause.because, doubt, lacks, resumes
        )
        self._emit(offered)
        self._emit(HandoffEnded(OFFERED, twin.path, packet.tokens))
        return offered

    async def _begin(
        self, packet: Packet, path: str, cause: Cause, end_reason: str, draft_id: str | None = None
    ) -> Session:
        old = self._writer.session.id
        carried = await in_thread(_unanswered_copies, self._store, old)
        count = sum(each.kind == kinds.USER for each in carried)
        twin = twin_of(packet)
        before = self._writer.size()
        beside = self._writer.beside
        first = opening_entry(
            packet, twin.ledger, path, cause.turn_id, cause.because, count, twin.usage, before, beside
        )
        session = await self._writer.advance(
            edge=HANDOFF,
            end_reason=end_reason,
            reason=cause.reason,
            entries=[first, *carried],
            draft_id=draft_id,
        )
        self._emit(HeadAdvanced(session.id, old, HANDOFF, cause.reason))
        self._emit(HandoffEnded(DONE, path, packet.tokens, "", before, self._writer.size()))
        return session

    def _check_current(self, draft_id: str, packet: Packet) -> None:
        if not _covers(self._store, packet, self._writer.session.id):
            raise DraftStale(draft=draft_id, conversation=self._writer.conversation_id)

    def _edit(self, draft_id: str, packet: Packet, markdown: str, ledger: Ledger | None) -> Packet:
        cleaner = self._cleaner()
        text = cleaner.clean(markdown)
        cleaner.check(text)
        twin = {**twin_of(packet).data, "edited": True}
        if ledger is not None:
            twin["ledger"] = to_json(ledger)
        path = self._kit.artifacts.write(packet.session_id, text, twin)
        edited = self._store.packets.add(packet.session_id, text, {**twin, "path": path}, estimate(text))
        self._store.drafts.edit(draft_id, edited.id)
        return edited


def stands(store: Store, head_id: str, draft: Draft) -> bool:
    """Whether a draft holds everything that was done in a session so far."""
    return _covers(store, store.packets.get(draft.packet_id), head_id)


def _covers(store: Store, packet: Packet, session_id: str) -> bool:
    """Notes and messages without an answer may follow a packet; work may not: it would be missing from the fresh
    session.
    """
    if packet.session_id != session_id:
        return False
    later = store.entries.load(session_id, after=twin_of(packet).entries)
    return not any(entry.kind in _WORK for entry in later)


def _unanswered_copies(store: Store, session_id: str) -> list[NewEntry]:
    """What the person said and nobody answered yet, whole, for the fresh session."""
    return copies(find_unanswered(_newest_first(store, session_id)))


def _newest_first(store: Store, session_id: str) -> Iterator[Entry]:
    """The entries since the packet or the beginning, backwards. A session that begins with a compression or an undo has
    its past in its parent.
    """
    upto: int | None = None
    for session in reversed(store.sessions.chain(session_id)):
        first: Entry | None = None
        for first in _backwards(store, session.id, session.entries if upto is None else upto):
            yield first
        if session.edge != UNDO and (first is None or first.kind != kinds.COMPRESSION):
            return
        upto = session.parent_seq


def _backwards(store: Store, session_id: str, upto: int) -> Iterator[Entry]:
    while upto > 0:
        after = max(0, upto - _PAGE)
        yield from reversed(store.entries.load(session_id, after=after, limit=upto - after))
        upto = after
