"""Compression as it runs: planned by core, one model call with a deadline, judged, one entry, every outcome typed."""

from __future__ import annotations

import asyncio
import time

from baton.core.agent.event import Compressing, CompressionEnded, CompressionStarted, Emit, HeadAdvanced
from baton.core.agent.message import Usage
from baton.core.agent.tokens import estimate
from baton.core.errors import ModelError
from baton.core.handoff import compression as rules
from baton.core.handoff.compression import Limits, Plan
from baton.core.handoff.compression_text import describe_kept, render, tell_summariser
from baton.core.log import session as sessions
from baton.core.log.context import size, to_opening_messages
from baton.core.log.interrupted import open_turn
from baton.core.log.payloads import CANCELLED, FAILED, Compression, CompressionFailed, is_effective, new_entry
from baton.core.log.waiting import continuation, left_behind
from baton.core.value import replace
from baton.engine.prompts import ask, prompt_text
from baton.engine.turns.writer import SessionWriter
from baton.ports.model import Finished, Model, Piece


class Compressor:
    def __init__(self, model: Model, emit: Emit, limits: Limits) -> None:
        self._model = model
        self._emit = emit
        self._limits = limits
        self._spent = Usage()

    def is_due(self, writer: SessionWriter, extra: int) -> bool:
        """Whether the next request should be preceded by a compression."""
        return rules.is_due(writer.entries, writer.pressure(extra), self._model.window, self._limits, time.time())

    async def run(self, writer: SessionWriter, extra: int) -> str:
        """The outcome, which is also an entry and an event. Cancelling leaves the context as it was."""
        start = time.monotonic()
        plan = rules.plan(writer.entries, self._model.window)
        writer.beside = extra
        before = writer.size()
        if plan is None:
            return rules.NOTHING
        session_id = writer.session.id
        self._spent = Usage()
        self._emit(CompressionStarted(before, self._model.window, describe_kept(plan.kept)))
        outcome, summary, error = CANCELLED, "", ""
        try:
            outcome, summary, error = await self._summarise(plan, start)
            if outcome != rules.COMPRESSED and rules.is_out_of_room(writer.pressure(extra), self._model.window):
                outcome, summary = rules.LOSSY, rules.fallback(writer.entries, plan, self._model.window)
            seconds = round(time.monotonic() - start, 3)
            made = _payload(plan, outcome, summary, error, seconds, open_turn(writer.entries))
            if isinstance(made, Compression):
                made = replace(made, counted=writer.gauge.reported, sent=writer.gauge.estimated, beside=extra)
            await self._keep(writer, replace(made, usage=self._spent if self._spent != Usage() else None))
        finally:
            after = writer.size()
            self._emit(CompressionEnded(outcome, before, after, time.monotonic() - start, error, self._spent))
            if writer.session.id != session_id:
                self._emit(HeadAdvanced(writer.session.id, session_id, sessions.COMPRESSION, outcome))
        return outcome

    async def _keep(self, writer: SessionWriter, made: Compression | CompressionFailed) -> None:
        """One write in either mode: the compression, and the waiting input that would otherwise be left behind."""
        if isinstance(made, CompressionFailed):
            await writer.record(made)
            return
        tokens = estimate(made.text)
        if self._limits.split:
            await writer.advance(
                edge=sessions.COMPRESSION,
                end_reason=sessions.COMPRESSION,
                reason=made.outcome,
                entries=lambda entries: continuation(entries, made, tokens),
            )
        else:
            await writer.append(new_entry(made, tokens), *left_behind(writer.entries, made.keep_from))

    async def _summarise(self, plan: Plan, start: float) -> tuple[str, str, str]:
        """The outcome of all tries within the deadline, with the summary or the last error."""
        ticker = asyncio.create_task(self._tick(start))
        error = ""
        try:
            async with asyncio.timeout(self._limits.deadline):
                for _ in range(self._limits.tries):
                    try:
                        summary = await self._ask(plan)
                    except ModelError as failed:
                        error = failed.parts()[0]
                        continue
                    error = rules.judge(summary, plan, self._model.window)
                    if not error:
                        return rules.COMPRESSED, summary, ""
        except TimeoutError:
            return rules.TIMED_OUT, "", f"no summary within {self._limits.deadline:.0f} s"
        finally:
            ticker.cancel()
        return FAILED, "", error

    async def _ask(self, plan: Plan) -> str:
        """The model's summary, no longer than any that could be used."""
        limit = max(200, int(self._model.window * rules.SUMMARY))
        system = prompt_text("compress").replace("{words}", str(max(60, limit // 2)))
        system = system.replace("{kept}", tell_summariser(plan.kept))
        return await ask(self._model, system, plan.text, limit, self._count)

    def _count(self, piece: Piece) -> None:
        """Tries that failed cost too."""
        if isinstance(piece, Finished):
            self._spent = self._spent.plus(piece.usage)

    async def _tick(self, start: float) -> None:
        while True:
            await asyncio.sleep(1)
            self._emit(Compressing(time.monotonic() - start))


def _payload(
    plan: Plan, outcome: str, summary: str, error: str, seconds: float, turn_id: str
) -> Compression | CompressionFailed:
    if not is_effective(outcome):
        return CompressionFailed(outcome, error, seconds, turn_id)
    made = Compression(
        outcome=outcome,
        error=error,
        seconds=seconds,
        keep_from=plan.keep_from,
        first=plan.kept.first,
        constraints=plan.kept.constraints,
        summary=summary,
        text=render(plan.kept, summary),
        before=plan.before,
        turn=turn_id,
        messages=plan.kept.messages,
        dropped=plan.kept.dropped,
    )
    return replace(made, after=plan.tail + sum(map(size, to_opening_messages(made))))
