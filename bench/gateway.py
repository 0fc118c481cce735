"""The gateway: a transfer from the request to the greeting, and two hundred conversations at once.

The gateway is a process of its own with a real store; the platform is in memory and the model answers at once, so what
is left is Baton's own time. Times of a transfer are seen from the process that asked for it.
"""

from __future__ import annotations

import asyncio
import random
import resource
import tempfile
import time
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from baton.core.log.entry import ASSISTANT, USER, NewEntry
from baton.core.transfer import transfer as rules
from baton.core.transfer.place import Place
from baton.core.transfer.transfer import Transfer
from baton.ports.platform import Outgoing
from baton.ports.store import WORK, Store, Waiter
from baton.testing.model import FakeModel
from baton.testing.service import FakeService
from bench.bed import Ground
from bench.figure import SQLITE, Figure, against_floor
from bench.plan import Plan
from bench.progress import say
from bench.timing import Pair, Timing

FLOOR_IS = "a message through a bare pipe to the same process and back"
GIVE_UP = 60.0
CONVERSATIONS = 200
PACE = 30.0
"""Messages a second, together, that 200 conversations send in the steady part."""
ENTRIES = 40
SPAWN = get_context("spawn")


def measure(ground: Ground, plan: Plan) -> list[Figure]:
    here, there = SPAWN.Pipe()
    process = SPAWN.Process(target=_serve, args=(ground, plan.messages, there), daemon=True)
    process.start()
    there.close()
    assert here.recv() == "ready"
    try:
        figures = _transfers(ground, plan.transfers, here)
        if ground.backend == SQLITE:
            say(f"  {CONVERSATIONS} conversations at once, {plan.messages} messages each")
            figures += _load(ground, here)
    finally:
        here.send("stop")
        process.join(GIVE_UP)
    return figures


def _transfers(ground: Ground, count: int, pipe: Connection) -> list[Figure]:
    claimed, arrived, floor = [], [], []
    with closing(ground.open()) as store, closing(store.waiter(WORK)) as waiter:
        for number in range(count):
            conversation_id = _conversation(store, number)
            began = time.monotonic_ns()
            transfer = store.transfers.request(conversation_id, "terminal:local", "telegram")
            claimed.append(_until(store, waiter, transfer, began, lambda each: each.state != rules.PENDING))
            arrived.append(_until(store, waiter, transfer, began, lambda each: each.state not in rules.ACTIVE))
            assert store.transfers.get(transfer.id).state == rules.COMPLETED
            began = time.monotonic_ns()
            pipe.send("echo")
            pipe.recv()
            floor.append((time.monotonic_ns() - began) / 1e6)
    rounds = [([ours], [theirs]) for ours, theirs in zip(claimed, floor, strict=True)]
    return [
        against_floor("transfer_claimed", ground.backend, None, Pair.of(rounds), FLOOR_IS),
        Figure("transfer_greeted", ground.backend, baton=Timing.of(arrived)),
    ]


def _conversation(store: Store, number: int) -> str:
    conversation, session = store.conversations.start(f"conversation {number}")
    proof = store.conversations.claim(conversation.id, "bench", 60)
    said = [NewEntry(kind, {"text": f"word {seq} of many"}) for seq in range(ENTRIES) for kind in (USER, ASSISTANT)]
    store.entries.append(proof, session.id, said)
    store.conversations.release(proof)
    return conversation.id


def _until(store: Store, waiter: Waiter, transfer: Transfer, began: int, reached: object) -> float:
    """Milliseconds until it is seen to have come so far."""
    assert callable(reached)
    while not reached(store.transfers.get(transfer.id)):
        waiter.wait(GIVE_UP)
    return (time.monotonic_ns() - began) / 1e6


def _load(ground: Ground, pipe: Connection) -> list[Figure]:
    pipe.send("load")
    told = pipe.recv()
    facts = {key: told[key] for key in ("burst_seconds", "per_second", "cpu_ms", "rss_mb", "conversations")}
    return [Figure("gateway_load", ground.backend, baton=Timing.of(told["milliseconds"]), facts=facts)]


class _Stopwatch(FakeService):
    """Knows when each message came, and when its answer was handed over."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.came: dict[Place, float] = {}
        self.milliseconds: list[float] = []

    def ask(self, place: Place, text: str) -> None:
        self.came[place] = time.monotonic()
        self.says(place, text)

    async def post(self, place: Place, message: Outgoing, key: str, *, drop_known: bool) -> str:
        if began := self.came.pop(place, 0.0):
            self.milliseconds.append(1e3 * (time.monotonic() - began))
        return await super().post(place, message, key, drop_known=drop_known)


def _serve(ground: Ground, messages: int, pipe: Connection) -> None:
    with closing(ground.open()) as store, tempfile.TemporaryDirectory(prefix="baton-bench-") as directory:
        asyncio.run(_gateway(store, Path(directory), messages, pipe))


async def _gateway(store: Store, directory: Path, messages: int, pipe: Connection) -> None:
    from tests.support.small_gateway import SmallGateway

    service = _Stopwatch("telegram")
    async with SmallGateway(store, directory, FakeModel([["Noted."]]), services={"telegram": service}, lease=30.0):
        pipe.send("ready")
        while (word := await asyncio.to_thread(pipe.recv)) != "stop":
            pipe.send(await _busy(service, messages) if word == "load" else word)


async def _busy(service: _Stopwatch, messages: int) -> dict[str, object]:
    """First all of them at the same moment, then steadily, in no order."""
    places = [Place("telegram", str(1000 + number)) for number in range(CONVERSATIONS)]
    began = time.monotonic()
    for place in places:
        service.ask(place, "hello")
    while service.came:
        await asyncio.sleep(0.01)
    burst = time.monotonic() - began
    service.milliseconds.clear()
    dice, used, began = random.Random(7), time.process_time(), time.monotonic()
    for number in range(messages * CONVERSATIONS):
        await asyncio.sleep(max(0.0, began + number / PACE - time.monotonic()))
        place = dice.choice(places)
        if place not in service.came:
            service.ask(place, f"message {number}")
    while service.came:
        await asyncio.sleep(0.01)
    count = len(service.milliseconds)
    return {
        "milliseconds": service.milliseconds,
        "burst_seconds": burst,
        "per_second": CONVERSATIONS / burst,
        "cpu_ms": 1e3 * (time.process_time() - used) / count,
        "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "conversations": CONVERSATIONS,
    }
