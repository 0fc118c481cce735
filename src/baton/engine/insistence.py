"""Writing down what has happened, also when the store is away for a moment: it happened, so it must be known."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from baton.core.errors import StoreError

T = TypeVar("T")
LONGEST = 30.0
_PAUSE = 0.2


async def insist(act: Callable[[], T], longest: float = LONGEST) -> T:
    """The result of a blocking call to the store, tried again while the store cannot be reached."""
    return await persist(lambda: asyncio.to_thread(act), longest)


async def persist(act: Callable[[], Awaitable[T]], longest: float = LONGEST) -> T:
    """As `insist`, for what takes more than one call."""
    until = time.monotonic() + longest
    while True:
        try:
            return await act()
        except StoreError:
            if time.monotonic() > until:
                raise
            await asyncio.sleep(_PAUSE)
