"""A local model behind the port: pulled when first needed, run by a worker, kept warm for a while."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any
from uuid import uuid4

from baton.adapters.models.local.catalogue import DEFAULT, Weights
from baton.adapters.models.local.errors import PullDeclined
from baton.adapters.models.local.holdings import Holding
from baton.adapters.models.local.process import WarmWorker, WorkerProcess, default_threads
from baton.adapters.models.local.pull import Progress, pull_in_thread
from baton.adapters.models.local.reply import NoReply, Reply
from baton.adapters.models.local.sources import Sources, find_sources, plan_pull
from baton.adapters.models.local.translate import request
from baton.core.agent.message import Call, Prompt, Usage
from baton.core.errors import ContextOverflow, ModelError
from baton.core.value import value
from baton.ports.model import Called, Consent, Finished, Piece, Reasoning, Text

KEEP_WARM = 600.0
SIGN_OF_LIFE = 10.0
_TOO_LONG = "exceed_context_size_error"
_CUT = ("length", "loop")


@value
class Tuning:
    """How a model runs here: its window and threads, None for what fits, and how long it stays loaded while idle."""

    window: int | None = None
    threads: int | None = None
    keep_warm: float = KEEP_WARM


AS_FITS = Tuning()


class LocalModel:
    """One loaded model for all conversations of an event loop; requests are served one at a time, in order.

    `consent` is asked before the first byte of a pull; without one, needing the model is consent enough. `on_pull`
    hears of a pull (bytes done, bytes in all, seconds) and `on_read` of a prompt being read (tokens), in the event
    loop. While there is nothing to say, an empty `Reasoning` comes every ten seconds as a sign of life.
    """

    def __init__(
        self,
        directory: str,
        weights: Weights = DEFAULT,
        tuning: Tuning = AS_FITS,
        *,
        sources: Sources | None = None,
        consent: Consent | None = None,
        on_pull: Progress | None = None,
        on_read: Progress | None = None,
    ) -> None:
        self.weights = weights
        self.window = tuning.window or weights.window
        self.images = False
        self._directory = directory
        self._threads = tuning.threads or default_threads()
        self._sources = sources
        self._consent = consent
        self._on_pull = on_pull
        self._on_read = on_read
        self._warm = WarmWorker(self._start, tuning.keep_warm)

    @property
    def name(self) -> str:
        return self.weights.full_name

    @property
    def worker_pid(self) -> int | None:
        """The process that has the model loaded, if there is one."""
        return self._warm.pid

    async def prepare(self) -> None:
        """Pulls and loads the model, so that the first answer waits for neither. Cancelling keeps what was pulled.
        Raises `PullDeclined`, `PullFailed`, `NoRoom` or `WorkerStopped`.
        """
        with self._warm.in_use():
            await self._warm.get()

    async def rehearse(self, prompt: Prompt) -> None:
        """Loads the model and has it read the beginning that all prompts share, so that the first answer need not wait.
        Pulls nothing: without the weights it does nothing. Raises `WorkerStopped`.
        """
        if not Holding(self.weights, self._directory).ready:
            return
        with self._warm.in_use():
            worker = await self._warm.get()
            async with aclosing(worker.ask({**request(prompt), "max_tokens": 0})) as messages:
                async for _ in messages:
                    pass

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece]:
        """See the port. Raises what `prepare` does, `ContextOverflow` or `ModelError`."""
        with self._warm.in_use():
            async with aclosing(self._answer(prompt)) as pieces, aclosing(_lively(pieces)) as lively:
                async for piece in lively:
                    yield piece

    async def close(self) -> None:
        """Ends the worker. The model can still be used; it is then loaded again."""
        await self._warm.close()

    async def _start(self) -> WorkerProcess:
        sources = self._sources or find_sources()
        plan = plan_pull(self.weights, self._directory, sources)
        if plan is not None and self._consent is not None and not await self._consent(plan):
            raise PullDeclined(model=self.weights.name)
        path = await pull_in_thread(self.weights, self._directory, self._on_pull, sources=sources)
        return await WorkerProcess.start(self.weights, path, window=self.window, threads=self._threads)

    async def _answer(self, prompt: Prompt) -> AsyncGenerator[Piece]:
        worker = await self._warm.get()
        reply, start = Reply(bare=not prompt.tools), time.monotonic()
        async with aclosing(worker.ask(request(prompt, self.weights.repeat_penalty))) as messages:
            async for message in messages:
                if text := reply.feed(message.get("text", "")):
                    yield Text(text)
                elif "read" in message and self._on_read:
                    done, total = message["read"]
                    self._on_read(done, total, time.monotonic() - start)
                elif "error" in message:
                    raise self._refusal(message["error"])
                elif "done" in message:
                    for piece in self._end(reply, message["done"]):
                        yield piece

    def _end(self, reply: Reply, done: Mapping[str, Any]) -> list[Piece]:
        usage = Usage(done["input"], done["output"], done["cached"], cost=0.0)
        try:
            called = reply.call()
        except NoReply as cut:
            why = ", because it repeated itself" if done["stop"] == "loop" else ""
            reason = f"{cut} was cut off after {usage.output:,} tokens{why}"
            raise ModelError(model=self.name, reason=reason) from None
        if called:
            return [Called(Call(f"local_{uuid4().hex[:16]}", *called)), Finished(usage, "calls")]
        return [Finished(usage, "length" if done["stop"] in _CUT else "stop")]

    def _refusal(self, error: Mapping[str, Any]) -> ModelError:
        kind = ContextOverflow if error["type"] == _TOO_LONG else ModelError
        return kind(model=self.name, reason=str(error["message"]).rstrip("."))


async def _lively(pieces: AsyncGenerator[Piece]) -> AsyncGenerator[Piece]:
    """The pieces, with a sign of life wherever none came for a while."""
    while True:
        following = asyncio.create_task(_next(pieces))
        try:
            while not (await asyncio.wait([following], timeout=SIGN_OF_LIFE))[0]:
                yield Reasoning("")
        finally:
            if following.cancel():
                await asyncio.wait([following])
        piece = following.result()
        if piece is None:
            return
        yield piece


async def _next(pieces: AsyncGenerator[Piece]) -> Piece | None:
    return await anext(pieces, None)
