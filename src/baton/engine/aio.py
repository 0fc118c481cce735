"""The event loop beside blocking calls: off it, against cancels, and again while the store is away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from baton.core.errors import StoreError

T = TypeVar("T")
P = ParamSpec("P")

RETRY_FOR = 30.0
_RETRY_EVERY = 0.2


async def in_thread(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Runs a blocking call in a thread. A cancelled caller stops waiting at once; the call itself runs to its end."""
    return await asyncio.to_thread(call, *args, **kwargs)


async def uncancelled(work: Coroutine[Any, Any, T]) -> T:
    """Runs to completion even if the caller is cancelled; the cancellation is re-raised afterwards."""
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


async def retry_store(act: Callable[[], T], longest: float = RETRY_FOR) -> T:
    """Runs a blocking store call in a thread, again and again for `longest` seconds while the store is unreachable.

    The `StoreError` of the last try is raised. `act` must be safe to repeat: a try that failed may have been kept.
    """
    return await retry_store_async(lambda: in_thread(act), longest)


async def retry_store_async(act: Callable[[], Awaitable[T]], longest: float = RETRY_FOR) -> T:
    """As `retry_store`, for work of several calls."""
    until = time.monotonic() + longest
    while True:
        try:
            return await act()
        except StoreError:
            if time.monotonic() > until:
                raise
            await asyncio.sleep(_RETRY_EVERY)
