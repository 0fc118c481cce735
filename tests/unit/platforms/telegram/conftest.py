from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from baton.ports.platform import Inbound, Platform
from tests.support.patience import PATIENCE
from tests.support.platforms.telegram.stage import TelegramStage


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def stage() -> AsyncIterator[TelegramStage]:
    """Everything said on it has to keep the published rules."""
    async with TelegramStage() as up:
        yield up
        assert up.violations() == []


class Inbox:
    """A sink that keeps what it is given, unless it is told to fail."""

    def __init__(self) -> None:
        self.kept: list[Inbound] = []
        self.failures = 0
        self._more = asyncio.Event()

    async def __call__(self, inbound: Inbound) -> None:
        if self.failures:
            self.failures -= 1
            raise OSError("the disk is full")
        self.kept.append(inbound)
        self._more.set()

    async def has(self, count: int) -> list[Inbound]:
        """Waits until so many have been kept."""
        async with asyncio.timeout(PATIENCE):
            while len(self.kept) < count:
                self._more.clear()
                await self._more.wait()
        return self.kept


class Running:
    """A platform that is connected and receives into an inbox."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self.inbox = Inbox()
        self.task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Running:
        await self.platform.connect([("handoff", "Go on elsewhere")])
        self.task = asyncio.create_task(self.platform.run(self.inbox))
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self.task is not None
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        await self.platform.close()


@pytest.fixture
async def running(stage: TelegramStage) -> AsyncIterator[Running]:
    async with Running(stage.platform()) as up:
        yield up
