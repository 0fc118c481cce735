"""An adapter that receives, and a desk where its messages arrive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from baton.ports.platform import Inbound, Platform
from tests.support.patience import PATIENCE


@dataclass
class Receiving:
    """Each of `failures` is raised once instead of keeping a message."""

    platform: Platform
    kept: asyncio.Queue[Inbound] = field(default_factory=asyncio.Queue)
    failures: list[Exception] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)

    async def sink(self, inbound: Inbound) -> None:
        self.offered.append(inbound.text)
        if self.failures:
            raise self.failures.pop()
        await self.kept.put(inbound)

    async def next(self) -> Inbound:
        return await asyncio.wait_for(self.kept.get(), PATIENCE)


@asynccontextmanager
async def receiving(platform: Platform) -> AsyncIterator[Receiving]:
    found = Receiving(platform)
    await platform.connect(())
    task = asyncio.create_task(platform.run(found.sink))
    try:
        yield found
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await platform.close()
