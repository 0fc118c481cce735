"""The one worker of the gateway: what it takes, how many at once, and what becomes of it when the worker stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from typing import Any

import pytest

from baton.core.errors import StoreUnavailable
from baton.core.log.lease import Ownership
from baton.core.transfer import mail as boxes
from baton.core.transfer.mail import Mail
from baton.core.transfer.place import Place
from baton.engine.aio import heartbeat, in_thread
from baton.engine.mail.wakeup import Wakeup
from baton.engine.mail.worker import Claims, Inlet, Outcome, Taken, Worker, mail_worker
from baton.ports.store import WORK
from baton.testing.memory import MemoryStore

pytestmark = pytest.mark.anyio

PROOF = Ownership("transfer", "t_1", "me", 1)
CLAIMS = Claims("me", 30.0, at_once=2)


class Jobs:
    """Hands out numbers, one platform each, and notes what happens to them."""

    def __init__(self, *platforms: str) -> None:
        self.left = [(number, platform) for number, platform in enumerate(platforms)]
        self.looks = self.takes = 0
        self.begun: list[int] = []
        self.ended: list[int] = []
        self.cancelled: list[int] = []
        self.may_end = asyncio.Event()

    def take(self, platforms: tuple[str, ...], owner: str, lease: float) -> tuple[int, Ownership] | None:
        assert (owner, lease) == ("me", 30.0)
        self.takes += 1
        for job in self.left:
            if job[1] in platforms:
                self.left.remove(job)
                return job[0], PROOF
        return None

    def is_due(self, platforms: tuple[str, ...]) -> bool:
        self.looks += 1
        return any(platform in platforms for _, platform in self.left)

    async def work(self, taken: Taken[int]) -> None:
        self.begun.append(taken.job)
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.cancelled.append(taken.job)
            raise
        self.ended.append(taken.job)


@asynccontextmanager
async def running(worker: Worker[Any], store: MemoryStore | None = None) -> AsyncIterator[asyncio.Task[None]]:
    async with Wakeup(store or MemoryStore(), WORK, worker.look) as wakeup:
        task = asyncio.create_task(worker.run(wakeup))
        await asyncio.sleep(0.05)
        yield task
        task.cancel()
        await asyncio.wait([task])


async def test_it_works_on_as_many_jobs_at_once_as_it_may() -> None:
    jobs = Jobs("a", "a", "a")
    async with running(Worker(jobs.take, jobs.is_due, jobs.work, ["a"], CLAIMS)):
        assert jobs.begun == [0, 1]
        jobs.may_end.set()
        async with asyncio.timeout(5):
            while jobs.ended != [0, 1, 2]:
                await asyncio.sleep(0.01)


async def test_a_platform_that_it_left_is_left_to_others_until_it_joins_again() -> None:
    jobs = Jobs("a", "b")
    worker = Worker(jobs.take, jobs.is_due, jobs.work, ["a", "b"], CLAIMS)
    worker.leave("b")
    async with running(worker):
        assert jobs.begun == [0]
        worker.join("b")
        async with asyncio.timeout(5):
            while jobs.begun != [0, 1]:
                await asyncio.sleep(0.01)
        jobs.may_end.set()


async def test_work_under_way_is_finished_before_it_stops() -> None:
    jobs = Jobs("a")
    async with running(Worker(jobs.take, jobs.is_due, jobs.work, ["a"], CLAIMS)) as task:
        task.cancel()
        await asyncio.sleep(0.01)
        assert not task.done()
        jobs.may_end.set()
        await asyncio.wait([task])
    assert (jobs.ended, jobs.cancelled) == ([0], [])


async def test_work_under_way_is_cancelled_if_so_agreed() -> None:
    jobs = Jobs("a")
    async with running(Worker(jobs.take, jobs.is_due, jobs.work, ["a"], CLAIMS, on_stop="cancel")) as task:
        task.cancel()
        await asyncio.wait([task])
    assert (jobs.ended, jobs.cancelled) == ([], [0])


async def test_a_heartbeat_beats_until_it_is_told_to_stop_and_leaves_out_what_the_store_cannot_take() -> None:
    beats: list[int] = []

    async def beat() -> bool:
        beats.append(len(beats))
        if len(beats) == 2:
            raise StoreUnavailable(reason="away")
        return len(beats) < 4

    async with heartbeat(beat, 0.001):
        await asyncio.sleep(0.1)
    assert beats == [0, 1, 2, 3]


async def test_a_heartbeat_ends_with_its_block() -> None:
    beats: list[int] = []

    async def beat() -> bool:
        beats.append(1)
        return True

    async with heartbeat(beat, 0.01):
        pass
    await asyncio.sleep(0.05)
    assert beats == []


async def test_mail_is_settled_as_its_handler_says() -> None:
    store, settled = MemoryStore(), []
    for key in ("sent", "lost", "later"):
        store.outbox.put(key, Place("a", key), {"text": key})
    outcomes = {"sent": Outcome(boxes.SENT, receipt="r"), "lost": None, "later": Outcome(boxes.QUEUED, 60.0, "busy")}

    async def handle(taken: Taken[Mail]) -> Outcome | None:
        return outcomes[taken.job.key]

    worker = mail_worker(store.outbox, handle, ["a"], Claims("me", 30.0), settled.append)
    async with running(worker, store):
        async with asyncio.timeout(5):
            while len(settled) < 2:
                await asyncio.sleep(0.01)
    found = [store.outbox.get(key) for key in ("sent", "lost", "later")]
    assert [(mail.state, mail.receipt, mail.error) for mail in found] == [
        (boxes.SENT, "r", ""),
        (boxes.SENDING, "", ""),
        (boxes.QUEUED, "", "busy"),
    ]
    assert found[2].not_before > found[2].updated_at


async def test_a_worker_that_is_woken_for_others_takes_nothing() -> None:
    jobs, store = Jobs("a"), MemoryStore()
    async with running(Worker(jobs.take, jobs.is_due, jobs.work, ["a"], CLAIMS), store):
        await _until(lambda: jobs.begun == [0])
        looks, takes = jobs.looks, jobs.takes
        for number in range(3):
            store.register.put("somebody/else", {"number": number})
            await _until(lambda before=jobs.looks: jobs.looks > before)
        assert jobs.looks >= looks + 3
        await asyncio.sleep(0.02)
        assert jobs.takes == takes
        jobs.left.append((1, "a"))
        store.register.put("somebody/else", {"number": 3})
        await _until(lambda: jobs.begun == [0, 1])
        jobs.may_end.set()


class Handled:
    """A worker of an inbox that ends with what is put through its inlet, and the order in which it began."""

    def __init__(self, store: MemoryStore, at_once: int = 2) -> None:
        self.begun: list[str] = []
        self.may_end = asyncio.Event()
        self.worker = mail_worker(store.inbox, self._handle, ["a"], Claims("me", 30.0, at_once))
        self.inlet = Inlet(store.inbox, self.worker)

    def put(self, key: str, room: str = "1") -> bool:
        return self.inlet.put(key, Place("a", room), {}, "")

    async def _handle(self, taken: Taken[Mail]) -> Outcome:
        self.begun.append(taken.job.key)
        await self.may_end.wait()
        return Outcome(boxes.DONE)


async def test_what_is_put_through_the_inlet_is_begun_without_waking_anybody() -> None:
    store = MemoryStore()
    handled = Handled(store)
    async with running(handled.worker, store):
        with closing(store.waiter(WORK)) as waiter:
            assert await in_thread(handled.put, "k1")
            assert store.inbox.get("k1").state == boxes.TAKEN
            assert waiter.wait(0) is False
        await _until(lambda: handled.begun == ["k1"])
        assert not await in_thread(handled.put, "k1")
        handled.may_end.set()
        await _until(lambda: store.inbox.get("k1").state == boxes.DONE)
    assert handled.begun == ["k1"]


async def test_what_a_busy_worker_or_place_cannot_begin_waits_its_turn_and_is_found() -> None:
    store = MemoryStore()
    handled = Handled(store)
    async with running(handled.worker, store):
        for key, room in (("k1", "1"), ("k2", "1"), ("k3", "2"), ("k4", "3")):
            await in_thread(handled.put, key, room)
        await _until(lambda: handled.begun == ["k1", "k3"])
        assert [store.inbox.get(key).state for key in ("k2", "k4")] == [boxes.NEW, boxes.NEW]
        handled.may_end.set()
        await _until(lambda: not store.inbox.list_waiting())
    assert sorted(handled.begun) == ["k1", "k2", "k3", "k4"]


async def test_the_inlet_of_a_worker_that_does_not_run_leaves_messages_to_others_and_wakes_them() -> None:
    store = MemoryStore()
    handled = Handled(store)
    with closing(store.waiter(WORK)) as waiter:
        assert handled.put("k1")
        assert waiter.wait(0) is True
    assert store.inbox.get("k1").state == boxes.NEW


async def test_a_message_that_is_on_its_way_from_the_inlet_is_finished_before_the_worker_stops() -> None:
    store = MemoryStore()
    handled = Handled(store)
    async with running(handled.worker, store) as task:
        await in_thread(handled.put, "k1")  # taken by now; the event loop has not begun it
        task.cancel()
        await asyncio.sleep(0.05)
        assert (handled.begun, task.done()) == (["k1"], False)
        handled.may_end.set()
        await asyncio.wait([task])
    assert store.inbox.get("k1").state == boxes.DONE


async def _until(check: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not check():
            await asyncio.sleep(0.002)
