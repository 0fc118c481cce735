"""Blocking work of tools, off the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_PATIENCE = 0.8


async def finish_in_thread(work: Callable[[], T], stop: threading.Event | None = None) -> T:
    """Runs `work` in a thread. If the caller is cancelled, `stop` is set to tell the work, and the cancellation is
    re-raised once the work has ended or most of a second has passed: what is recorded as cancelled should be over.
    """
    task = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if stop:
            stop.set()
        await asyncio.wait([task], timeout=_PATIENCE)
        if task.done() and not task.cancelled():
            task.exception()
        raise
