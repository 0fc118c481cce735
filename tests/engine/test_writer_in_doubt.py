"""A store that does not say whether it kept something: the turn that asked ends, and what comes next knows."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from baton.core.agent.event import TurnEnded
from baton.core.errors import LeftOpen
from baton.core.ids import new_id
from baton.core.log.payloads import QueuedInput, UserInput, new_entry
from baton.core.value import replace
from baton.engine.processes import new_owner
from baton.engine.turns.writer import SessionWriter
from baton.ports.store import Store
from baton.testing.model import FakeModel
from tests.engine.conftest import Bench, soon
from tests.support.doubtful import doubtful
from tests.support.workers.mortal import commits

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]


@pytest.mark.parametrize("point", commits("input", "word", "end", "own", "release"))
async def test_the_next_turn_knows_what_was_kept(bench: Make, store: Store, point: str) -> None:
    _, outage = doubtful(store, point)
    made = bench(FakeModel(lambda prompt: [f"{len(prompt.messages)}"]))
    await made.turn("one")
    await soon(lambda: outage.over)
    assert isinstance(ended := (await made.turn("two"))[-1], TurnEnded)
    assert (ended.reason, ended.error) == ("completed", "")
    entries = made.entries()
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    assert [entry.data["text"] for entry in entries if entry.kind == "user"][-1] == "two"
    said = [entry.data["text"] for entry in entries if entry.kind == "assistant"][-1]
    assert int(said) == sum(entry.kind in ("user", "assistant") for entry in entries) - 1, "it saw all of it"


@pytest.mark.parametrize("point", commits("queued"))
async def test_input_that_comes_meanwhile_is_kept_once_and_answered_once(bench: Make, store: Store, point: str) -> None:
    _, outage = doubtful(store, point)
    others_wait = asyncio.Event()
    made = bench(FakeModel(lambda prompt: [others_wait, f"answer to {prompt.messages[-1].text}"]))
    watching = made.runtime.watch(made.conversation_id)
    for text in ("one", "two", "three"):
        await made.runtime.send(made.conversation_id, UserInput(text))
    others_wait.set()
    ended: list[str] = []
    while len(ended) < 3:
        event = await watching.next()
        ended += [event.reason] if isinstance(event, TurnEnded) else []
    await soon(lambda: outage.over)
    said = [entry.data["text"] for entry in made.entries() if entry.kind == "user"]
    assert said == ["one", "two", "three"]
    assert len([entry for entry in made.entries() if entry.kind == "queued"]) <= 2
    assert await made.runtime.recover(made.conversation_id) == []


async def test_what_another_process_put_into_the_queue_comes_first_and_nothing_is_taken_for_lost(
    bench: Make, store: Store
) -> None:
    made = bench(FakeModel(lambda prompt: [f"answer to {prompt.messages[-1].text}"]))
    head = store.conversations.get(made.conversation_id).head_id
    other = store.conversations.claim(made.conversation_id, "gateway:2", 30)
    one, two = (UserInput(f"word {number}", place="telegram:1", inbox=f"telegram:m{number}") for number in (1, 2))
    queued = [new_entry(QueuedInput(given, f"u_{index}")) for index, given in enumerate((one, two))]
    store.entries.append(other, head, queued)
    store.conversations.release(other)
    await made.runtime.submit(made.conversation_id, two)
    await soon(lambda: made.kinds().count("turn_ended") == 2)
    said = [entry.data["text"] for entry in made.entries() if entry.kind == "user"]
    assert said == ["word 1", "word 2"]


async def test_a_turn_that_was_cut_at_a_place_goes_on_before_anything_else_there(bench: Make, store: Store) -> None:
    made = bench(FakeModel([["never"]]))
    head = store.conversations.get(made.conversation_id).head_id
    other = store.conversations.claim(made.conversation_id, "gateway:2", 30)
    there = UserInput("work", place="telegram:1")
    store.entries.append(other, head, [new_entry(replace(there, turn="u_cut"))])
    store.conversations.release(other)
    with pytest.raises(LeftOpen):
        await made.runtime.submit(made.conversation_id, replace(there, inbox="telegram:m2"))
    assert made.kinds() == ["user"]
    await soon(lambda: made.runtime.left_open(made.conversation_id))
    assert not made.runtime.left_whole(store.conversations.get(made.conversation_id)), "somebody has to revive it"


async def test_what_is_acknowledged_late_is_counted_once(
    bench: Make, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry is stored as a turn ends, and the thread that stored it comes back only when the next turn begins."""
    made = bench(FakeModel([["hello"]]))
    writer = SessionWriter(store, made.conversation_id, new_owner("test"), 60)
    append, stored, may_return = store.entries.append, threading.Event(), threading.Event()

    def late(*given: Any, **named: Any) -> Any:
        entries = append(*given, **named)
        stored.set()
        may_return.wait(10)
        return entries

    monkeypatch.setattr(store.entries, "append", late)
    async with writer:
        appending = asyncio.create_task(writer.append(new_entry(QueuedInput(UserInput("one"), new_id("turn")))))
        await soon(stored.is_set)
    asyncio.get_running_loop().call_later(0.05, may_return.set)
    async with writer:
        await appending
        assert len(writer.entries) == 1
        await writer.append(new_entry(QueuedInput(UserInput("two"), new_id("turn"))))
    assert [entry.data["text"] for entry in made.entries()] == ["one", "two"]
