"""Waiting on the event loop: blocking calls in threads, work that no cancel cuts, retries, pauses and heartbeats."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from baton.core.errors import StoreError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

T = TypeVar("T")
P = ParamSpec("P")

RETRY_FOR = 30.0
_RETRY_EVERY = 0.2
_MOST_DOUBLINGS = 64
_STOP_SECONDS = 0.8


async def in_thread(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Runs a blocking call in a thread. A cancelled caller stops waiting at once; the call itself runs to its end.

    As `asyncio.to_thread`, with one future instead of three: a message to a gateway comes here eleven times.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def run() -> None:
        try:
            told, result = answer.set_result, call(*args, **kwargs)
        except BaseException as error:  # noqa: BLE001, whoever waits is told
            told, result = answer.set_exception, error
        with suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits
            loop.call_soon_threadsafe(_tell, answer, told, result)

    _threads(loop).submit(copy_context().run, run)
    return await answer


def _tell(answer: asyncio.Future[Any], told: Callable[[Any], None], result: object) -> None:
    if not answer.done():
        told(result)


_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, ThreadPoolExecutor] = WeakKeyDictionary()


def _threads(loop: asyncio.AbstractEventLoop) -> ThreadPoolExecutor:
    """The loop's own: `asyncio.run` waits for what is under way in them."""
    if (pool := _pools.get(loop)) is None:
        from concurrent.futures import ThreadPoolExecutor

        pool = _pools[loop] = ThreadPoolExecutor(thread_name_prefix="baton")
        loop.set_default_executor(pool)
    return pool


async def finish_in_thread(work: Callable[[], T], stop: threading.Event | None = None) -> T:
    """Runs `work` in a thread. If the caller is cancelled, `stop` is set to tell the work, and the cancellation is
    re-raised once the work has ended or most of a second has passed: what is recorded as cancelled should be over.
    """
    task = asyncio.ensure_future(in_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if stop:
            stop.set()
        await asyncio.wait([task], timeout=_STOP_SECONDS)
        if task.done() and not task.cancelled():
            task.exception()
        raise


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
    """Runs a blocking store call in a thread, and again while the store cannot be reached, for `longest` seconds.

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


class Backoff:
    """Pauses between tries: `first` seconds, then twice as long each time, up to `ceiling`. Up to the share `jitter`
    of each is left out at random, so that no two clients stay in step.
    """

    def __init__(self, first: float = 0.2, ceiling: float = 30.0, jitter: float = 0.5) -> None:
        self._first = first
        self._ceiling = ceiling
        self._jitter = jitter
        self._tries = 0

    def pause_after(self, tries: int) -> float:
        """The seconds to wait after so many tries, the first being number 0."""
        longest = min(self._ceiling, self._first * 2 ** min(tries, _MOST_DOUBLINGS))
        return longest * random.uniform(1.0 - self._jitter, 1.0)  # noqa: S311

    async def wait(self, at_least: float = 0.0) -> None:
        """Longer each time, until `reset`."""
        pause = self.pause_after(self._tries)
        self._tries += 1
        await asyncio.sleep(max(at_least, pause))

    def reset(self) -> None:
        """Something succeeded: the next pause is the first again."""
        self._tries = 0


@asynccontextmanager
async def heartbeat(beat: Callable[[], Awaitable[bool]], every: float) -> AsyncGenerator[None]:
    """Calls `beat` every so many seconds while the block runs, or until it returns False. A beat that the store cannot
    take is left out.
    """

    async def keep_beating() -> None:
        while True:
            with suppress(StoreError):
                if not await beat():
                    return
            await asyncio.sleep(every)

    def begin() -> None:
        nonlocal task
        task = asyncio.create_task(keep_beating())

    task: asyncio.Task[None] | None = None
    first = asyncio.get_running_loop().call_later(every, begin)  # most blocks are over before the first beat
    try:
        yield
    finally:
        first.cancel()
        if task is not None:
            task.cancel()
