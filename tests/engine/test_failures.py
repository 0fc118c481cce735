"""The same call that fails the same way: the model is told after the second time, a person is asked after the third."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from baton.core.agent.choice import NO, YES
from baton.core.agent.event import ApprovalAsked, ToolEnded, TurnEnded
from baton.core.agent.message import Call
from baton.core.errors import ToolError
from baton.core.log.payloads import UserInput
from baton.engine.turns.failures import NOTE
from baton.engine.turns.parts import Parts
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.ports.approver import Answer
from baton.ports.store import Store
from baton.ports.tool import Intent, Outcome, Output
from baton.surfaces.shared.approvals import NoApprover
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, FakeMemory, FakeTool
from tests.engine.test_toolbox import Desk, desk

pytestmark = pytest.mark.anyio
TWICE, THRICE = NOTE.format(count=2), NOTE.format(count=3)


class Failing:
    """Fails with what a test says, each time it is run."""

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.ran = 0

    async def __call__(self, _: Mapping[str, Any], __: Output) -> Outcome:
        self.ran += 1
        text = self.texts[min(self.ran, len(self.texts)) - 1]
        return Outcome(text, ok=text == "ok")


def asked(made: Desk) -> list[ApprovalAsked]:
    return [event for event in made.events if isinstance(event, ApprovalAsked)]


def failing(*texts: str, effect: str = "execute", answers: tuple[Answer, ...] = ()) -> tuple[Desk, Failing]:
    act = Failing(*texts)
    return desk(FakeTool("tool", act, effect), answers=answers, mode="unattended"), act


async def test_the_model_is_told_after_the_second_time_and_a_person_asked_after_the_third() -> None:
    made, act = failing("1 failed in 0.12s", "1 failed in 3.40s", "1 failed in 1s")
    texts = [(await made.call("tool", command="pytest")).text for _ in range(3)]
    assert texts == ["1 failed in 0.12s", f"1 failed in 3.40s\n{TWICE}", f"1 failed in 1s\n{THRICE}"]
    assert asked(made) == []
    ended = await made.call("tool", command="pytest")
    (question,) = asked(made)
    assert question.asks.endswith("it has failed the same way 3 times. Try once more?")
    assert (question.offers, act.ran, ended.ok) == ((YES, NO), 3, False)
    assert ended.details["refused"]


async def test_a_yes_is_good_for_one_more_try_and_words_go_to_the_model() -> None:
    made, act = failing("no", answers=(Answer(YES), Answer(NO, "install it first")))
    for _ in range(5):
        ended = await made.call("tool", command="x")
    assert (act.ran, len(asked(made))) == (4, 2)
    assert ended.text == "[refused: the user said no: install it first]"


@pytest.mark.parametrize("between", ["another way", "ok"])
async def test_a_call_that_ends_differently_is_counted_anew(between: str) -> None:
    made, act = failing("no", "no", between, "no", "no", "no")
    for _ in range(6):
        await made.call("tool", command="x")
    assert (act.ran, asked(made)) == (6, [])


async def test_other_arguments_are_another_call() -> None:
    made, act = failing("no")
    for number in range(6):
        await made.call("tool", command=number)
    assert (act.ran, asked(made)) == (6, [])


async def test_a_change_in_between_makes_trying_again_worth_while() -> None:
    act, edit = Failing("no"), Failing("ok")
    made = desk(FakeTool("tool", act, "execute"), FakeTool("edit", edit, "edit"), mode="unattended")
    for number in range(6):
        await made.call("tool", command="pytest")
        await made.call("edit", new=number)
    assert (act.ran, asked(made)) == (6, [])
    reads = desk(FakeTool("tool", Failing("no"), "execute"), FakeTool("look", Failing("ok")), mode="unattended")
    for _ in range(4):
        await reads.call("tool", command="pytest")
        await reads.call("look")
    assert len(asked(reads)) == 1


async def test_a_call_that_never_gets_as_far_as_running_is_stopped_too() -> None:
    class Wrong(FakeTool):
        async def intent(self, args: Mapping[str, Any]) -> Intent:
            raise ToolError(tool="edit", reason="the text to replace is not in a.py")

    made = desk(Wrong("edit", Failing("never")), mode="unattended")
    for _ in range(4):
        await made.call("edit", path="a.py", old="x")
    assert [question.asks for question in asked(made)] == [
        "edit a.py: it has failed the same way 3 times. Try once more?"
    ]
    for _ in range(4):
        await made.call("nothing")
    assert len(asked(made)) == 2


async def test_refusals_are_no_failures() -> None:
    made = desk(FakeTool("tool", Failing("ok"), "execute"), mode="read_only")
    texts = {(await made.call("tool")).text for _ in range(5)}
    assert (texts, asked(made)) == ({"[refused: the session is read-only]"}, [])


async def test_where_nobody_can_be_asked_the_turn_ends_and_says_why(store: Store) -> None:
    act = Failing("no")
    conversation, _ = store.conversations.start("test")
    toolbox = Toolbox([FakeTool("tool", act, "execute")], NoApprover(), FakeMemory(), "unattended")
    model = FakeModel([[Call(f"c{number}", "tool", {"command": "make"})] for number in range(5)])
    runtime = Runtime(store, lambda _: Parts(model, toolbox, QUICK), surface="test")
    events = [event async for event in runtime.turn(conversation.id, UserInput("go"))]
    end = events[-1]
    assert isinstance(end, TurnEnded)
    assert (end.reason, end.error_code, act.ran) == ("failed", "stuck", 3)
    assert "it has failed the same way 3 times" in end.error
    assert len([event for event in events if isinstance(event, ToolEnded)]) == 4
