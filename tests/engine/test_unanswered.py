"""What the person said and nobody answered goes into the fresh session whole, as a message of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from baton.core.agent.event import HandoffEnded, HandoffOffered, HeadAdvanced, ProcessWanted
from baton.core.agent.message import Call, Image, Link, Message, Prompt, UserMessage
from baton.core.errors import ModelUnavailable
from baton.core.handoff.compression import Limits
from baton.core.handoff.opening import INTRODUCTION
from baton.core.handoff.policy import FRESH_PROCESS, PROMPT_USER, Policy
from baton.core.log.interrupted import find_interrupted
from baton.core.log.payloads import PacketOpening, UserInput, payload
from baton.core.value import replace
from baton.engine.handoff.handoff import Cause
from baton.ports.tool import Outcome
from baton.surfaces.shared.transcript import last_entries
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, Bench, FakeTool, soon
from tests.engine.test_handoff import TALE, compressed, of, script
from tests.support.handoffs import kit, repository

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]
QUESTION = "So which of the two shall it be, the lock or the queue?"
LONG = "".join(f"line {number}: the lock was held for {number} ms\n" for number in range(1200)) + QUESTION
PICTURE = Image("image/png", "aGVsbG8=", "lock.png")
GIVEN = UserInput(LONG, (PICTURE,), (Link("notes.md", "file:///notes.md"),), shown="the log")
CONTINUE = UserInput("Go on with the work.", synthetic=True)


@pytest.fixture
def made(bench: Make, tmp_path: Path) -> Make:
    root = repository(tmp_path / "repo")

    def make(policy: Policy | None = None, model: FakeModel | None = None, **more: Any) -> Bench:
        tools, limits = more.pop("tools", []), more.pop("limits", QUICK.limits)
        settings = replace(QUICK, handoff=kit(root, tmp_path / "home", policy, **more), limits=limits)
        return bench(model or FakeModel(script), tools, mode="ask", settings=settings)

    return make


async def take(bench: Bench, given: UserInput) -> list[Any]:
    return [event async for event in bench.runtime.turn(bench.conversation_id, given)]


def opens_with(messages: tuple[Message, ...], *given: UserInput) -> bool:
    """A packet comes first, and then these messages, whole."""
    packet, *rest = messages
    said = [UserMessage(each.text, each.images) for each in given]
    return isinstance(packet, UserMessage) and packet.text.startswith(INTRODUCTION) and rest[: len(said)] == said


async def confirm(bench: Bench, draft_id: str) -> None:
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.confirm(draft_id))


async def test_the_message_that_triggers_a_handoff_reaches_the_model_whole(made: Make) -> None:
    model = FakeModel(script)
    bench = made(Policy(enabled=True), model)
    await bench.turn("Fix the race.")
    compressed(bench, 2)
    events = await take(bench, GIVEN)
    assert ([event.edge for event in of(events, HeadAdvanced)], events[-1].reason) == (["handoff"], "completed")
    assert opens_with(model.prompts[-1].messages, GIVEN)
    assert "The message after this one is the person's own" in model.prompts[-1].messages[0].text
    (copied,) = [entry for entry in bench.entries() if entry.kind == "user"]
    assert copied.copied
    assert payload(copied) == replace(GIVEN, turn=copied.data["turn"])


async def test_a_reader_of_the_whole_conversation_sees_the_message_once(made: Make) -> None:
    bench = made(Policy(enabled=True))
    await bench.turn("Fix the race.")
    compressed(bench, 2)
    await take(bench, replace(GIVEN, text=f"heffalump {LONG}"))
    entries = last_entries(bench.store, bench.store.sessions.of(bench.conversation_id), None)
    assert [entry.kind for entry in entries].count("user") == 2
    assert [hit.kind for hit in bench.store.search.find("heffalump")].count("user") == 1


async def test_after_a_finished_turn_nothing_is_carried(made: Make) -> None:
    bench = made()
    await take(bench, GIVEN)
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.now(Cause()))
    assert bench.kinds() == ["packet"]
    assert "Continue the work described there." in bench.entries()[0].data["text"]


async def test_a_draft_confirmed_after_a_restart_carries_the_message_it_stopped(made: Make) -> None:
    model = FakeModel(script)
    bench = made(Policy(enabled=True, mode=PROMPT_USER), model)
    await bench.turn("Fix the race.")
    compressed(bench, 2)
    events = await take(bench, GIVEN)
    (offered,) = of(events, HandoffOffered)
    assert events[-1].reason == "waiting"
    restarted = replace(made(model=model), conversation_id=bench.conversation_id)
    await confirm(restarted, offered.draft_id)
    assert not find_interrupted(restarted.entries())
    await take(restarted, CONTINUE)
    assert opens_with(model.prompts[-1].messages, GIVEN)
    await restarted.runtime.hand_off(restarted.conversation_id, lambda handoff: handoff.now(Cause()))
    assert restarted.kinds() == ["packet"]


async def test_another_process_gets_the_message_whole(made: Make) -> None:
    model = FakeModel(script)
    bench = made(Policy(enabled=True, mode=FRESH_PROCESS), model)
    await bench.turn("Fix the race.")
    compressed(bench, 2)
    events = await take(bench, GIVEN)
    assert (len(of(events, ProcessWanted)), events[-1].reason) == (1, "handed_over")
    other = replace(made(model=model), conversation_id=bench.conversation_id)
    assert await other.runtime.recover(other.conversation_id) == []
    await take(other, CONTINUE)
    assert opens_with(model.prompts[-1].messages, GIVEN)


async def ask_for_handoff(args: Any, output: Any) -> Outcome:
    return Outcome("asked", details={"reason": "too long"})


def calls(*names: str) -> FakeModel:
    """Makes these calls one after another, and is done."""
    left = [Call(f"c{number}", name, {"reason": "too long"}) for number, name in enumerate(names)]

    def says(prompt: Prompt) -> list[Any]:
        return [TALE] if not prompt.tools else [left.pop(0)] if left else ["Done."]

    return FakeModel(says)


TOOLS = [FakeTool("session_handoff", ask_for_handoff), FakeTool("look", ask_for_handoff)]


async def test_a_turn_in_the_middle_of_its_work_takes_its_message_along_twice(made: Make) -> None:
    """Two handoffs in one turn: the copy is copied, and is still one message."""
    model = calls("look", "session_handoff", "look", "session_handoff")
    bench = made(Policy(enabled=True), model, tools=TOOLS)
    events = await take(bench, GIVEN)
    assert (len(of(events, HeadAdvanced)), events[-1].reason) == (2, "completed")
    assert opens_with(model.prompts[-1].messages, GIVEN)
    assert [entry.kind for entry in bench.entries()].count("user") == 1
    assert not find_interrupted(bench.entries())


async def test_a_model_that_reads_again_that_it_should_ask_is_not_heard_twice(made: Make) -> None:
    model = calls("session_handoff", "session_handoff", "session_handoff")
    bench = made(Policy(enabled=True), model, tools=TOOLS)
    events = await take(bench, UserInput("Start a fresh session and go on there."))
    assert (len(of(events, HeadAdvanced)), events[-1].reason) == (1, "completed")


async def test_a_message_that_a_split_left_behind_is_still_carried(made: Make) -> None:
    limits = Limits(deadline=2, tries=1, cool_down=60, split=True)

    def says(prompt: Prompt) -> list[Any]:
        if prompt.system.startswith("You summarise"):
            return ["Done: much was looked at, and the retry is open."]
        if not prompt.tools:
            return [TALE]
        return [Call(f"c{len(model.prompts)}", "look", {})] if len(model.prompts) < 5 else [ModelUnavailable(model="m")]

    async def look(args: Any, output: Any) -> Outcome:
        return Outcome("word " * 2000)

    model = FakeModel(says, window=6000)
    bench = made(None, model, tools=[FakeTool("look", look)], limits=limits)
    given = replace(GIVEN, text=f"{'Look at it all. ' * 40}{QUESTION}")
    events = await take(bench, given)
    assert "compression" in [event.edge for event in of(events, HeadAdvanced)]
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.now(Cause()))
    copied = payload(bench.entries()[1])
    assert isinstance(copied, UserInput)
    assert (copied.text, copied.images) == (given.text, given.images)


async def test_what_failed_and_the_request_to_try_again_go_together(made: Make) -> None:
    model = FakeModel(lambda prompt: [TALE] if not prompt.tools else [ModelUnavailable(model="m", reason="down")])
    bench = made(model=model, tools=[FakeTool("look", lambda *_: None)])  # type: ignore[arg-type, return-value]
    await take(bench, GIVEN)
    await take(bench, UserInput("Try again."))
    await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.now(Cause()))
    said = [held.text for entry in bench.entries() if isinstance(held := payload(entry), UserInput)]
    assert said in ([LONG, "Try again."], ["Try again."])
    short = replace(bench, conversation_id=bench.store.conversations.start("another")[0].id)
    await take(short, UserInput("Fix it.", (PICTURE,)))
    await take(short, UserInput("Try again."))
    await short.runtime.hand_off(short.conversation_id, lambda handoff: handoff.now(Cause()))
    assert [entry.kind for entry in short.entries()] == ["packet", "user", "turn_ended", "user", "turn_ended"]
    assert "The 2 messages after this one" in short.entries()[0].data["text"]


async def test_a_message_over_the_token_limit_is_handed_off_once_and_answered(made: Make) -> None:
    model = FakeModel(script)
    bench = made(Policy(enabled=True, max_prompt_tokens=5000, max_auto_handoffs=9), model)
    await bench.turn("Fix the race.")
    events = await take(bench, GIVEN)
    assert ([event.edge for event in of(events, HeadAdvanced)], events[-1].reason) == (["handoff"], "completed")
    assert opens_with(model.prompts[-1].messages, GIVEN)


async def test_a_message_that_fits_no_window_is_refused_clearly_and_kept(made: Make) -> None:
    model = FakeModel(
        lambda prompt: ["Done: the race was looked at closely."] if not prompt.tools else ["ok"], window=4000
    )
    bench = made(Policy(enabled=True), model, tools=[FakeTool("look", lambda *_: None)])  # type: ignore[arg-type, return-value]
    await bench.turn("Fix the race.")
    compressed(bench, 2)
    ended = (await take(bench, GIVEN))[-1]
    assert (ended.reason, ended.error_code) == ("failed", "context-overflow")
    kept = [held for entry in bench.entries() if isinstance(held := payload(entry), UserInput)]
    assert [(held.text, held.images) for held in kept] == [(LONG, (PICTURE,))]


async def test_queued_input_waits_whole_in_the_fresh_session(made: Make) -> None:
    gate = asyncio.Event()

    async def wait(args: Any, output: Any) -> Outcome:
        await gate.wait()
        return Outcome("asked", details={"reason": "too long"})

    asks = iter([[Call("c1", "session_handoff", {"reason": "long"})]])
    model = FakeModel(lambda prompt: [TALE] if not prompt.tools else next(asks, ["Done."]))
    bench = made(Policy(enabled=True), model, tools=[FakeTool("session_handoff", wait)])
    first = asyncio.create_task(take(bench, UserInput("Fix the race.")))
    await soon(lambda: "tool_call" in bench.kinds())
    await bench.runtime.send(bench.conversation_id, GIVEN)
    gate.set()
    await first
    await soon(lambda: not bench.runtime.busy(bench.conversation_id))
    last = model.prompts[-1].messages
    assert opens_with(last, UserInput("Fix the race."))
    assert UserMessage(LONG, (PICTURE,)) in last


TEXT = st.text(min_size=1, max_size=400).filter(lambda text: bool(text.strip()))


@given(text=TEXT, long=st.integers(1, 200))
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_no_character_of_an_unanswered_message_is_lost(text: str, long: int, made: Make) -> None:
    model = FakeModel([[ModelUnavailable(model="m", reason="down")]])
    given = UserInput(text * long, (PICTURE,))

    async def check() -> None:
        bench = made(model=model)
        assert (await take(bench, given))[-1].reason == "failed"
        await bench.runtime.hand_off(bench.conversation_id, lambda handoff: handoff.now(Cause()), narrate=False)
        await take(bench, CONTINUE)

    asyncio.run(check())
    assert opens_with(model.prompts[-1].messages, given)


async def test_tokens_before_and_after_are_told_and_recorded(made: Make) -> None:
    bench = made(Policy(enabled=True))
    await bench.turn("Fix the race.")
    compressed(bench, 2)
    events = await take(bench, GIVEN)
    (ended,) = of(events, HandoffEnded)
    assert ended.before > 10_000
    assert 0 < ended.tokens < ended.after
    opening = payload(bench.entries()[0])
    assert isinstance(opening, PacketOpening)
    assert opening.before == ended.before
