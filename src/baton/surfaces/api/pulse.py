"""Whether the store answers, for all who want to know."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from baton.core.errors import BatonError
from baton.engine.aio import in_thread

if TYPE_CHECKING:
    from baton.ports.store import Store

_PATIENCE = 3.0
_FRESH = 1.0


class Pulse:
    """The store is asked at most once a second, however many want to know."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._at = -_FRESH
        self._well = False

    async def well(self, store: Store) -> bool:
        async with self._lock:
            if time.monotonic() - self._at >= _FRESH:
                self._well = await self._ask(store)
                self._at = time.monotonic()
            return self._well

    async def _ask(self, store: Store) -> bool:
        try:
            async with asyncio.timeout(_PATIENCE):
                await in_thread(store.register.get, "gateway/pulse")
        except (BatonError, TimeoutError):
            return False
        return True
