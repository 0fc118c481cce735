"""Waking async workers when the store has work: one thread waits for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event, Thread

from baton.core.errors import StoreError
from baton.engine.aio import in_thread
from baton.ports.store import Store

_LOOK = 1.0
_CALM = 0.2


class Bell:
    """Rings at every write to a topic of the store, and at least once a second: leases and delays run out unheard.

    Use as `async with`. Look at the store after `heard()` and before `wait()`: no write is missed.
    """

    def __init__(self, store: Store, topic: str) -> None:
        self._store = store
        self._topic = topic
        self._stop = Event()
        self._rings = 0
        self._changed: asyncio.Condition
        self._thread: Thread

    async def __aenter__(self) -> Bell:
        self._changed = asyncio.Condition()
        loop = asyncio.get_running_loop()

        def ring() -> None:
            loop.call_soon_threadsafe(lambda: loop.create_task(self.ring()))

        self._thread = Thread(target=self._listen, args=(ring,), name=f"bell-{self._topic}", daemon=True)
        self._thread.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stop.set()
        await in_thread(self._thread.join)

    def heard(self) -> int:
        return self._rings

    async def wait(self, heard: int) -> None:
        """Until it rings again after `heard`."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._rings != heard)

    async def ring(self) -> None:
        async with self._changed:
            self._rings += 1
            self._changed.notify_all()

    def _listen(self, ring: Callable[[], None]) -> None:
        """A store that is away for a while is asked again."""
        while not self._stop.is_set():
            try:
                waiter = self._store.waiter(self._topic)
            except (StoreError, OSError):
                self._stop.wait(_LOOK)
                continue
            try:
                while not self._stop.is_set():
                    waiter.wait(_LOOK)
                    if not self._stop.is_set():
                        ring()
            except (StoreError, OSError, RuntimeError):
                self._stop.wait(_CALM)
            finally:
                waiter.close()
