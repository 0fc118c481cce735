"""Time as this process had it: on a machine that is busy with other things the clock on the wall proves nothing.

async with Ticks() as ticks:
    ...
assert ticks.seconds < 1
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

STEP = 0.01


class Ticks:
    """Counts how often the event loop came round to a short sleep: never more than the time that passed, and less by as
    much as the loop was kept waiting.
    """

    def __init__(self) -> None:
        self._count = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def seconds(self) -> float:
        return self._count * STEP

    async def __aenter__(self) -> Ticks:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(STEP)
            self._count += 1
