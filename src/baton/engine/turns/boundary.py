"""The safe boundary before each request: no call is open, and what comes next is decided here."""

from __future__ import annotations

from itertools import takewhile

from baton.core.agent.event import Emit, Noticed, Pressure, ProcessWanted
from baton.core.errors import ContextOverflow, HandoffError, StoreDamaged
from baton.core.handoff import policy, signs
from baton.core.handoff.policy import Ask, Compress, Decision, HandOff, Policy, Situation, Stop
from baton.core.log.interrupted import input_of
from baton.core.log.payloads import HANDED_OFF, WAITING, CompressionPutOff, ContextWarned, HandoffFailed
from baton.core.log.session import COMPRESSION
from baton.core.value import replace
from baton.engine.aio import in_thread
from baton.engine.handoff.handoff import BY_POLICY, Cause, Handoff
from baton.engine.handoff.packets import HandoffKit
from baton.engine.handoff.verify import verify
from baton.engine.turns.compress import Compressor
from baton.engine.turns.parts import Parts
from baton.engine.turns.writer import SessionWriter

CONTEXT_FILLING = "context_filling"
_ROUNDS = 6
_TRIES = 2
_ASKED_IN_VAIN = 2


class TurnStopped(Exception):
    """The turn ends here, well: you are asked first, or another process continues it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Boundary:
    """`overhead` is what is sent beside the entries. Without a handoff kit nothing is handed off."""

    def __init__(self, turn_id: str, writer: SessionWriter, parts: Parts, emit: Emit) -> None:
        self.overhead = writer.beside = parts.overhead
        self._turn_id = turn_id
        self._writer = writer
        self._model = parts.model
        self._toolbox = parts.toolbox
        self._emit = emit
        self._compressor = Compressor(parts.model, emit, parts.settings.limits)
        self._above = int(parts.model.window * parts.settings.limits.threshold)
        self._kit = parts.settings.handoff
        self._policy = self._kit.policy if self._kit else Policy()
        self._put_off = False

    async def verify(self) -> None:
        if self._kit:
            await verify(self._writer, self._kit, self._toolbox, self._emit)

    async def clear(self) -> None:
        """Returns when the next request may be sent. Raises `TurnStopped` or `ContextOverflow`."""
        await self._note_put_off()
        tries = _TRIES
        for _ in range(_ROUNDS):
            decision = await self._decide(tries)
            if isinstance(decision, Compress):
                tries -= 1
                await self._compressor.run(self._writer, self.overhead)
            elif isinstance(decision, HandOff | Ask):
                await self._hand_off(decision)
            elif isinstance(decision, Stop):
                raise ContextOverflow(model=self._model.name, reason=self._pressure_text())
            else:
                break
        await self._warn()
        self.tell_pressure()

    def tell_pressure(self) -> None:
        self._emit(Pressure(self._writer.size(), self._model.window, self._writer.gauge.reported > 0))

    async def _decide(self, tries: int) -> Decision:
        """The lineage and what you refused are costly to look up, so they are only if they could change the
        decision.
        """
        now = self._situation(tries)
        decision = policy.decide(self._policy, now)
        if isinstance(decision, HandOff | Ask):
            await self._close_ignored_question()
            refused = signs.find_refused(self._writer.entries)
            handoffs, short = await self._count_automatic()
            now = replace(now, handoffs=handoffs, short=short, refused=refused)
            return policy.decide(self._policy, now)
        return decision

    async def _close_ignored_question(self) -> None:
        """Whoever was asked and says something else does not want a fresh session now: in a channel at once, elsewhere,
        where the question may have been lost with its window, after it was put a second time.
        """
        question = signs.find_question(self._writer.entries)
        if question is None or self._kit is None:
            return
        given = input_of(self._writer.entries, self._turn_id)
        place = given.place if given and not given.synthetic else ""
        if question.times >= _ASKED_IN_VAIN or (place and place == question.place):
            await self._handoff(self._kit).close(question.asked.draft)

    async def _note_put_off(self) -> None:
        """Once a turn, and not in the turn in which the compression failed."""
        writer = self._writer
        over = writer.pressure(self.overhead) > self._above > 0
        if not over or self._put_off or self._compressor.is_due(writer, self.overhead):
            return
        self._put_off = True
        if signs.waits_after_failure(writer.entries, self._turn_id):
            await writer.record(CompressionPutOff(self._turn_id))

    async def _warn(self) -> None:
        """Once in each cycle of the context, before it is compressed or handed off."""
        now = self._situation(0)
        if not policy.warning(self._policy, now) or signs.is_warned(self._writer.entries):
            return
        handoffs, short = await self._count_automatic()
        text = policy.warning(self._policy, replace(now, handoffs=handoffs, short=short))
        await self._writer.record(ContextWarned(now.tokens))
        self._emit(Noticed(CONTEXT_FILLING, text))

    def _pressure_text(self) -> str:
        return f"{self._writer.pressure(self.overhead):,} tokens of {self._model.window:,}"

    def _situation(self, tries: int) -> Situation:
        writer = self._writer
        vitals = writer.vitals
        return Situation(
            tokens=writer.pressure(self.overhead),
            window=self._model.window,
            compress_above=self._above,
            may_compress=tries > 0 and self._compressor.is_due(writer, self.overhead),
            compressions=vitals.compressions,
            lossy=vitals.lossy,
            failed=vitals.failed,
            timed_out=vitals.timed_out,
            put_off=signs.count_put_off(writer.entries) if self._policy.enabled else 0,
            requested=signs.find_request(writer.entries) if self._kit else "",
            fresh=signs.is_fresh(writer.entries),
        )

    async def _count_automatic(self) -> tuple[int, int]:
        """Automatic handoffs since a person last decided, and how many of the newest in a row ended a short session.
        Splits in between do not count.
        """
        if not self._policy.enabled:
            return 0, 0
        chain = await in_thread(self._writer.store.sessions.chain, self._writer.session.id)
        ended = takewhile(lambda session: session.end_reason in (BY_POLICY, COMPRESSION), reversed(chain[:-1]))
        sizes = [session.entries for session in ended if session.end_reason == BY_POLICY]
        return len(sizes), len(list(takewhile(lambda size: size < policy.SHORT, sizes)))

    async def _hand_off(self, decision: HandOff | Ask) -> None:
        """The turn continues in the fresh session, or stops until you answer. A handoff that fails is reported, and not
        tried again until something changes: the session continues as it was.
        """
        assert self._kit is not None
        handoff = self._handoff(self._kit)
        also = policy.find_due(self._policy, self._situation(0))
        cause = Cause(decision.reason, decision.because, self._turn_id, also)
        try:
            if isinstance(decision, Ask):
                await handoff.ask(cause, decision.doubt)
                raise TurnStopped(WAITING)
            if await handoff.ask_again(cause) or await handoff.by_policy(decision, cause) is None:
                raise TurnStopped(WAITING)
        except (HandoffError, StoreDamaged) as error:
            await self._writer.record(HandoffFailed(str(error)))
            self._emit(Noticed(error.code, str(error)))
            return
        if decision.new_process:
            self._emit(ProcessWanted(self._writer.conversation_id))
            raise TurnStopped(HANDED_OFF)
        await self.verify()

    def _handoff(self, kit: HandoffKit) -> Handoff:
        return Handoff(self._writer.store, self._writer, kit, self._model, self._emit)
