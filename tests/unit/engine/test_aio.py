"""Waiting on the event loop: what is promised about cancels, retries and pauses."""

from __future__ import annotations

import asyncio
import threading
import time
from contextvars import ContextVar

import pytest

from baton.core.errors import NotFound, StoreUnavailable
from baton.engine import aio
from baton.engine.aio import Backoff, in_thread, retry_store, uncancelled

pytestmark = pytest.mark.anyio


async def test_a_blocking_call_runs_off_the_loop() -> None:
    def add(number: int, *, plus: int) -> tuple[int, int]:
        return number + plus, threading.get_ident()

    total, thread = await in_thread(add, 1, plus=2)
    assert (total, thread != threading.get_ident()) == (3, True)


async def test_what_a_blocking_call_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        await in_thread(lambda: 1 // 0)


async def test_a_blocking_call_goes_on_when_nobody_waits_for_it_any_more() -> None:
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        may_end.wait(10)
        ended.set()

    task = asyncio.create_task(in_thread(work))
    while not begun.is_set():
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not ended.is_set()
    may_end.set()
    assert await in_thread(ended.wait, 10)


def test_the_loop_waits_at_its_end_for_blocking_calls_under_way() -> None:
    begun, ended = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        time.sleep(0.05)
        ended.set()

    async def leave_it() -> None:
        task = asyncio.create_task(in_thread(work))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        task.cancel()

    asyncio.run(leave_it())
    assert ended.is_set()


async def test_a_blocking_call_knows_the_context_of_its_caller() -> None:
    said: ContextVar[str] = ContextVar("said")
    said.set("here")
    assert await in_thread(said.get) == "here"


async def test_uncancelled_work_is_done_before_the_cancel_is_raised() -> None:
    begun, may_end, done = asyncio.Event(), asyncio.Event(), False

    async def work() -> None:
        nonlocal done
        begun.set()
        await may_end.wait()
        done = True

    task = asyncio.create_task(uncancelled(work()))
    await begun.wait()
    for _ in range(2):
        task.cancel()
        await asyncio.sleep(0)
        assert not task.done()
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done


async def test_uncancelled_gives_the_result_and_raises_the_error() -> None:
    async def fail() -> None:
        raise NotFound(noun="thing", value="x", suggestion="")

    assert await uncancelled(asyncio.sleep(0, "result")) == "result"
    with pytest.raises(NotFound):
        await uncancelled(fail())


async def test_a_store_that_is_away_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aio, "_RETRY_EVERY", 0.0)
    answers = [StoreUnavailable(reason="away"), StoreUnavailable(reason="away"), None]

    def act() -> str:
        if (error := answers.pop(0)) is not None:
            raise error
        return "here"

    assert await retry_store(act) == "here"


async def test_a_store_that_stays_away_is_given_up() -> None:
    def act() -> None:
        raise StoreUnavailable(reason="away")

    with pytest.raises(StoreUnavailable):
        await retry_store(act, 0.0)


def test_pauses_double_up_to_the_ceiling() -> None:
    steady = Backoff(0.25, 60.0, jitter=0.0)
    assert [steady.pause_after(tries) for tries in (0, 1, 2, 7, 8, 5000)] == [0.25, 0.5, 1.0, 32.0, 60.0, 60.0]


def test_jitter_only_shortens() -> None:
    pauses = [Backoff(1.0, 30.0, jitter=0.5).pause_after(0) for _ in range(200)]
    assert 0.5 <= min(pauses) <= max(pauses) <= 1.0
    assert len(set(pauses)) > 100


async def test_each_wait_is_longer_until_something_succeeds(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    backoff = Backoff(1.0, 4.0, jitter=0.0)
    for at_least in (0.0, 0.0, 9.0, 0.0):
        await backoff.wait(at_least)
    backoff.reset()
    await backoff.wait()
    assert waited == [1.0, 2.0, 9.0, 4.0, 1.0]
