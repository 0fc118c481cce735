"""A question is answered once, wherever the person is: by the surface that asked, or by any other through the store."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from baton.core.agent.choice import NO, YES
from baton.core.agent.event import ApprovalAnswered, ApprovalAsked, ToolEnded, TurnEnded
from baton.core.agent.message import Call
from baton.core.agent.question import LAPSED, TAKEN, Question
from baton.core.errors import AnsweredAlready, QuestionGone
from baton.core.log.payloads import UserInput
from baton.core.value import replace
from baton.engine.turns import questions, stopping
from baton.engine.turns.parts import Parts
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.ports.approver import Answer
from baton.ports.store import Store
from baton.ports.tool import Outcome, Output
from baton.surfaces.shared.approvals import PendingApprover
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, FakeMemory, FakeTool, soon

pytestmark = pytest.mark.anyio


class Shop:
    """A turn of one process that asks before it deploys."""

    def __init__(self, store: Store, command: str = "deploy", conversation_id: str = "", surface: str = "test") -> None:
        self.store = store
        self.ran: list[str] = []
        self.events: list[Any] = []
        self.approver = PendingApprover()
        self.conversation_id = conversation_id or store.conversations.start("test")[0].id
        tool = FakeTool("tool", self._run, "execute")
        toolbox = Toolbox([tool], self.approver, FakeMemory(), "ask", clean=_clean)
        model = FakeModel([[Call("c1", "tool", {"command": command})], ["done"]])
        self.runtime = Runtime(store, lambda _: Parts(model, toolbox, QUICK), surface=surface)
        self.task: asyncio.Task[None] | None = None

    async def _run(self, args: Mapping[str, Any], _: Output) -> Outcome:
        self.ran.append(str(args["command"]))
        return Outcome("done")

    async def begin(self) -> Question:
        self.task = asyncio.create_task(self._turn())
        await soon(lambda: bool(self.open) or bool(self.ran))
        return self.open[0] if self.open else None  # type: ignore[return-value]

    @property
    def open(self) -> list[Question]:
        return questions.list_open(self.store, self.conversation_id)

    async def _turn(self) -> None:
        async for event in self.runtime.turn(self.conversation_id, UserInput("go")):
            self.events.append(event)

    async def end(self) -> None:
        assert self.task is not None
        async with asyncio.timeout(20):
            await self.task

    def found(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


def _clean(text: str) -> str:
    return text.replace("hunter2", "[redacted: password]")


async def test_another_surface_answers_and_the_turn_continues(store: Store) -> None:
    shop = Shop(store)
    question = await shop.begin()
    given = questions.answer(store, question, YES, where="telegram", by="Ada")
    await shop.end()
    assert (shop.ran, given.kept, shop.open) == (["deploy"], False, [])
    (asked,), (told,) = shop.found(ApprovalAsked), shop.found(ApprovalAnswered)
    assert asked.handle == question.handle
    assert told == ApprovalAnswered("c1", allowed=True, elsewhere="allowed on Telegram by Ada")
    assert not shop.approver.answer("c1", Answer("yes"))


async def test_a_no_from_another_surface_refuses_the_call(store: Store) -> None:
    shop = Shop(store)
    questions.answer(store, await shop.begin(), NO, where="api")
    await shop.end()
    assert not shop.ran
    assert "the user said no" in shop.found(ToolEnded)[0].text


async def test_an_answer_here_is_stored_and_a_later_one_is_told_so(store: Store) -> None:
    shop = Shop(store, surface="terminal")
    question = await shop.begin()
    shop.approver.answer("c1", Answer("yes"))
    await shop.end()
    assert shop.found(ApprovalAnswered) == [ApprovalAnswered("c1", allowed=True)]
    with pytest.raises(AnsweredAlready, match=r"Already answered: allowed in a terminal\."):
        questions.answer(store, question, NO, where="telegram")
    assert shop.ran == ["deploy"]


async def test_of_two_answers_in_the_same_moment_the_first_stored_one_counts(store: Store) -> None:
    shop = Shop(store)
    question = await shop.begin()
    said = [YES, NO] * 4

    def give(choice: str) -> str:
        try:
            questions.answer(store, question, choice, where="telegram")
        except AnsweredAlready:
            return ""
        return choice

    counted = [won for won in await asyncio.gather(*(asyncio.to_thread(give, each) for each in said)) if won]
    await shop.end()
    assert len(counted) == 1
    assert shop.ran == (["deploy"] if counted == [YES] else [])


async def test_the_surface_that_asked_is_overtaken_by_an_answer_that_was_stored_first(store: Store) -> None:
    shop = Shop(store)
    question = await shop.begin()
    questions.answer(store, question, NO, where="matrix")
    shop.approver.answer("c1", Answer("yes"))
    await shop.end()
    assert not shop.ran
    assert shop.found(ApprovalAnswered)[0].elsewhere == "refused on Matrix"


async def test_a_stop_while_the_question_is_written_takes_it_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end, put = threading.Event(), store.register.put

    def put_slowly(*args: Any, **more: Any) -> Any:
        record = put(*args, **more)
        may_end.wait(20)
        return record

    monkeypatch.setattr(store.register, "put", put_slowly)
    shop = Shop(store)
    question = await shop.begin()
    stop = asyncio.create_task(shop.runtime.cancel(shop.conversation_id))
    await asyncio.sleep(0.1)
    may_end.set()
    await stop
    await shop.end()
    assert questions.find(store, shop.conversation_id, question.handle).state == LAPSED
    assert not shop.ran


async def test_a_stopped_turn_takes_its_question_back(store: Store) -> None:
    shop = Shop(store)
    question = await shop.begin()
    assert await shop.runtime.cancel(shop.conversation_id)
    await shop.end()
    assert questions.find(store, shop.conversation_id, question.handle).state == LAPSED
    assert shop.open == []
    with pytest.raises(QuestionGone):
        questions.answer(store, question, YES, where="telegram")


async def test_an_answer_for_another_call_is_never_acted_on(store: Store) -> None:
    """Whoever changes what is stored cannot have something else approved."""
    shop = Shop(store)
    question = await shop.begin()
    forged = replace(question, digest="0" * 64, state="answered", choice=YES, where="telegram")
    store.register.put(question.key, _body(forged))
    await shop.end()
    assert not shop.ran


async def test_an_answer_for_a_process_that_died_is_kept_for_the_same_call(store: Store) -> None:
    dead = Shop(store)
    question = await dead.begin()
    await _kill(dead)
    assert questions.list_open(store, dead.conversation_id) == []
    assert questions.answer(store, question, YES, where="telegram", by="Ada").kept
    after = Shop(store, conversation_id=dead.conversation_id)
    await after.begin()
    await after.end()
    assert after.ran == ["deploy"]
    assert questions.find(store, dead.conversation_id, question.handle).state == TAKEN
    again = Shop(store, conversation_id=dead.conversation_id)
    assert (await again.begin()).handle != question.handle, "an answer was used twice"
    await again.runtime.cancel(again.conversation_id)
    await again.end()


async def test_an_answer_for_a_process_that_died_is_for_no_other_call(store: Store) -> None:
    dead = Shop(store)
    question = await dead.begin()
    await _kill(dead)
    questions.answer(store, question, YES, where="telegram")
    after = Shop(store, command="deploy --force", conversation_id=dead.conversation_id)
    assert (await after.begin()).handle != question.handle
    assert not after.ran
    await after.runtime.cancel(after.conversation_id)
    await after.end()


async def test_what_is_stored_of_a_question_holds_no_secret(store: Store) -> None:
    shop = Shop(store, command="curl -u me:hunter2 example.org")
    await shop.begin()
    stored = str([record.body for record in store.register.list("question/")])
    assert "curl" in stored
    assert "hunter2" not in stored
    shop.approver.answer("c1", Answer("yes"))
    await shop.end()
    assert shop.ran == ["curl -u me:hunter2 example.org"]


async def test_a_turn_is_stopped_from_another_process(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("baton.engine.turns.queue.LOOK", 0.02)
    shop = Shop(store)
    question = await shop.begin()
    assert await stopping.stop_elsewhere(store, shop.conversation_id) == stopping.STOPPED
    await shop.end()
    assert shop.found(TurnEnded)[0].reason == "cancelled"
    assert questions.find(store, shop.conversation_id, question.handle).state == LAPSED
    assert await stopping.stop_elsewhere(store, shop.conversation_id) == stopping.NOTHING


async def test_a_wish_to_stop_is_for_no_later_turn(store: Store) -> None:
    conversation, _ = store.conversations.start("test")
    proof = store.conversations.claim(conversation.id, "test", 30)
    assert await stopping.stop_elsewhere(store, conversation.id, patience=0) == stopping.ASKED
    store.register.put(f"stop/{conversation.id}", {"epoch": proof.epoch})
    assert not stopping.is_wished(store, conversation.id, proof.epoch + 1)
    assert stopping.is_wished(store, conversation.id, proof.epoch)
    assert not stopping.is_wished(store, conversation.id, proof.epoch)


async def _kill(shop: Shop) -> None:
    """As kill -9 does: the question stays as it is stored, and its conversation is free for another process."""
    kept = list(shop.store.register.list("question/"))
    await shop.runtime.cancel(shop.conversation_id)
    await shop.end()
    for record in kept:
        shop.store.register.put(record.key, record.data)


def _body(question: Question) -> dict[str, Any]:
    from baton.core.agent.question import to_body

    return to_body(question)
