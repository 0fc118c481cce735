"""Prompts of one session in the order they came: one is worked on, the others wait, and a cancel is for all of them.

Every prompt is answered exactly once. One that is cancelled is answered within a second, also when what it was doing
takes longer to stop; the next one waits for that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

GRACE = 0.7
CANCELLED = "cancelled"

Work = Callable[[], Awaitable[str]]
"""Gives back a stop reason."""


class PromptQueue:
    """`stop` asks the work to stop and says whether there was anything to ask; `abandon` is told when it did not do so
    in time, and `resumed` when it has.
    """

    def __init__(
        self, stop: Callable[[], Awaitable[bool]], abandon: Callable[[], None], resumed: Callable[[], None]
    ) -> None:
        self._stop = stop
        self._abandon = abandon
        self._resumed = resumed
        self._turnstile = asyncio.Lock()
        self._waiting: set[asyncio.Event] = set()
        self._left: asyncio.Task[str] | None = None

    @property
    def busy(self) -> bool:
        return bool(self._waiting)

    def cancel(self) -> None:
        """Everything that came so far."""
        for ticket in self._waiting:
            ticket.set()

    async def answer(self, work: Work) -> str:
        """The stop reason of `work`, once it was its turn. Raises what it raises."""
        ticket = asyncio.Event()
        self._waiting.add(ticket)
        try:
            return await self._in_turn(work, ticket)
        except asyncio.CancelledError:
            return CANCELLED
        finally:
            self._waiting.discard(ticket)

    async def _in_turn(self, work: Work, ticket: asyncio.Event) -> str:
        async with self._turnstile:
            if self._left is not None:
                await self._first(self._left, ticket)
            if ticket.is_set():
                return CANCELLED
            task = asyncio.ensure_future(work())
            try:
                await self._first(task, ticket)
            except asyncio.CancelledError:
                ticket.set()
            return task.result() if task.done() and not task.cancelled() else await self._stopped(task)

    async def _first(self, task: asyncio.Task[str], ticket: asyncio.Event) -> None:
        """Waits for the work or for its cancel."""
        stopping = asyncio.ensure_future(ticket.wait())
        try:
            await asyncio.wait([task, stopping], return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()

    async def _stopped(self, task: asyncio.Task[str]) -> str:
        """Asks the work to stop; work that is only waiting for somebody is ended."""
        stopping = asyncio.ensure_future(self._stop())
        await asyncio.wait([task, stopping], timeout=GRACE, return_when=asyncio.FIRST_COMPLETED)
        if stopping.done() and not stopping.cancelled() and not stopping.exception() and not stopping.result():
            task.cancel()
        await asyncio.wait([task], timeout=GRACE / 4)
        stopping.cancel()
        if not task.done():
            self._abandon()
            self._left = task
            task.add_done_callback(self._settled)
        elif not task.cancelled():
            task.exception()
        return CANCELLED

    def _settled(self, task: asyncio.Task[str]) -> None:
        self._left = None
        if not task.cancelled():
            task.exception()
        self._resumed()
