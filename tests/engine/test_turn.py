from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from baton.core.agent.event import (
    Noticed,
    Queued,
    Retrying,
    StepEnded,
    TextAdded,
    ToolEnded,
    ToolStarted,
    TurnEnded,
    TurnStarted,
)
from baton.core.agent.message import AssistantMessage, Call, ToolMessage, Usage, UserMessage
from baton.core.errors import ModelRefused, ModelUnavailable, OwnedElsewhere, RateLimited
from baton.core.log.context import project
from baton.core.log.payloads import UserInput
from baton.core.value import replace
from baton.engine.turns.turn import NOTHING_SAID, SILENT
from baton.ports.model import Finished
from baton.ports.tool import Outcome, Output
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, Bench, FakeTool, soon

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]


async def echo(args: Mapping[str, Any], output: Output) -> Outcome:
    output("working\n")
    return Outcome(f"echo {args.get('word')}")


def ends(events: list[Any]) -> list[str]:
    return [event.reason for event in events if isinstance(event, TurnEnded)]


async def test_a_turn_streams_runs_tools_and_ends_once(bench: Make) -> None:
    model = FakeModel([["let ", "me", Call("1", "echo", {"word": "a"})], ["done"]])
    made = bench(model, [FakeTool("echo", echo)])
    events = await made.turn("go")
    assert isinstance(events[0], TurnStarted)
    assert isinstance(events[-1], TurnEnded)
    assert ends(events) == ["completed"]
    assert [event.text for event in events if isinstance(event, TextAdded)] == ["let ", "me", "done"]
    assert [type(event) for event in events if isinstance(event, ToolStarted | ToolEnded)] == [ToolStarted, ToolEnded]
    assert made.kinds() == ["user", "assistant", "tool_call", "tool_result", "assistant", "turn_ended"]
    assert model.prompts[1].messages == (
        UserMessage("go"),
        AssistantMessage("let me", (Call("1", "echo", {"word": "a"}),)),
        ToolMessage("1", "echo", "echo a"),
    )


async def test_the_live_context_equals_the_one_projected_from_the_store(bench: Make) -> None:
    model = FakeModel([["x", Call("1", "echo", {}), Call("2", "absent", {})], ["y"], ["z"]])
    made = bench(model, [FakeTool("echo", echo)])
    await made.turn("one")
    await made.turn("two")
    projected = project(made.entries()).messages
    assert model.prompts[-1].messages == projected[:-1]


async def test_usage_is_summed_and_teaches_the_gauge(bench: Make) -> None:
    model = FakeModel([["hello", Finished(Usage(100, 20, 10, 0.01), "stop")]])
    events = await bench(model).turn("go")
    assert events[-1].usage == Usage(100, 20, 10, 0.01)
    assert next(event for event in events if isinstance(event, StepEnded)).usage.input == 100


async def test_a_model_that_fails_is_asked_again_with_patience(bench: Make) -> None:
    model = FakeModel(
        [[ModelUnavailable(model="m", reason="500")], [RateLimited(model="m", reason="429", after=0.01)], ["ok"]]
    )
    events = await bench(model).turn("go")
    assert [event.attempt for event in events if isinstance(event, Retrying)] == [1, 2]
    assert ends(events) == ["completed"]


@pytest.mark.parametrize(
    ("error", "tries"), [(ModelUnavailable(model="m", reason="down"), 3), (ModelRefused(model="m", reason="401"), 1)]
)
async def test_a_model_that_stays_away_ends_the_turn_with_words(bench: Make, error: Exception, tries: int) -> None:
    model = FakeModel([[error]])
    made = bench(model)
    events = await made.turn("go")
    assert len(model.prompts) == tries
    assert (events[-1].reason, events[-1].error_code, events[-1].error) == ("failed", error.code, str(error))
    assert made.kinds() == ["user", "turn_ended"]


async def test_what_a_provider_says_of_a_failure_is_cleaned_before_it_is_told_or_kept(bench: Make) -> None:
    model = FakeModel([[ModelRefused(model="m", reason="password=hunter2 is wrong")]])
    made = bench(model, clean=lambda text: text.replace("hunter2", "[redacted: password]"))
    events = await made.turn("go")
    assert "password=[redacted: password] is wrong" in events[-1].error
    assert "hunter2" not in made.entries()[-1].body


async def test_a_failure_that_cannot_be_cleaned_is_told_by_its_code(bench: Make) -> None:
    def fail(text: str) -> str:
        raise OSError(text)

    made = bench(FakeModel([[ModelRefused(model="m", reason="password=hunter2 is wrong")]]), clean=fail)
    events = await made.turn("go")
    assert (events[-1].reason, events[-1].error_code) == ("failed", "model-refused")
    assert "hunter2" not in events[-1].error + made.entries()[-1].body


async def test_silence_is_a_time_out(bench: Make) -> None:
    settings = replace(QUICK, patience=replace(QUICK.patience, silence=0.05, tries=1))
    events = await bench(FakeModel([[10.0, "late"]]), settings=settings).turn("go")
    assert events[-1].error_code == "model-timeout"


async def test_a_cut_stream_keeps_what_was_said(bench: Make) -> None:
    made = bench(FakeModel([["half a sen", ModelUnavailable(model="m", reason="reset")], ["more"]]))
    events = await made.turn("go")
    assert ends(events) == ["failed"]
    assert [entry.data.get("stop") for entry in made.entries() if entry.kind == "assistant"] == ["cut off"]


async def test_cancel_answers_within_a_second_while_streaming_and_keeps_what_was_said(bench: Make) -> None:
    model = FakeModel([["so far", 30.0], ["next answer"]])
    made = bench(model)
    task = asyncio.create_task(made.turn("go"))
    await soon(lambda: bool(model.prompts))
    await asyncio.sleep(0.02)
    start = time.monotonic()
    assert await made.runtime.cancel(made.conversation_id)
    events = await task
    assert time.monotonic() - start < 1
    assert ends(events) == ["cancelled"]
    assert model.stopped == 1
    assert made.kinds() == ["user", "assistant", "turn_ended"]
    assert ends(await made.turn("again")) == ["completed"]


async def test_who_cancels_again_and_again_gets_the_same_end(bench: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made = bench(FakeModel([["half an ", "answer", 30.0, " lost"]]))
    append, held, go = made.store.entries.append, threading.Event(), threading.Event()

    def slowly(proof: Any, session_id: str, new: Any, **given: Any) -> Any:
        if any(each.kind == "assistant" for each in new):
            held.set()
            go.wait(20)
        return append(proof, session_id, new, **given)

    monkeypatch.setattr(made.store.entries, "append", slowly)
    watching = made.runtime.watch(made.conversation_id)
    turn = asyncio.ensure_future(made.turn("go"))
    said = ""
    while not said.endswith("answer"):
        event = await watching.next()
        said += event.text if isinstance(event, TextAdded) else ""
    cancels = [asyncio.ensure_future(made.runtime.cancel(made.conversation_id))]
    await soon(held.is_set)
    cancels += [asyncio.ensure_future(made.runtime.cancel(made.conversation_id)) for _ in range(3)]
    closing = asyncio.ensure_future(made.runtime.close())
    await asyncio.sleep(0)
    go.set()
    await asyncio.gather(closing, *cancels)
    assert ends(await turn) == ["cancelled"]
    assert made.kinds() == ["user", "assistant", "turn_ended"]
    assert made.store.conversations.get(made.conversation_id).owner is None


async def test_cancel_during_a_tool_records_its_end(bench: Make) -> None:
    started = asyncio.Event()

    async def slow(args: Mapping[str, Any], output: Output) -> Outcome:
        started.set()
        await asyncio.sleep(30)
        return Outcome("never")

    model = FakeModel([[Call("1", "slow", {}), Call("2", "slow", {})], ["after"]])
    made = bench(model, [FakeTool("slow", slow)])
    task = asyncio.create_task(made.turn("go"))
    await started.wait()
    assert await made.runtime.cancel(made.conversation_id)
    events = await task
    assert ends(events) == ["cancelled"]
    assert [event.ok for event in events if isinstance(event, ToolEnded)] == [False, False]
    await made.turn("again")
    results = [message for message in model.prompts[-1].messages if isinstance(message, ToolMessage)]
    assert [result.call_id for result in results] == ["1", "2"]


async def test_a_turn_goes_on_when_its_surface_leaves(bench: Make) -> None:
    model = FakeModel([["one ", 0.05, "two"]])
    made = bench(model)
    stream = made.runtime.turn(made.conversation_id, UserInput("go"))
    await anext(stream)
    await stream.aclose()
    await soon(lambda: not made.runtime.busy(made.conversation_id))
    assert [entry.data["text"] for entry in made.entries() if entry.kind == "assistant"] == ["one two"]


async def test_input_during_a_turn_is_stored_and_answered_in_order(bench: Make) -> None:
    model = FakeModel(lambda prompt: [0.02, f"answer to {prompt.messages[-1].text}"])
    made = bench(model)
    watching = made.runtime.watch(made.conversation_id)
    for text in ("one", "two", "three"):
        await made.runtime.send(made.conversation_id, UserInput(text))
    ended: list[str] = []
    queued: list[str] = []
    while len(ended) < 3:
        event = await watching.next()
        queued += [event.text] if isinstance(event, Queued) else []
        ended += [event.reason] if isinstance(event, TurnEnded) else []
    assert (ended, queued) == (["completed"] * 3, ["two", "three"])
    said = [entry.data["text"] for entry in made.entries() if entry.kind == "assistant"]
    assert said == ["answer to one", "answer to two", "answer to three"]
    assert await made.runtime.recover(made.conversation_id) == []


async def test_a_turn_that_never_stops_calling_is_stopped(bench: Make) -> None:
    model = FakeModel(lambda prompt: [Call(str(len(prompt.messages)), "echo", {})])
    events = await bench(model, [FakeTool("echo", echo)]).turn("go")
    assert (events[-1].reason, events[-1].error_code) == ("failed", "turn-limit")


async def test_an_exception_in_a_tool_is_a_result_and_not_an_end(bench: Make) -> None:
    async def crash(args: Mapping[str, Any], output: Output) -> Outcome:
        raise RuntimeError("boom")

    made = bench(FakeModel([[Call("1", "crash", {})], ["I see"]]), [FakeTool("crash", crash)])
    events = await made.turn("go")
    assert ends(events) == ["completed"]
    assert "RuntimeError: boom" in next(event.text for event in events if isinstance(event, ToolEnded))


async def test_another_owner_is_respected(bench: Make) -> None:
    made = bench(FakeModel([["hi"]]))
    made.store.conversations.claim(made.conversation_id, "somebody else", 60)
    events = await made.turn("go")
    assert (events[-1].reason, events[-1].error_code) == ("failed", "owned-elsewhere")


async def test_a_turn_whose_conversation_is_taken_over_stops_writing(bench: Make) -> None:
    model = FakeModel([["some text", 0.1, "more"]])
    made = bench(model)
    task = asyncio.create_task(made.turn("go"))
    await soon(lambda: bool(model.prompts))
    made.store.conversations._db.clock.ticks = lambda: 10**15
    other = made.store.conversations.claim(made.conversation_id, "other", 60)
    events = await task
    assert (events[-1].reason, events[-1].error_code) == ("failed", "stale-epoch")
    assert made.kinds() == ["user"]
    assert other.epoch == 2


async def test_what_a_crash_left_is_told_and_nothing_is_repeated(bench: Make) -> None:
    """The transcript as kill -9 leaves it: a call that ended, one that was started, one that was not."""
    from baton.core.log.entry import NewEntry

    model = FakeModel([["I will check"]])
    made = bench(model)
    head = made.store.conversations.get(made.conversation_id).head_id
    mine = made.store.conversations.claim(made.conversation_id, "dead", 60)
    calls = [{"id": str(n), "name": "shell", "args": {}} for n in (1, 2, 3)]
    made.store.entries.append(
        mine,
        head,
        [
            NewEntry("user", {"text": "go", "turn": "u_1"}),
            NewEntry("assistant", {"text": "", "calls": calls}),
            NewEntry("tool_call", {"id": "1", "name": "shell", "args": {}, "title": "make"}),
            NewEntry("tool_result", {"id": "1", "name": "shell", "text": "ok", "ok": True}),
            NewEntry("tool_call", {"id": "2", "name": "shell", "args": {}, "title": "deploy"}),
            NewEntry("queued", {"text": "and then?", "turn": "t_q"}),
        ],
    )
    made.store.conversations.release(mine)
    watching = made.runtime.watch(made.conversation_id)
    left = await made.runtime.recover(made.conversation_id)
    notice = await watching.next()
    assert isinstance(notice, Noticed)
    assert notice.text == (
        "The last turn was interrupted before it ended. Finished before that: make. Started, outcome unknown: deploy. "
        "Check what it did before doing it again. Asked for and not started: shell."
    )
    assert left == [UserInput("and then?", queued="t_q")]
    async for _ in made.runtime.turn(made.conversation_id, left[0]):
        pass
    results = [message.text[:16] for message in model.prompts[0].messages if isinstance(message, ToolMessage)]
    assert results == ["ok", "[outcome unknown", "[not run: the tu"]
    assert notice.text in [message.text for message in model.prompts[0].messages]
    assert await made.runtime.recover(made.conversation_id) == []


async def test_submitted_input_is_stored_when_submit_returns(bench: Make) -> None:
    told = asyncio.Event()
    desk = bench(FakeModel([[told, "one"], ["two"]]))
    first = await desk.runtime.submit(desk.conversation_id, UserInput("a"))
    assert [entry.data["text"] for entry in desk.entries()] == ["a"]
    second = await desk.runtime.submit(desk.conversation_id, UserInput("b"), turn_id="u_000000000000")
    assert (first[:2], second) == ("u_", "u_000000000000")
    assert "queued" in desk.kinds()
    told.set()
    await soon(lambda: not desk.runtime.busy(desk.conversation_id))
    assert [entry.data["turn"] for entry in desk.entries() if entry.kind == "user"] == [first, second]


async def test_what_keeps_submitted_input_from_being_stored_is_raised(bench: Make) -> None:
    desk = bench(FakeModel([["one"]]))
    proof = desk.store.conversations.claim(desk.conversation_id, "somebody", 30)
    with pytest.raises(OwnedElsewhere):
        await desk.runtime.submit(desk.conversation_id, UserInput("a"))
    assert desk.entries() == []
    desk.store.conversations.release(proof)
    await desk.runtime.submit(desk.conversation_id, UserInput("b"))
    assert desk.entries()[0].data["text"] == "b"


async def test_what_a_place_asked_for_is_marked_with_it(bench: Make) -> None:
    desk = bench(FakeModel([["one"]]))
    turn_id = await desk.runtime.submit(desk.conversation_id, UserInput("a", place="telegram:7"))
    await soon(lambda: not desk.runtime.busy(desk.conversation_id))
    said = next(entry.data for entry in desk.entries() if entry.kind == "assistant")
    assert (said["place"], said["turn"], said["step"]) == ("telegram:7", turn_id, 1)
    assert next(entry.data for entry in desk.entries() if entry.kind == "turn_ended")["place"] == "telegram:7"


async def test_a_suspended_turn_is_found_again_with_what_it_began_with(bench: Make) -> None:
    model = FakeModel([["Half", 60, "never"]])
    desk = bench(model)
    turn_id = await desk.runtime.submit(desk.conversation_id, UserInput("a", place="telegram:7"))
    await soon(lambda: bool(model.prompts))
    await desk.runtime.suspend()
    revived = await desk.runtime.revive(desk.conversation_id)
    assert revived.cut is not None
    assert (revived.cut.turn_id, revived.given and revived.given.place, revived.times) == (turn_id, "telegram:7", 0)
    assert (await desk.runtime.revive(desk.conversation_id)).cut is None


async def test_input_that_comes_as_a_turn_ends_is_neither_lost_nor_refused(bench: Make) -> None:
    desk = bench(FakeModel([["one"]]))
    for number in range(60):
        await desk.runtime.submit(desk.conversation_id, UserInput(f"m{number}"))
        await asyncio.sleep(number % 7 / 1000)
    await soon(lambda: not desk.runtime.busy(desk.conversation_id))
    said = [entry.data["text"] for entry in desk.entries() if entry.kind == "user"]
    assert said == [f"m{number}" for number in range(60)]


@pytest.mark.parametrize(
    ("script", "silent"),
    [
        ([[""]], True),
        ([["  \n"]], True),
        ([[Call("1", "echo", {"word": "a"})], [""]], True),
        ([["done"]], False),
        ([["I look.", Call("1", "echo", {"word": "a"})], [""]], False),
        ([[ModelRefused(model="m", reason="no")]], False),
    ],
)
async def test_a_turn_without_a_word_says_so_before_it_ends(bench: Make, script: Any, silent: bool) -> None:
    events = await bench(FakeModel(script), [FakeTool("echo", echo)]).turn("go")
    told = [event.text for event in events if isinstance(event, Noticed) and event.code == SILENT]
    assert told == ([NOTHING_SAID] if silent else [])
    assert isinstance(events[-1], TurnEnded)
