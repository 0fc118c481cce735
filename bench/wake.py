"""Wake-up: from another process's commit to the moment a waiting process runs again, and what waiting costs."""

from __future__ import annotations

import random
import time
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.connection import Connection

from baton.core.log.entry import USER, NewEntry
from baton.ports.store import LOG, Store, Waiter
from bench.bed import Ground
from bench.figure import Figure, against_floor
from bench.plan import Plan
from bench.progress import say
from bench.timing import Pair, Timing

FLOOR_IS = "a message through a bare pipe between the same two processes"
GIVE_UP = 30.0
PAUSE = (0.002, 0.02)
SPAWN = get_context("spawn")


def measure(ground: Ground, plan: Plan) -> list[Figure]:
    with closing(ground.open()) as store:
        conversation, session = store.conversations.start("wake-up")
    figure = _wake(ground, conversation.id, session.id, plan.wake_ups)
    say(f"  {plan.idle_seconds:.0f} s of waiting for nothing")
    return [figure, _idle(ground, plan.idle_seconds)]


def _wake(ground: Ground, conversation_id: str, session_id: str, count: int) -> Figure:
    """Times run from the writer's call; `since_return` in the facts from when its append had returned.

    A waiter is woken after the commit but before the append returns, so the latter may be negative and counts as 0.
    """
    here, there = SPAWN.Pipe()
    writer = SPAWN.Process(target=_write, args=(ground, conversation_id, session_id, count, there), daemon=True)
    writer.start()
    there.close()
    from_call, since_return, floor = [], [], []
    with closing(ground.open()) as store, closing(store.waiter(LOG)) as waiter:
        here.recv_bytes()
        for number in range(1, count + 1):
            here.send_bytes(b"append")
            woken = _seen(store, waiter, session_id, number)
            called, returned = _stamps(here)
            from_call.append((woken - called) / 1e6)
            since_return.append(max(0, woken - returned) / 1e6)
            here.send_bytes(b"pipe")
            sent = int(here.recv_bytes())
            floor.append((time.monotonic_ns() - sent) / 1e6)
    writer.join(GIVE_UP)
    since = Timing.of(since_return)
    facts = {"since_return": {"p50": since.median, "p99": since.p99, "max": since.max}}
    pair = Pair.of([([ours], [theirs]) for ours, theirs in zip(from_call, floor, strict=True)])
    return against_floor("wake", ground.backend, None, pair, FLOOR_IS, facts)


def _seen(store: Store, waiter: Waiter, session_id: str, number: int) -> int:
    """When the waiter returned for the entry that is number `number`: waking up too early is waiting on."""
    end = time.monotonic() + GIVE_UP
    while time.monotonic() < end:
        waiter.wait(GIVE_UP)
        woken = time.monotonic_ns()
        if store.sessions.get(session_id).entries >= number:
            return woken
    raise TimeoutError(f"no wake-up within {GIVE_UP} s")


def _stamps(pipe: Connection) -> tuple[int, int]:
    called, returned = pipe.recv_bytes().split()
    return int(called), int(returned)


def _write(ground: Ground, conversation_id: str, session_id: str, count: int, pipe: Connection) -> None:
    """The writing process: at each word from the other side, after a pause, one append or one message."""
    dice = random.Random(1)
    with closing(ground.open()) as store:
        proof = store.conversations.claim(conversation_id, "writer", 3600)
        pipe.send_bytes(b"ready")
        for number in range(count):
            pipe.recv_bytes()
            time.sleep(dice.uniform(*PAUSE))
            called = time.monotonic_ns()
            store.entries.append(proof, session_id, [NewEntry(USER, {"text": f"event {number}"})])
            pipe.send_bytes(b"%d %d" % (called, time.monotonic_ns()))
            pipe.recv_bytes()
            time.sleep(dice.uniform(*PAUSE))
            pipe.send_bytes(b"%d" % time.monotonic_ns())


def _idle(ground: Ground, seconds: float) -> Figure:
    here, there = SPAWN.Pipe()
    process = SPAWN.Process(target=_wait, args=(ground, seconds, there), daemon=True)
    process.start()
    used, passed = (float(part) for part in here.recv_bytes().split())
    process.join(GIVE_UP)
    return Figure("idle", ground.backend, facts={"cpu_percent": 100 * used / passed, "seconds": passed})


def _wait(ground: Ground, seconds: float, pipe: Connection) -> None:
    """The waiting process: CPU seconds of all its threads, and seconds passed."""
    with closing(ground.open()) as store, closing(store.waiter(LOG)) as waiter:
        waiter.wait(0.5)
        began, used = time.monotonic(), time.process_time()
        while (left := seconds - (time.monotonic() - began)) > 0:
            waiter.wait(left)
        pipe.send_bytes(b"%f %f" % (time.process_time() - used, time.monotonic() - began))
