"""A conversation that is dropped from memory comes back whole: in the middle of everything that can be under way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.adapters.tools.session_handoff import SessionHandoff
from baton.core.agent.message import Call, Prompt, UserMessage
from baton.core.handoff.policy import PROMPT_USER, Policy
from baton.core.log.payloads import UserInput
from baton.core.transfer.place import Place
from baton.ports.store import Store
from baton.surfaces.gateway import correspondence
from baton.testing.model import FakeModel
from tests.support.doubtful import Occupied, doubtful
from tests.support.handoffs import kit, repository
from tests.support.small_gateway import HOME, Deploy, SmallGateway, heard, quiet, soon
from tests.support.workers.gatewaying import answer
from tests.support.workers.mortal import commits
from tests.surface.gateway.conftest import Make

pytestmark = pytest.mark.anyio
WORDS = [f"word {number}" for number in range(4)]
INBOUND = commits("taken", "own", "input", "queued", "word", "end", "release", "post", "sending", "settled")


@pytest.fixture(autouse=True)
def leave_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever follows a conversation keeps it in memory; here nobody does so longer than for a turn."""
    monkeypatch.setattr(correspondence, "_LINGER", 0.01)


def forget(small: SmallGateway) -> int:
    return small.gateway.parts.runtime.forget_idle(0.0)


async def forgotten(small: SmallGateway) -> None:
    """Returns once nothing is left in memory."""
    await soon(lambda: quiet(small) and (forget(small) or True) and not held(small), "everything to be dropped")


def held(small: SmallGateway) -> list[str]:
    runtime: Any = small.gateway.parts.runtime
    return [*runtime._queues, *small.gateway.parts.correspondence._followed]


@asynccontextmanager
async def forgetful(small: SmallGateway) -> AsyncIterator[Callable[[], int]]:
    """Everything that is idle is dropped, over and over."""
    dropped = 0

    async def drop() -> None:
        nonlocal dropped
        while True:
            dropped += forget(small)
            await asyncio.sleep(0.002)

    dropping = asyncio.create_task(drop())
    try:
        yield lambda: dropped
    finally:
        dropping.cancel()
        with suppress(asyncio.CancelledError):
            await dropping


async def test_it_knows_what_was_said_before_it_was_dropped(make: Make) -> None:
    async with make() as small:
        for number, text in enumerate(("one", "two", "three"), 1):
            small.telegram.says(HOME, text)
            assert (await small.texts(HOME, number))[-1] == f"{number}: {text}"
            await forgotten(small)


async def test_input_that_waits_for_a_turn_keeps_it_in_memory_and_is_answered_in_order(make: Make) -> None:
    def slow(prompt: Prompt) -> Sequence[Any]:
        said = [message.text for message in prompt.messages if isinstance(message, UserMessage)]
        return [0.05, f"{len(said)}: {said[-1]}"]

    async with make(FakeModel(slow)) as small, forgetful(small) as count:
        for text in ("one", "two", "three"):
            small.telegram.says(HOME, text)
        assert await small.texts(HOME, 3) == ["1: one", "2: two", "3: three"]
        await soon(count, "it to be dropped at last")
    assert heard(small) == ["one", "two", "three"]


async def test_a_question_that_is_open_stays_open(make: Make) -> None:
    tool = Deploy()
    model = FakeModel([[Call("c1", "deploy", {})], ["Done."]])
    async with make(model, tools=[tool]) as small, forgetful(small):
        small.telegram.says(HOME, "deploy it")
        [asked] = await soon(lambda: [each for each in small.telegram.messages(HOME) if each.buttons], "the question")
        await asyncio.sleep(0.05)
        small.telegram.presses(HOME, asked.receipt, asked.buttons[0].choice)
        await soon(lambda: "Done." in small.telegram.texts(HOME), "the end")
    assert tool.done == 1


@pytest.mark.parametrize("word", ["start", "cancel"])
async def test_a_draft_is_answered_after_its_conversation_was_dropped(
    make: Make, isolated: Path, tmp_path: Path, store: Store, word: str
) -> None:
    def worker(prompt: Prompt) -> list[Any]:
        last = prompt.messages[-1]
        wants = isinstance(last, UserMessage) and last.text == "fresh"
        return [Call("call-1", "session_handoff", {"reason": "it is long"})] if wants else ["On it."]

    policy = Policy(enabled=True, mode=PROMPT_USER, require_clean_checkpoint=False)
    async with make(FakeModel(worker), tools=[SessionHandoff()]) as small:
        small.host.handoff = kit(repository(isolated), tmp_path / "home", policy)
        small.telegram.says(HOME, "fresh")
        await soon(lambda: any(each.file for each in small.telegram.messages(HOME)), "the packet")
        await forgotten(small)
        sessions = len(store.sessions.of(small.conversation().id))
        small.telegram.says(HOME, word)
        await soon(lambda: "On it." in small.telegram.texts(HOME), "the turn that waited for the answer")
        assert len(store.sessions.of(small.conversation().id)) == sessions + (word == "start")
        assert store.drafts.list_waiting(small.conversation().id) == []


async def test_a_turn_that_the_store_left_without_an_end_is_not_dropped_before_it_is_continued(tmp_path: Path) -> None:
    """At each write of a message's way the store goes away, while everything that is idle is dropped."""

    async def one(number: int) -> None:
        work = tmp_path / str(number)
        with closing(open_sqlite(str(work / "baton.db"))) as whole:
            store, outage = doubtful(whole, INBOUND[number])
            async with SmallGateway(store, work, Occupied(outage)) as small, forgetful(small):
                for text in WORDS:
                    small.telegram.says(HOME, text)
                await soon(lambda: outage.over, "the outage")
                await soon(lambda: len(small.telegram.texts(HOME)) >= len(WORDS) and quiet(small), "the answers")
                assert small.telegram.texts(HOME) == [answer(text) for text in WORDS]
                assert heard(small) == WORDS

    ends = await asyncio.gather(*map(one, range(len(INBOUND))), return_exceptions=True)
    assert [(point, str(end)) for point, end in zip(INBOUND, ends, strict=True) if end] == []


async def test_a_turn_that_is_cut_in_a_dropped_conversation_is_continued_by_the_next_gateway(make: Make) -> None:
    first = make(FakeModel([["Before."], ["half", 30.0]]))
    async with first:
        first.telegram.says(HOME, "one")
        await first.texts(HOME)
        await forgotten(first)
        first.telegram.says(HOME, "two")
        await soon(lambda: heard(first) == ["one", "two"], "the turn")
    async with make(FakeModel([["After."]]), services=first.services) as second:
        await soon(lambda: "After." in second.telegram.texts(HOME), "the rest")
        assert heard(second) == ["one", "two"]


async def test_many_conversations_leave_nothing_in_memory(make: Make) -> None:
    places = [Place("telegram", "777", str(number)) for number in range(30)]
    async with make() as small:
        for place in places:
            small.telegram.says(place, "hello")
        await asyncio.gather(*(small.texts(place) for place in places))
        assert len(held(small)) >= 1
        await forgotten(small)
        assert held(small) == []


async def test_whoever_is_about_to_give_it_work_keeps_it_in_memory(make: Make) -> None:
    """A second queue of the same conversation would fence the first one out."""
    async with make() as small, forgetful(small):
        conversation = small.terminal("before")
        runtime = small.gateway.parts.runtime
        for number in range(20):
            await runtime.submit(conversation.id, UserInput(f"word {number}"))
        await soon(lambda: not runtime.busy(conversation.id), "the turns")
    said = [entry.data["text"] for entry in small.entries(conversation) if entry.kind == "user"]
    assert said == ["before", *(f"word {number}" for number in range(20))]
