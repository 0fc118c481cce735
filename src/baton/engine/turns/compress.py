"""Compression as it runs: planned by core, one model call with a deadline, judged, one entry, every outcome typed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from baton.core import carry
from baton.core.agent.event import Compressing, CompressionEnded, CompressionStarted, HeadAdvanced
from baton.core.agent.tokens import estimate
from baton.core.errors import ModelError
from baton.core.handoff import compression as rules
from baton.core.handoff.compression import Plan
from baton.core.log import context as contexts
from baton.core.log import entry as kinds
from baton.core.log import interrupted
from baton.core.log import session as sessions
from baton.core.log.entry import NewEntry
from baton.core.value import value
from baton.engine.prompts import ask, prompt_text
from baton.engine.turns.writer import Log
from baton.ports.model import Model

Emit = Callable[[Any], None]


@value
class Limits:
    """`deadline` is for all tries together; after a failure nothing is tried again for `cool_down` seconds. After a
    `split` the conversation goes on in a new session.
    """

    deadline: float = 60.0
    tries: int = 2
    cool_down: float = 300.0
    threshold: float = rules.THRESHOLD
    split: bool = False


class Compressor:
    def __init__(self, model: Model, emit: Emit, limits: Limits) -> None:
        self._model = model
        self._emit = emit
        self._limits = limits

    def due(self, log: Log, extra: int, *, now: float | None = None) -> bool:
        """Whether the next request should be preceded by a compression."""
        window = self._model.window
        tokens = log.pressure(extra)
        needed = rules.needed(tokens, window, self._limits.threshold)
        return needed and (self._must(tokens) or not self._cooling(log, now or time.time()))

    def _must(self, tokens: int) -> bool:
        """No room is left for the answer: then something has to go, whatever failed before."""
        return tokens > self._model.window * 0.95

    def _cooling(self, log: Log, now: float) -> bool:
        """A recent failure, read off the entries, so that it survives a restart."""
        for entry in reversed(log.entries):
            if entry.kind == kinds.COMPRESSION:
                failed = entry.data.get("outcome") in (rules.FAILED, rules.TIMED_OUT)
                return failed and now - entry.at / 1e6 < self._limits.cool_down
        return False

    async def run(self, log: Log, extra: int) -> str:
        """The outcome, which is also an entry and an event. Cancelling leaves the context as it was."""
        start = time.monotonic()
        plan = rules.plan(log.entries, self._model.window)
        before = log.pressure(extra)
        if plan is None:
            return rules.NOTHING
        session_id = log.session.id
        self._emit(CompressionStarted(before, self._model.window, _kept(plan)))
        outcome, summary, error = rules.CANCELLED, "", ""
        try:
            outcome, summary, error = await self._summarise(plan, start)
            if outcome != rules.COMPRESSED and self._must(before):
                outcome, summary = rules.LOSSY, rules.fallback(log.entries, plan, self._model.window)
            entry = _entry(plan, outcome, summary, error, time.monotonic() - start, interrupted.open_turn(log.entries))
            await self._keep(log, plan, entry, outcome)
        finally:
            after = log.pressure(extra)
            self._emit(CompressionEnded(outcome, before, after, time.monotonic() - start, error))
            if log.session.id != session_id:
                self._emit(HeadAdvanced(log.session.id, session_id, sessions.COMPRESSION, outcome))
        return outcome

    async def _keep(self, log: Log, plan: Plan, entry: NewEntry, outcome: str) -> None:
        """One write, in either mode: the compression, and with it the input that waits and would be left behind."""
        if not contexts.effective(outcome):
            await log.append(entry)
        elif self._limits.split:
            await log.advance(
                edge=sessions.COMPRESSION,
                end_reason=sessions.COMPRESSION,
                reason=outcome,
                entries=lambda entries: carry.continuation(entries, entry, plan.keep_from),
            )
        else:
            await log.append(entry, *carry.left_behind(log.entries, plan.keep_from))

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
        return rules.FAILED, "", error

    async def _ask(self, plan: Plan) -> str:
        """The model's summary, no longer than any that could be used."""
        limit = max(200, int(self._model.window * rules.SUMMARY))
        system = prompt_text("compress").replace("{words}", str(max(60, limit // 2)))
        return await ask(self._model, system, plan.text, limit)

    async def _tick(self, start: float) -> None:
        while True:
            await asyncio.sleep(1)
            self._emit(Compressing(time.monotonic() - start))


def _entry(plan: Plan, outcome: str, summary: str, error: str, seconds: float, turn_id: str) -> NewEntry:
    data: dict[str, Any] = {"outcome": outcome, "error": error, "seconds": round(seconds, 3)}
    if turn_id:
        data["turn"] = turn_id
    if contexts.effective(outcome):
        text = rules.render(plan, summary)
        kept = {"keep_from": plan.keep_from, "first": plan.first, "constraints": list(plan.constraints)}
        data |= {**kept, "summary": summary, "text": text, "before": plan.before}
        return NewEntry(kinds.COMPRESSION, data, tokens=estimate(text))
    return NewEntry(kinds.COMPRESSION, data)


def _kept(plan: Plan) -> tuple[str, ...]:
    return (*([plan.first] if plan.first else []), *plan.constraints)
