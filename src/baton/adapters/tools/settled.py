"""Work on files in a thread, so that nothing waits for a disk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_PATIENCE = 0.8


async def settled(work: Callable[[], T], stop: threading.Event | None = None) -> T:
    """Runs `work` in a thread. When it is cancelled meanwhile, the work still ends before the cancel goes on, unless
    that takes most of a second: a result that is recorded as cancelled should be so. `stop` is set to tell the work.
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
