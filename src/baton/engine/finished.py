"""Work that no cancel cuts."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

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
