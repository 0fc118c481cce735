"""A worker that is there when it is needed, and gone when it has not been for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager

from baton.adapters.models.local.process import WorkerProcess

Start = Callable[[], Awaitable[WorkerProcess]]


class WarmWorker:
    """`seconds` is how long an unused worker is kept. One that died is replaced at the next request."""

    def __init__(self, start: Start, seconds: float) -> None:
        self._start = start
        self._seconds = seconds
        self._starting = asyncio.Lock()
        self._worker: WorkerProcess | None = None
        self._users = 0
        self._timer: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def pid(self) -> int | None:
        return self._worker.pid if self._worker and self._worker.alive else None

    async def get(self) -> WorkerProcess:
        """The running worker, started if need be by the first of all who wait for it."""
        async with self._starting:
            if self._worker is None or not self._worker.alive:
                await self.close()
                self._worker = await self._start()
            return self._worker

    @contextmanager
    def in_use(self) -> Generator[None]:
        """Keeps the worker from ending of disuse."""
        self._users += 1
        self._cancel_timer()
        try:
            yield
        finally:
            self._users -= 1
            if not self._users and self._worker:
                self._timer = asyncio.get_running_loop().call_later(self._seconds, self._cool)

    async def close(self) -> None:
        """Ends the worker, if there is one; another can be started."""
        self._cool()
        if self._ending:
            await asyncio.wait(self._ending)

    def _cool(self) -> None:
        self._cancel_timer()
        worker, self._worker = self._worker, None
        if worker:
            task = asyncio.get_running_loop().create_task(worker.stop())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    def _cancel_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
