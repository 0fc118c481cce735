from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from baton.core.agent.event import Compressing, CompressionEnded, CompressionStarted, Pressure, TurnEnded
from baton.core.agent.message import AssistantMessage, Message, Prompt, ToolMessage, UserMessage
from baton.core.errors import ModelUnavailable
from baton.core.handoff.compression import Limits
from baton.core.log.context import size, to_messages
from baton.core.log.entry import NewEntry
from baton.core.value import replace
from baton.ports.store import Store
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, Bench, soon

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]
WINDOW = 2000
SUMMARY = "Done: looked at the lock in checkout.py. State: two tests fail. Open: the retry."
FIRST = "Fix the checkout race. Never touch the migrations. You must keep Python 3.11."


def is_summary(prompt: Prompt) -> bool:
    return prompt.system.startswith("You summarise")


def fill(store: Store, conversation_id: str, pairs: int, words: int = 60) -> None:
    """A conversation that presses on the window."""
    head = store.conversations.get(conversation_id).head_id
    mine = store.conversations.claim(conversation_id, "filler", 60)
    entries = [NewEntry("user", {"text": FIRST, "turn": "u"})]
    for number in range(pairs):
        call = {"id": f"call{number}", "name": "shell", "args": {"command": f"make step{number}"}}
        entries += [
            NewEntry("assistant", {"text": f"step {number}", "calls": [call]}),
            NewEntry("tool_call", {**call, "title": "make"}),
            NewEntry("tool_result", {"id": call["id"], "name": "shell", "text": "word " * words, "ok": number % 5 > 0}),
        ]
    entries.append(NewEntry("note", {"turn": "u", "end": "completed"}))
    store.entries.append(mine, head, entries)
    store.conversations.release(mine)


def of(events: list[Any], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def paired(messages: tuple[Message, ...]) -> bool:
    """Every call is followed by its results, before anything else, and no result stands alone."""
    waiting: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            if message.call_id not in waiting:
                return False
            waiting.remove(message.call_id)
        elif waiting:
            return False
        elif isinstance(message, AssistantMessage):
            waiting = [call.id for call in message.calls]
    return not waiting


async def test_a_full_context_is_compressed_before_the_request(bench: Make) -> None:
    model = FakeModel(lambda prompt: [SUMMARY] if is_summary(prompt) else ["ok"], window=WINDOW)
    made = bench(model)
    fill(made.store, made.conversation_id, 25)
    events = await made.turn("and now? Do not push.")
    (started,), (ended,) = of(events, CompressionStarted), of(events, CompressionEnded)
    assert started.tokens > WINDOW * 0.8
    assert (ended.outcome, ended.after < WINDOW * 0.6, events[-1].reason) == ("compressed", True, "completed")
    sent = model.prompts[-1].messages
    assert paired(sent)
    assert isinstance(sent[0], UserMessage)
    for text in (f"> {FIRST}", SUMMARY):
        assert text in sent[0].text
    assert sent[-1] == UserMessage("and now? Do not push.")
    assert len([entry for entry in made.entries() if entry.kind == "tool_result"]) == 25
    assert made.store.sessions.vitals(made.store.conversations.get(made.conversation_id).head_id).compressions == 1


async def test_the_second_compression_keeps_what_the_first_kept(bench: Make) -> None:
    model = FakeModel(lambda prompt: [SUMMARY] if is_summary(prompt) else ["ok " * 150], window=WINDOW)
    made = bench(model)
    fill(made.store, made.conversation_id, 25)
    for number in range(12):
        await made.turn(f"request {number}: always sign commit {number}.")
    vitals = made.store.sessions.vitals(made.store.conversations.get(made.conversation_id).head_id)
    assert vitals.compressions >= 2
    first = model.prompts[-1].messages[0]
    assert isinstance(first, UserMessage)
    assert first.text.count("Never touch the migrations.") == 1
    assert first.text.count(FIRST) == 1


async def test_five_thousand_entries_stay_under_the_window_with_pairs_and_protected_parts_intact(bench: Make) -> None:
    model = FakeModel(lambda prompt: [SUMMARY] if is_summary(prompt) else ["ok"], window=WINDOW)
    made = bench(model)
    demands = ["Never touch the migrations.", "You must keep Python 3.11."]
    for number in range(15):
        fill(made.store, made.conversation_id, 115, words=25)
        demand = f"Always sign release {number}."
        events = await made.turn(f"Go on with part {number}. {demand}")
        (ended,) = of(events, CompressionEnded)
        assert (ended.outcome, events[-1].reason) == ("compressed", "completed")
        assert ended.after < WINDOW * 0.8
        assert all(event.tokens <= WINDOW for event in of(events, Pressure))
        stays_whole(model.prompts[-1], demands, made.entries())
        demands.append(demand)
    assert len(made.entries()) > 5000
    head = made.store.conversations.get(made.conversation_id).head_id
    assert made.store.sessions.vitals(head).compressions == 15


def stays_whole(prompt: Prompt, demands: list[str], entries: list[Any]) -> None:
    """What is sent is small enough, its pairs are whole, and what is protected stands in it word for word, once."""
    assert prompt.system == QUICK.system
    assert paired(prompt.messages)
    assert sum(map(size, prompt.messages)) < WINDOW * 0.8
    first, *tail = prompt.messages
    assert isinstance(first, UserMessage)
    for text in (FIRST, *demands):
        assert first.text.count(text) == 1, text
    said = to_messages(entries)[:-1]
    assert len(tail) > 3
    assert tail == said[-len(tail) :]


BAD = {
    "hangs": [60.0, "late"],
    "garbage": ["\x00\x01\ufffd\x02" * 200],
    "ten megabytes": ["word " * 2000] * 1000,
    "ten megabytes at once": ["word " * 2_000_000],
    "error 500": [ModelUnavailable(model="m", reason="500")],
    "nothing": [],
    "one word": ["ok"],
}


@pytest.mark.parametrize("how", BAD)
async def test_a_bad_summary_ends_typed_within_the_deadline_and_loses_nothing(bench: Make, how: str) -> None:
    model = FakeModel(lambda prompt: BAD[how] if is_summary(prompt) else ["ok"], window=WINDOW)
    made = bench(model)
    fill(made.store, made.conversation_id, 23)
    before = made.entries()
    start = time.monotonic()
    events = await made.turn("and now?")
    assert time.monotonic() - start < QUICK.limits.deadline + 2
    (ended,) = of(events, CompressionEnded)
    assert ended.outcome == ("timed_out" if how == "hangs" else "failed")
    assert ended.error
    assert events[-1].reason == "completed"
    assert made.entries()[: len(before)] == before
    assert paired(model.prompts[-1].messages)
    again = await made.turn("once more")
    assert of(again, CompressionStarted) == [] or of(again, CompressionEnded)[0].outcome == "lossy"


@pytest.mark.parametrize("how", BAD)
async def test_with_no_room_left_a_failure_becomes_a_marked_loss_and_the_turn_goes_on(bench: Make, how: str) -> None:
    model = FakeModel(lambda prompt: BAD[how] if is_summary(prompt) else ["ok"], window=WINDOW)
    made = bench(model)
    fill(made.store, made.conversation_id, 40)
    events = await made.turn("and now?")
    assert [ended.outcome for ended in of(events, CompressionEnded)] == ["lossy"]
    assert events[-1].reason == "completed"
    text = model.prompts[-1].messages[0].text
    assert FIRST in text
    assert "No summary could be made" in text
    assert "make step" in text
    vitals = made.store.sessions.vitals(made.store.conversations.get(made.conversation_id).head_id)
    assert (vitals.compressions, vitals.lossy, bool(vitals.last_error)) == (1, 1, True)


async def test_cancel_during_compression_answers_at_once_and_the_next_prompt_runs(bench: Make) -> None:
    slow = replace(QUICK, limits=Limits(deadline=60, tries=1))
    model = FakeModel(
        lambda prompt: [30.0, SUMMARY] if is_summary(prompt) and len(model.prompts) < 2 else [SUMMARY], window=WINDOW
    )
    made = bench(model, settings=slow)
    fill(made.store, made.conversation_id, 25)
    task = asyncio.create_task(made.turn("and now?"))
    await soon(lambda: bool(model.prompts))
    start = time.monotonic()
    assert await made.runtime.cancel(made.conversation_id)
    events = await task
    assert time.monotonic() - start < 1
    assert [ended.outcome for ended in of(events, CompressionEnded)] == ["cancelled"]
    assert [ended.reason for ended in of(events, TurnEnded)] == ["cancelled"]
    assert (await made.turn("again"))[-1].reason == "completed"


async def test_progress_is_visible_while_it_runs(bench: Make) -> None:
    slow = replace(QUICK, limits=Limits(deadline=60, tries=1))
    model = FakeModel(lambda prompt: [2.3, SUMMARY] if is_summary(prompt) else ["ok"], window=WINDOW)
    made = bench(model, settings=slow)
    fill(made.store, made.conversation_id, 25)
    events = await made.turn("and now?")
    assert len(of(events, Compressing)) == 2


async def test_a_failure_cools_down_across_restarts(bench: Make) -> None:
    model = FakeModel(lambda prompt: [] if is_summary(prompt) else ["ok"], window=WINDOW)
    made = bench(model)
    fill(made.store, made.conversation_id, 23)
    await made.turn("one")
    asked = len([prompt for prompt in model.prompts if is_summary(prompt)])
    again = bench(model)
    fresh = replace(again, conversation_id=made.conversation_id)
    await fresh.turn("two")
    assert len([prompt for prompt in model.prompts if is_summary(prompt)]) == asked
    assert made.store.sessions.vitals(made.store.conversations.get(made.conversation_id).head_id).failed == 1
