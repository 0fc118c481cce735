"""Work that no cancel cuts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from baton.core.errors import StoreError

T = TypeVar("T")


async def finished(work: Coroutine[Any, Any, T]) -> T:
    """Its result. Whoever is cancelled meanwhile, be it several times, stops once the work is at its end."""
    task = asyncio.ensure_future(work)
    stopped: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as cancelled:
            stopped = cancelled
    if stopped is None:
        return task.result()
    if not task.cancelled():
        task.exception()
    raise stopped


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
