"""A worker: takes jobs of the store under a lease, several at a time, and works on each beside the others.

The desk takes messages of the inbox, delivery those of the outbox, the carrier transfers. A job belongs to whoever
holds its lease. A heartbeat renews it while the work is under way; a worker that dies loses it to another.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from threading import Lock
from typing import Any, Generic, Literal, TypeVar

from baton.core.errors import Conflict, StoreError
from baton.core.log.lease import Ownership
from baton.core.transfer.mail import Mail
from baton.core.transfer.place import Place
from baton.core.value import value
from baton.engine.aio import heartbeat, in_thread, retry_store
from baton.engine.mail.wakeup import Wakeup
from baton.ports.store import Mailbox

_GLANCE = 0.005
Job = TypeVar("Job")
Take = Callable[[tuple[str, ...], str, float], tuple[Job, Ownership] | None]
"""The next job for one of these platforms, claimed for this owner and so many seconds; None if there is none."""

Put = Callable[[str, Place, Mapping[str, Any], str], bool]
"""Puts a message: its key, place, body and conversation, whose id may be empty. False if the key was put before."""

IsDue = Callable[[tuple[str, ...]], bool]
"""Whether there is probably a job for one of these platforms."""


@value
class Claims:
    """Who takes jobs, for how many seconds each, and how many at once."""

    owner: str
    lease: float
    at_once: int = 64


@value
class Taken(Generic[Job]):
    """A job with the proof that it is ours. `asked_at` is the monotonic time before it was taken."""

    job: Job
    proof: Ownership
    asked_at: float
    wakeup: Wakeup


class Worker(Generic[Job]):
    """`run` works until it is cancelled. What is under way then is finished first, or cancelled, as `on_stop` says."""

    def __init__(
        self,
        take: Take[Job],
        is_due: IsDue,
        work: Callable[[Taken[Job]], Coroutine[Any, Any, None]],
        platforms: Iterable[str],
        claims: Claims,
        *,
        on_stop: Literal["finish", "cancel"] = "finish",
    ) -> None:
        self._take = take
        self._is_due = is_due
        self._due = True
        self._looking = Lock()
        self._work = work
        self._platforms = set(platforms)
        self._claims = claims
        self._on_stop = on_stop
        self._under_way: set[asyncio.Task[None]] = set()
        self._running: tuple[asyncio.AbstractEventLoop, Wakeup] | None = None
        self._handed = 0
        self._handing = Lock()

    def leave(self, platform: str) -> None:
        """Jobs for a platform that does not let us in are left to gateways that it does let in."""
        self._platforms.discard(platform)

    def join(self, platform: str) -> None:
        """Jobs for this platform are ours to take again."""
        self._platforms.add(platform)

    def look(self) -> None:
        """Finds out whether there is a job, before the worker is woken: most wake-ups are for others. Blocks."""
        with self._looking:  # what was seen last holds, whichever thread saw it
            try:
                self._due = self._is_due(tuple(self._platforms))
            except StoreError:
                self._due = True

    def _take_next(self) -> tuple[Job, Ownership] | None:
        """Looks at once whether there is another: a job taken in vain costs more than a look."""
        taken = self._take(tuple(self._platforms), self._claims.owner, self._claims.lease)
        self.look()
        return taken

    def is_free(self, platform: str) -> bool:
        """Whether a new job for this platform could be begun at once, and none waits that came before it. May be asked
        in any thread.
        """
        busy = len(self._under_way) + self._handed >= self._claims.at_once
        return self._running is not None and platform in self._platforms and not self._due and not busy

    def take_now(self) -> None:
        """Takes the next job in the thread that has just put one, and begins it in the event loop's. Blocks."""
        with self._handing:
            if self._running is None:
                return
            self._handed += 1
            loop, wakeup = self._running
        asked_at, taken = time.monotonic(), None
        try:
            taken = self._take_next()
        except StoreError:  # tried again at the next wake-up
            self._due = True
        finally:
            job = Taken(*taken, asked_at, wakeup) if taken else None
            loop.call_soon_threadsafe(self._begin_handed, job)

    def _begin_handed(self, taken: Taken[Job] | None) -> None:
        with self._handing:
            self._handed -= 1
        if taken is not None:
            self._begin(taken)

    async def run(self, wakeup: Wakeup) -> None:
        self._running = asyncio.get_running_loop(), wakeup
        try:
            while True:
                count = wakeup.count
                with suppress(StoreError):  # tried again at the next wake-up
                    while self._due and len(self._under_way) < self._claims.at_once and await self._start(wakeup):
                        pass
                await wakeup.wait(count)
        finally:
            with self._handing:
                self._running = None
            while self._handed:
                await asyncio.sleep(_GLANCE)
            if self._on_stop == "cancel":
                for task in self._under_way:
                    task.cancel()
            if self._under_way:
                await asyncio.wait(self._under_way)

    async def _start(self, wakeup: Wakeup) -> bool:
        """Takes the next job and begins it; False if there is none."""
        asked_at = time.monotonic()
        taken = await in_thread(self._take_next)
        if taken is None:
            return False
        self._begin(Taken(*taken, asked_at, wakeup))
        return True

    def _begin(self, taken: Taken[Job]) -> None:
        task = asyncio.create_task(self._work(taken))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)


class Inlet:
    """Puts messages into a box whose worker is in this process. One that it can work on at once it takes in the thread
    that put it: nobody else is woken to look for it, and the two writes are those of any other message.
    """

    def __init__(self, box: Mailbox, worker: Worker[Mail]) -> None:
        self._box = box
        self._worker = worker

    def put(self, key: str, place: Place, body: Mapping[str, Any], conversation_id: str = "") -> bool:
        """As the box's. A repetition takes it too: the first try may have been kept without an answer."""
        free = self._worker.is_free(place.platform)
        added = self._box.put(key, place, body, conversation_id, wake=not free)
        if free:
            self._worker.take_now()
        return added


@value
class Outcome:
    """What became of a message: its state, after how many seconds it is tried again, and why, or the receipt."""

    state: str
    delay: float = 0.0
    error: str = ""
    receipt: str = ""


def mail_worker(
    box: Mailbox,
    handle: Callable[[Taken[Mail]], Awaitable[Outcome | None]],
    platforms: Iterable[str],
    claims: Claims,
    on_settled: Callable[[Mail], None] = lambda _: None,
) -> Worker[Mail]:
    """A worker for one box: what `handle` returns is written down, and whoever in this process waits for that is woken.
    None, and a message that is another's by now, leave it as it is.
    """

    async def work(taken: Taken[Mail]) -> None:
        async def renew() -> bool:
            with suppress(Conflict):  # whoever lost it learns so when it is settled
                await in_thread(box.renew, taken.proof, claims.lease)
            return True

        async with heartbeat(renew, claims.lease / 3):
            outcome = await handle(taken)
            if outcome is None:
                return
            with suppress(Conflict, StoreError):
                on_settled(await retry_store(lambda: _settle(box, taken.proof, outcome)))
                taken.wakeup.wake()

    return Worker(box.take, box.is_due, work, platforms, claims)


def _settle(box: Mailbox, proof: Ownership, outcome: Outcome) -> Mail:
    return box.settle(proof, outcome.state, delay=outcome.delay, error=outcome.error, receipt=outcome.receipt)
