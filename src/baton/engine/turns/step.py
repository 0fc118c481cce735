"""One model call: streamed, bounded in time, and retried while that may help."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

from baton.core.agent.event import Emit, ReasoningAdded, Retrying, TextAdded
from baton.core.agent.message import Call, Prompt, Usage
from baton.core.errors import ModelError, ModelTimeout, RateLimited
from baton.core.value import value
from baton.engine.aio import Backoff
from baton.ports.model import Called, Finished, Model, Piece, Reasoning, Text


@value
class Patience:
    """`silence` is how long a model may say nothing. The second try waits `first` seconds, each later one twice as
    long.
    """

    silence: float = 120.0
    tries: int = 4
    first: float = 1.0
    longest: float = 30.0


@value
class StepResult:
    """What a model call gave; of one that was cancelled, what had come by then. `stop` is the provider's reason."""

    text: str
    reasoning: str
    calls: tuple[Call, ...]
    usage: Usage
    stop: str


class Step:
    """Collects what arrives, so that a cancelled step still knows what was said."""

    def __init__(self, model: Model, prompt: Prompt, emit: Emit, patience: Patience) -> None:
        self._model = model
        self._prompt = prompt
        self._emit = emit
        self._patience = patience
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._calls: list[Call] = []
        self._usage = Usage()
        self._stop = ""

    def result(self) -> StepResult:
        return StepResult("".join(self._text), "".join(self._reasoning), tuple(self._calls), self._usage, self._stop)

    async def run(self) -> StepResult:
        """Raises `ModelError` after the last try, or at once if the model has already said something."""
        for attempt in range(1, self._patience.tries + 1):
            try:
                await self._once()
                return self.result()
            except ModelError as error:
                if self._text or self._calls or not error.retryable or attempt == self._patience.tries:
                    raise
                await self._wait(attempt, error)
        raise AssertionError("unreachable")

    async def _wait(self, attempt: int, error: ModelError) -> None:
        seconds = Backoff(self._patience.first, self._patience.longest, jitter=0).pause_after(attempt - 1)
        if isinstance(error, RateLimited):
            seconds = min(self._patience.longest, float(cast("float", error.facts.get("after") or seconds)))
        self._emit(Retrying(attempt, seconds, error.parts()[0]))
        await asyncio.sleep(seconds)

    async def _once(self) -> None:
        """`ModelTimeout` once no piece has arrived for `silence` seconds."""
        silence, time = self._patience.silence, asyncio.get_running_loop().time
        async with aclosing(cast("AsyncGenerator[Piece]", self._model.stream(self._prompt))) as stream:
            try:
                async with asyncio.timeout(silence) as limit:
                    async for piece in stream:
                        self._take(piece)
                        limit.reschedule(time() + silence)
            except TimeoutError:
                raise ModelTimeout(model=self._model.name, seconds=silence) from None

    def _take(self, piece: Piece) -> None:
        match piece:
            case Text(text):
                self._text.append(text)
                self._emit(TextAdded(text))
            case Reasoning(text):
                self._reasoning.append(text)
                self._emit(ReasoningAdded(text))
            case Called(call):
                self._calls.append(call)
            case Finished(usage, stop):
                self._usage, self._stop = usage, stop
