from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from baton.ports.platform import Inbound, Platform
from tests.support.patience import PATIENCE
from tests.support.platforms.discord.stage import DiscordStage


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def stage() -> AsyncIterator[DiscordStage]:
    async with DiscordStage() as stage:
        yield stage
        assert stage.violations() == []


class Listening:
    """A platform that receives. The sink refuses as often as `fails` says, and keeps what it saw with `look`."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self.got: asyncio.Queue[Inbound] = asyncio.Queue()
        self.tried: list[str] = []
        self.fails = 0
        self.look: Callable[[], object] = lambda: None
        self.looked: list[object] = []

    async def sink(self, inbound: Inbound) -> None:
        self.tried.append(inbound.id)
        self.looked.append(self.look())
        if self.fails:
            self.fails -= 1
            raise OSError("the disk is full")
        await self.got.put(inbound)

    async def next(self) -> Inbound:
        return await asyncio.wait_for(self.got.get(), PATIENCE)


@asynccontextmanager
async def listening(platform: Platform) -> AsyncIterator[Listening]:
    """Connected and receiving; afterwards closed, as by a stop of the gateway."""
    await platform.connect([])
    each = Listening(platform)
    running = asyncio.create_task(platform.run(each.sink))
    try:
        yield each
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await platform.close()
