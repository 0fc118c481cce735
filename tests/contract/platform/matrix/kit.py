"""A bot that is connected and receives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from baton.ports.platform import Inbound, Platform
from tests.support.patience import PATIENCE
from tests.support.platforms.matrix.stage import MatrixStage


class Ear:
    """What came in, in order."""

    def __init__(self) -> None:
        self._heard: asyncio.Queue[Inbound] = asyncio.Queue()

    async def __call__(self, inbound: Inbound) -> None:
        self._heard.put_nowait(inbound)

    async def next(self) -> Inbound:
        return await asyncio.wait_for(self._heard.get(), PATIENCE)

    async def texts(self, count: int) -> list[str]:
        return [(await self.next()).text for _ in range(count)]

    def is_empty(self) -> bool:
        return self._heard.empty()


@asynccontextmanager
async def connected(stage: MatrixStage, **more: float) -> AsyncIterator[Platform]:
    platform = stage.impatient(**more) if more else stage.platform()
    try:
        await platform.connect([])
        yield platform
    finally:
        await platform.close()


@asynccontextmanager
async def receiving(platform: Platform) -> AsyncIterator[Ear]:
    ear = Ear()
    task = asyncio.create_task(platform.run(ear))
    try:
        yield ear
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
