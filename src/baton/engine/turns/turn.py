"""One turn: from an input to the model's last word. It always ends, once, and says how."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from baton.core.agent.event import Emit, Noticed, StepEnded, StepStarted, TurnEnded
from baton.core.agent.message import Call, Prompt, Usage
from baton.core.agent.tokens import estimate
from baton.core.errors import BatonError, StoreError, TurnLimit
from baton.core.log.payloads import (
    CANCELLED,
    COMPLETED,
    CUT_OFF,
    FAILED,
    SUSPENDED,
    AssistantStep,
    TurnEnd,
    UserInput,
    new_entry,
)
from baton.core.value import replace
from baton.engine.aio import in_thread, uncancelled
from baton.engine.turns.boundary import Boundary, TurnStopped
from baton.engine.turns.parts import MakeParts, Parts
from baton.engine.turns.step import Step, StepResult
from baton.engine.turns.writer import SessionWriter

SILENT = "silent"
"""The code of the notice that nothing was said in a whole turn. A place is told by the turn's end instead."""
NOTHING_SAID = "The model had nothing to say."
NOT_CLEANED = "The turn failed ({code}); what was said of it could not be cleaned of secrets."
NOT_STARTED = "the turn ended before this call was started"
_NO_USAGE = Usage()


def turn_ended(
    turn_id: str, error: BaseException | None, usage: Usage = _NO_USAGE, if_cancelled: str = CANCELLED
) -> TurnEnded:
    """How a turn ended that raised this, or raised nothing: the one place where a failure becomes an end."""
    match error:
        case None:
            return TurnEnded(turn_id, COMPLETED, usage)
        case TurnStopped():
            return TurnEnded(turn_id, error.reason, usage)
        case asyncio.CancelledError():
            return TurnEnded(turn_id, if_cancelled, usage)
        case BatonError():
            return TurnEnded(turn_id, FAILED, usage, error.code, str(error))
        case _:
            return TurnEnded(turn_id, FAILED, usage, "internal", f"{type(error).__name__}: {error}")


class Turn:
    """`run` returns how the turn ended, even if its task is cancelled; it raises only what prevents the store from
    taking the input of a turn that got no parts. `failure` is why it failed, `if_cancelled` how it ends if cancelled.
    """

    def __init__(self, turn_id: str, writer: SessionWriter, make_parts: MakeParts, emit: Emit) -> None:
        self.id = turn_id
        self.if_cancelled = CANCELLED
        self.failure: BatonError | None = None
        self._writer = writer
        self._make_parts = make_parts
        self._emit = emit
        self._work: _Work | None = None
        self._given = UserInput("")
        self._ended = TurnEnded(turn_id, FAILED, _NO_USAGE)

    async def run(self, given: UserInput, on_stored: Callable[[], None] = lambda: None) -> TurnEnded:
        """`on_stored` is called as soon as the input is stored: with its end if the turn never gets its parts."""
        self._given = replace(given, turn=self.id)
        error: BaseException | None = None
        try:
            parts = await self._make_parts()
            for notice in parts.notices:
                self._emit(notice)
            self._work = _Work(self.id, self._given, self._writer, parts, self._emit)
            await self._writer.record(self._given)
            on_stored()
            await self._writer.prepare()
            await self._work.run()
        except (asyncio.CancelledError, Exception) as raised:  # noqa: BLE001, the edge of a turn: no surface may be left waiting
            error = raised
        usage = self._work.usage if self._work else Usage()
        ended = turn_ended(self.id, error, usage, self.if_cancelled)
        if isinstance(error, BatonError) and self._work:
            self.failure = error
        self._ended = ended
        with suppress(asyncio.CancelledError):  # the turn ends here anyway
            await uncancelled(self._settle(ended))
        ended = self._ended
        if self._work is None:
            on_stored()
        if self._is_silent(ended):
            self._emit(Noticed(SILENT, NOTHING_SAID))
        return ended

    async def _settle(self, ended: TurnEnded) -> None:
        """Takes secrets out of the end and records it: a provider may repeat in its error what it was sent."""
        if ended.error and self._work is not None:
            try:
                told = await in_thread(self._work.clean, ended.error)
            except Exception:  # noqa: BLE001, a store that is gone must not keep a turn from ending
                told = NOT_CLEANED.format(code=ended.error_code)
            self._ended = replace(ended, error=told)
        await self._record(self._ended)

    def _is_silent(self, ended: TurnEnded) -> bool:
        return self._work is not None and self._work.is_silent and ended.reason == COMPLETED

    async def _record(self, ended: TurnEnded) -> None:
        """Stores the end as an entry. If the store is gone or another owner has the conversation by now, the surface
        is still told.
        """
        end = TurnEnd(self.id, ended.reason, ended.error, self._given.place)
        if self._work is None:
            await self._writer.record(self._given, end)
            return
        try:
            if ended.reason != COMPLETED:
                await self._work.keep_partial()
            silent = self._is_silent(ended) and bool(self._given.place)
            await self._writer.record(replace(end, end=self._end(ended), silent=silent))
        except BatonError:
            self._writer.unfinished = True

    def _end(self, ended: TurnEnded) -> str:
        """A turn from a place that failed because of the store continues by itself once the store is back."""
        if not self._given.place or not isinstance(self.failure, StoreError):
            return ended.reason
        self._writer.unfinished = True
        return SUSPENDED


class _Work:
    """The steps of a turn, once it has its parts and its input is stored."""

    def __init__(self, turn_id: str, given: UserInput, writer: SessionWriter, parts: Parts, emit: Emit) -> None:
        self.usage = Usage()
        self._turn_id = turn_id
        self._given = given
        self._writer = writer
        self._parts = parts
        self._emit = emit
        self._silent = True
        self._step: Step | None = None
        self._calls: list[Call] = []
        self._boundary = Boundary(turn_id, writer, parts, emit)

    @property
    def clean(self) -> Callable[[str], str]:
        return self._parts.toolbox.clean

    @property
    def is_silent(self) -> bool:
        """Whether nobody would hear anything of this turn. A greeting is sent by the transfer instead."""
        return self._silent and not self._given.transfer

    async def run(self) -> None:
        await self._boundary.verify()
        for number in range(1, self._parts.settings.max_steps + 1):
            await self._boundary.clear()
            said = await self._say(number)
            if not said.calls:
                return
            self._calls = list(said.calls)
            while self._calls:
                await self._parts.toolbox.run(self._calls.pop(0), self._writer, self._emit)
        raise TurnLimit(model=self._parts.model.name, steps=self._parts.settings.max_steps)

    async def keep_partial(self) -> None:
        """What the model had said when it was stopped stays in the transcript, marked as cut off; calls that were not
        started get a result that says so.
        """
        for call in self._calls:
            await self._parts.toolbox.skip(call, self._writer, self._emit, NOT_STARTED)
        said = self._step.result() if self._step else None
        if said and said.text:
            await self._writer.record(self._mark(AssistantStep(said.text, (), self._parts.model.name, CUT_OFF), 0))

    async def _say(self, number: int) -> StepResult:
        model, writer = self._parts.model, self._writer
        self._emit(StepStarted(number))
        system = self._parts.settings.system + writer.rules
        prompt = Prompt(system, tuple(writer.messages), self._parts.toolbox.specs)
        sent = writer.tokens + self._boundary.overhead
        self._step = Step(model, prompt, self._emit, self._parts.settings.patience)
        said = await self._step.run()
        self._step = None
        self._silent = self._silent and not said.text.strip()
        self.usage = self.usage.plus(said.usage)
        writer.learn(said.usage.input, sent)
        step = AssistantStep(said.text, said.calls, model.name, said.stop, said.usage, said.reasoning, sent=sent)
        step = replace(step, beside=self._boundary.overhead)
        await writer.append(new_entry(self._mark(step, number), said.usage.output or estimate(said.text)))
        if not said.usage.input:
            self._boundary.tell_pressure()
        self._emit(StepEnded(said.text, said.usage, said.stop))
        return said

    def _mark(self, step: AssistantStep, number: int) -> AssistantStep:
        """With what identifies a reply to a place, whichever session it ends up in. Number 0 is a reply that was cut
        off; such a one is never used as a greeting.
        """
        if not self._given.place or (self._given.transfer and not number):
            return step
        return replace(step, place=self._given.place, turn=self._turn_id, step=number)
