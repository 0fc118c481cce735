"""Waking async workers when the store has work: one thread waits for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event, Thread

from baton.core.errors import StoreError
from baton.engine.aio import in_thread
from baton.ports.store import Store

_LOOK = 1.0
_PAUSE = 0.2


class Wakeup:
    """Wakes whoever waits at every write to a topic of the store, and at least once a second: that a lease or a delay
    ran out is no write.

    `before` is called each time before anybody is woken, in a thread: there workers look whether there is a job for
    them. Use as `async with`. Read `count` first, then look at the store, then `wait(count)`: no write is missed.
    Without `join` the end does not wait for the thread, which then ends by itself within a second. One that is `lazy`
    has no thread before somebody calls `listen`.
    """

    def __init__(
        self,
        store: Store,
        topic: str,
        before: Callable[[], None] = lambda: None,
        *,
        join: bool = True,
        lazy: bool = False,
    ) -> None:
        self._store = store
        self._topic = topic
        self._before = before
        self._join = join
        self._lazy = lazy
        self._stop = Event()
        self._count = 0
        self._waiters: list[asyncio.Future[None]] = []
        self._thread: Thread | None = None

    async def __aenter__(self) -> Wakeup:
        if not self._lazy:
            self.listen()
        return self

    def listen(self) -> None:
        """Begins to wake, if it did not yet; before `count` is read."""
        if self._thread is not None:
            return
        loop = asyncio.get_running_loop()

        def wake() -> None:
            loop.call_soon_threadsafe(self.wake)

        self._thread = Thread(target=self._listen, args=(wake,), name=f"wakeup-{self._topic}", daemon=True)
        self._thread.start()

    async def __aexit__(self, *_: object) -> None:
        self._stop.set()
        if self._join and self._thread is not None:
            await in_thread(self._thread.join)

    @property
    def count(self) -> int:
        """How often it has woken so far."""
        return self._count

    async def wait(self, count: int) -> None:
        """Returns once it has woken since `count` was read."""
        while self._count == count:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter

    def wake(self) -> None:
        """In the event loop's thread."""
        self._count += 1
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def _listen(self, wake: Callable[[], None]) -> None:
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
                        self._before()
                        wake()
            except (StoreError, OSError, RuntimeError):
                self._stop.wait(_PAUSE)
            finally:
                waiter.close()
