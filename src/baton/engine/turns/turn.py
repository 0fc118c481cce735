"""One turn: from an input to the model's last word. It always ends, once, and says how."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from baton.core.agent.event import StepEnded, StepStarted, TurnEnded
from baton.core.agent.message import Call, Prompt, Usage
from baton.core.agent.tokens import estimate
from baton.core.errors import BatonError, StoreError, TurnLimit
from baton.core.handoff import compression as compressions
from baton.core.log import entry as kinds
from baton.core.log import interrupted
from baton.core.log.entry import NewEntry
from baton.core.value import value
from baton.engine.aio import uncancelled
from baton.engine.handoff.packets import HandoffKit
from baton.engine.turns.boundary import Boundary, TurnStopped
from baton.engine.turns.compress import Compressor, Limits
from baton.engine.turns.step import Patience, Said, Step
from baton.engine.turns.toolbox import Toolbox
from baton.engine.turns.writer import Log
from baton.ports.model import Model

Emit = Callable[[Any], None]

COMPLETED = "completed"
CANCELLED = "cancelled"
FAILED = "failed"
NOT_STARTED = "the turn ended before this call was started"


@value
class TurnSettings:
    system: str
    patience: Patience = Patience()
    limits: Limits = Limits()
    max_steps: int = 100
    handoff: HandoffKit | None = None


class Turn:
    """`run` never raises: it gives back how the turn ended, also when its task is cancelled. `failure` is why, if it
    failed.
    """

    def __init__(
        self, turn_id: str, log: Log, model: Model, toolbox: Toolbox, emit: Emit, settings: TurnSettings
    ) -> None:
        self._id = turn_id
        self._log = log
        self._model = model
        self._toolbox = toolbox
        self._emit = emit
        self._settings = settings
        self._usage = Usage()
        self._step: Step | None = None
        self._calls: list[Call] = []
        self._origin: Mapping[str, Any] = {}
        self._greets = False
        self._silent = True
        self.if_cancelled = CANCELLED
        self.failure: BatonError | None = None
        self._overhead = estimate(settings.system) + sum(
            estimate(f"{spec.name} {spec.description} {spec.parameters}") for spec in toolbox.specs
        )
        self._boundary = Boundary(turn_id, log, model, toolbox, emit, settings.limits, self._overhead, settings.handoff)

    async def run(self, given: Mapping[str, Any], kept: Callable[[], None] = lambda: None) -> TurnEnded:
        """`kept` is called as soon as the input is stored."""
        self._origin, self._greets = origin(given), "transfer" in given
        try:
            await self._log.append(NewEntry(kinds.USER, {**given, "turn": self._id}))
            kept()
            await self._boundary.verify()
            await self._steps()
            ended = TurnEnded(self._id, COMPLETED, self._usage)
        except TurnStopped as stopped:
            ended = TurnEnded(self._id, stopped.reason, self._usage)
        except asyncio.CancelledError:
            ended = TurnEnded(self._id, self.if_cancelled, self._usage)
        except BatonError as error:
            self.failure = error
            ended = TurnEnded(self._id, FAILED, self._usage, error.code, str(error))
        except Exception as error:  # noqa: BLE001, the edge of a turn: no surface may be left waiting
            ended = TurnEnded(self._id, FAILED, self._usage, "internal", f"{type(error).__name__}: {error}")
        with suppress(asyncio.CancelledError):  # it ends here anyway
            await uncancelled(self._record(ended))
        return ended

    async def _record(self, ended: TurnEnded) -> None:
        """The end as an entry; if the store is gone or the conversation another's by now, the surface is told all the
        same.
        """
        try:
            if ended.reason != COMPLETED:
                await self._keep_partial()
            note = {"turn": self._id, "end": self._end(ended), "error": ended.error, **self._origin}
            if self._origin and self._silent and not self._greets and ended.reason == COMPLETED:
                note["silent"] = True
            await self._log.note(note)
        except BatonError:
            self._log.unfinished = True

    def _end(self, ended: TurnEnded) -> str:
        """What somebody asked for at a place goes on by itself when the store that failed is there again."""
        if not self._origin or not isinstance(self.failure, StoreError):
            return ended.reason
        self._log.unfinished = True
        return interrupted.SUSPENDED

    async def _keep_partial(self) -> None:
        """What the model had said when it was stopped stays in the transcript, marked as cut off; calls that were not
        started are ended.
        """
        for call in self._calls:
            await self._toolbox.skip(call, self._log, self._emit, NOT_STARTED)
        said = self._step.said() if self._step else None
        if said and said.text:
            data = {"text": said.text, "model": self._model.name, "stop": interrupted.CUT_OFF}
            await self._log.append(NewEntry(kinds.ASSISTANT, {**data, **self._mark(0)}))

    async def _steps(self) -> None:
        for number in range(1, self._settings.max_steps + 1):
            await self._boundary.clear()
            said = await self._say(number)
            if not said.calls:
                return
            self._calls = list(said.calls)
            while self._calls:
                await self._toolbox.run(self._calls.pop(0), self._log, self._emit)
        raise TurnLimit(model=self._model.name, steps=self._settings.max_steps)

    async def _say(self, number: int) -> Said:
        self._emit(StepStarted(number))
        prompt = Prompt(self._settings.system, tuple(self._log.messages), self._toolbox.specs)
        sent = self._log.tokens + self._overhead
        self._step = Step(self._model, prompt, self._emit, self._settings.patience)
        said = await self._step.run()
        self._step = None
        self._silent = self._silent and not said.text.strip()
        self._usage = self._usage.plus(said.usage)
        self._log.learn(said.usage.input, sent)
        await self._log.append(_assistant_entry(said, self._model.name, self._mark(number)))
        self._emit(StepEnded(said.text, said.usage, said.stop))
        return said

    def _mark(self, step: int) -> Mapping[str, Any]:
        """What a reply to a place is known by, whichever session it ends up in; step 0 is one that was cut off, which
        is nothing to greet anybody with.
        """
        told = self._origin and (step or not self._greets)
        return {**self._origin, "turn": self._id, "step": step} if told else {}


def origin(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Where input came from, if that was a place: what is said in its turn goes there."""
    return {"place": given["place"]} if given.get("place") else {}


def _assistant_entry(said: Said, model: str, mark: Mapping[str, Any]) -> NewEntry:
    usage = {"input": said.usage.input, "output": said.usage.output, "cached": said.usage.cached}
    data: dict[str, Any] = {
        "text": said.text,
        "calls": [{"id": call.id, "name": call.name, "args": dict(call.args)} for call in said.calls],
        "model": model,
        "stop": said.stop,
        "usage": {**usage, "cost": said.usage.cost},
        **mark,
    }
    if said.reasoning:
        data["reasoning"] = said.reasoning
    return NewEntry(kinds.ASSISTANT, data, tokens=said.usage.output or estimate(said.text))


async def compress_now(log: Log, model: Model, emit: Emit, limits: Limits) -> str:
    """A compression that a person asked for, whatever the pressure."""
    return await Compressor(model, emit, limits).run(log, 0) if log.entries else compressions.NOTHING
