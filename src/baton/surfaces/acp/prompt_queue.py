"""The prompts of one session, in the order they came: one runs, the others wait, and a cancel is for all of them.

Every prompt is answered exactly once. A cancelled one is answered within a second, even if its work takes longer to
stop; the next one waits for that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

GRACE = 0.7
STOPPED = "cancelled"
"""The protocol's stop reason of a prompt that was cancelled."""

Work = Callable[[], Awaitable[str]]
"""Gives back a stop reason."""


class PromptQueue:
    """`stop` asks the work to stop and returns whether anything ran; `abandon` is called if it did not stop in time,
    and `on_late_end` once it has.
    """

    def __init__(
        self, stop: Callable[[], Awaitable[bool]], abandon: Callable[[], None], on_late_end: Callable[[], None]
    ) -> None:
        self._stop = stop
        self._abandon = abandon
        self._on_late_end = on_late_end
        self._one_at_a_time = asyncio.Lock()
        self._waiting: set[asyncio.Event] = set()
        self._late: asyncio.Task[str] | None = None

    def cancel(self) -> None:
        """Cancels every prompt that came so far."""
        for cancelled in self._waiting:
            cancelled.set()

    async def answer(self, work: Work) -> str:
        """Runs `work` when its turn comes and returns its stop reason. Raises what `work` raises."""
        cancelled = asyncio.Event()
        self._waiting.add(cancelled)
        try:
            return await self._in_turn(work, cancelled)
        except asyncio.CancelledError:
            return STOPPED
        finally:
            self._waiting.discard(cancelled)

    async def _in_turn(self, work: Work, cancelled: asyncio.Event) -> str:
        async with self._one_at_a_time:
            if self._late is not None:
                await self._wait_either(self._late, cancelled)
            if cancelled.is_set():
                return STOPPED
            task = asyncio.ensure_future(work())
            try:
                await self._wait_either(task, cancelled)
            except asyncio.CancelledError:
                cancelled.set()
            return task.result() if task.done() and not task.cancelled() else await self._stop_work(task)

    async def _wait_either(self, task: asyncio.Task[str], cancelled: asyncio.Event) -> None:
        """Waits for the work or for its cancel."""
        cancelling = asyncio.ensure_future(cancelled.wait())
        try:
            await asyncio.wait([task, cancelling], return_when=asyncio.FIRST_COMPLETED)
        finally:
            cancelling.cancel()

    async def _stop_work(self, task: asyncio.Task[str]) -> str:
        """Asks the work to stop; if nothing ran, the work only waits for somebody and is cancelled."""
        stopping = asyncio.ensure_future(self._stop())
        await asyncio.wait([task, stopping], timeout=GRACE, return_when=asyncio.FIRST_COMPLETED)
        if stopping.done() and not stopping.cancelled() and not stopping.exception() and not stopping.result():
            task.cancel()
        await asyncio.wait([task], timeout=GRACE / 4)
        stopping.cancel()
        if not task.done():
            self._abandon()
            self._late = task
            task.add_done_callback(self._end_late)
        elif not task.cancelled():
            task.exception()
        return STOPPED

    def _end_late(self, task: asyncio.Task[str]) -> None:
        self._late = None
        if not task.cancelled():
            task.exception()
        self._on_late_end()
