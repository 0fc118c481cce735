"""What a runtime may drop from memory, and what it must not: whoever works on, watches or owes something stays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from baton.core.agent.event import TurnEnded
from baton.core.log.payloads import UserInput
from baton.engine.turns.queue import TurnQueue
from baton.engine.turns.writer import SessionWriter
from baton.ports.store import Store
from baton.testing.model import FakeModel
from tests.engine.conftest import Bench, soon
from tests.support.doubtful import doubtful
from tests.support.workers.mortal import commits

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]


async def test_a_quiet_conversation_is_dropped_and_comes_back_whole(bench: Make) -> None:
    made = bench(FakeModel(lambda prompt: [f"{len(prompt.messages)}"]))
    for said in (1, 3, 5):
        await made.turn("hello")
        assert made.entries()[-2].data["text"] == str(said)
        await soon(lambda: not made.runtime.busy(made.conversation_id))
        assert made.runtime.forget_idle(60.0) == 0, "it was used just now"
        assert made.runtime.forget_idle(0.0) == 1
        assert made.runtime.forget_idle(0.0) == 0


async def test_one_that_somebody_watches_stays(bench: Make) -> None:
    made = bench(FakeModel([["hello"]]))
    watching = made.runtime.watch(made.conversation_id)
    assert made.runtime.forget_idle(0.0) == 0
    await made.runtime.send(made.conversation_id, UserInput("hi"))
    async with asyncio.timeout(30):
        while not isinstance(await watching.next(), TurnEnded):
            pass
    watching.close()
    await soon(lambda: made.runtime.forget_idle(0.0) == 1)


async def test_one_that_is_about_to_get_work_stays(bench: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made, entered, go = bench(FakeModel([["hello"]])), asyncio.Event(), asyncio.Event()
    whether = TurnQueue.is_running

    async def is_running(queue: TurnQueue) -> bool:
        entered.set()
        await go.wait()
        return await whether(queue)

    monkeypatch.setattr(TurnQueue, "is_running", is_running)
    sending = asyncio.create_task(made.runtime.submit(made.conversation_id, UserInput("hi")))
    await entered.wait()
    assert made.runtime.forget_idle(0.0) == 0
    go.set()
    await sending


async def test_one_that_is_being_written_to_stays(bench: Make) -> None:
    made = bench(FakeModel([["hello"]]))

    async def act(writer: SessionWriter) -> int:
        return made.runtime.forget_idle(0.0)

    assert await made.runtime.write(made.conversation_id, act) == 0


@pytest.mark.parametrize("point", commits("end"))
async def test_one_whose_turn_has_no_end_yet_stays_known_as_such(bench: Make, store: Store, point: str) -> None:
    _, outage = doubtful(store, point)
    made = bench(FakeModel([["hello"]]))
    await made.turn("one")
    await soon(lambda: outage.over)
    left = made.runtime.left_open(made.conversation_id)
    made.runtime.forget_idle(0.0)
    assert left is made.runtime.left_open(made.conversation_id) is True
