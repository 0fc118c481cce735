"""Compression by split: the session ends, another continues; nothing is lost, shown twice or answered twice."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.agent.event import CompressionEnded, HeadAdvanced, Noticed, Queued
from baton.core.agent.message import Call, UserMessage
from baton.core.handoff.compression import Limits
from baton.core.log.context import project
from baton.core.log.entry import Entry, NewEntry
from baton.core.log.interrupted import find_interrupted
from baton.core.log.payloads import UserInput
from baton.core.log.session import Vitals, lineage_vitals
from baton.core.value import replace
from baton.ports.store import Store
from baton.ports.tool import Outcome
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, Bench, FakeTool, soon
from tests.engine.test_compress import BAD, FIRST, SUMMARY, WINDOW, fill, is_summary, of, paired

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]
SPLIT = replace(QUICK, limits=Limits(deadline=2, tries=1, cool_down=60, split=True))


def summarising(*said: Any) -> FakeModel:
    return FakeModel(lambda prompt: [SUMMARY] if is_summary(prompt) else list(said or ["ok"]), window=WINDOW)


def everything(made: Bench) -> list[Entry]:
    """The whole transcript as a person reads it: copies left out."""
    sessions = made.store.sessions.of(made.conversation_id)
    entries = [entry for session in sessions for entry in made.store.entries.load(session.id)]
    return [entry for entry in entries if not entry.copied]


async def test_a_split_ends_the_session_and_goes_on_with_what_it_kept(bench: Make) -> None:
    model = summarising()
    made = bench(model, settings=SPLIT)
    fill(made.store, made.conversation_id, 25)
    old = made.store.conversations.get(made.conversation_id).head_id
    before = made.entries()
    events = await made.turn("and now? Do not push.")
    (ended,), (moved,) = of(events, CompressionEnded), of(events, HeadAdvanced)
    head = made.store.conversations.get(made.conversation_id).head_id
    assert (ended.outcome, events[-1].reason) == ("compressed", "completed")
    assert moved == HeadAdvanced(head, old, "compression", "compressed")
    root, child = made.store.sessions.of(made.conversation_id)
    assert (root.id, root.end_reason, child.edge, child.parent_id, child.live) == (
        old, "compression", "compression", old, True,
    )  # fmt: skip
    assert made.store.entries.load(old)[: len(before)] == before
    sent = model.prompts[-1].messages
    assert paired(sent)
    assert isinstance(sent[0], UserMessage)
    assert FIRST in sent[0].text
    assert SUMMARY in sent[0].text
    assert sent[-1] == UserMessage("and now? Do not push.")
    entries = made.entries()
    assert entries[0].kind == "compression"
    tail = entries[0].data["tail"]
    assert all(entry.copied for entry in entries[1 : tail + 1])
    assert not any(entry.copied for entry in entries[tail + 1 :])
    assert project(entries).messages[:-1] == sent


async def test_the_whole_transcript_has_every_entry_once_and_is_searchable(bench: Make) -> None:
    made = bench(summarising(), settings=SPLIT)
    fill(made.store, made.conversation_id, 25)
    await made.turn("look for the heffalump")
    kinds = [entry.kind for entry in everything(made)]
    assert kinds.count("tool_result") == 25
    assert kinds.count("user") == 2
    assert [hit.kind for hit in made.store.search.find("heffalump")] == ["user"]
    assert len(made.store.search.find('"make step24"')) == 2


async def test_the_context_is_the_same_whoever_loads_it(bench: Make) -> None:
    model = summarising()
    made = bench(model, settings=SPLIT)
    fill(made.store, made.conversation_id, 25)
    await made.turn("one")
    other = replace(bench(model, settings=SPLIT), conversation_id=made.conversation_id)
    await other.turn("two")
    assert paired(model.prompts[-1].messages)
    assert model.prompts[-1].messages == project(made.entries()).messages[:-1]


async def test_five_splits_in_a_row_keep_the_first_request_and_count_along_the_lineage(bench: Make) -> None:
    model = summarising("ok " * 150)
    made = bench(model, settings=SPLIT)
    fill(made.store, made.conversation_id, 25)
    for number in range(30):
        events = await made.turn(f"request {number}: always sign commit {number}.")
        assert events[-1].reason == "completed"
    chain = made.store.sessions.chain(made.store.conversations.get(made.conversation_id).head_id)
    vitals = [made.store.sessions.vitals(session.id) for session in chain]
    assert len(chain) >= 5
    assert [each.compressions for each in vitals] == [0] + [1] * (len(chain) - 1)
    assert lineage_vitals(vitals).compressions == len(chain) - 1
    first = model.prompts[-1].messages[0]
    assert isinstance(first, UserMessage)
    assert first.text.count(FIRST) == 1
    assert [session.live for session in chain] == [False] * (len(chain) - 1) + [True]
    said = [entry.data["text"] for entry in everything(made) if entry.kind == "user"]
    assert said[1:] == [f"request {number}: always sign commit {number}." for number in range(30)]


async def test_a_lossy_split_says_so_and_a_failed_one_moves_nothing(bench: Make) -> None:
    model = FakeModel(lambda prompt: BAD["error 500"] if is_summary(prompt) else ["ok"], window=WINDOW)
    made = bench(model, settings=SPLIT)
    fill(made.store, made.conversation_id, 40)
    events = await made.turn("and now?")
    assert [moved.reason for moved in of(events, HeadAdvanced)] == ["lossy"]
    vitals = made.store.sessions.vitals(made.store.conversations.get(made.conversation_id).head_id)
    assert (vitals.compressions, vitals.lossy) == (1, 1)
    calm = bench(model, settings=SPLIT)
    fill(calm.store, calm.conversation_id, 23)
    assert of(await calm.turn("and now?"), HeadAdvanced) == []
    assert len(calm.store.sessions.of(calm.conversation_id)) == 1


@pytest.mark.parametrize("split", [True, False])
async def test_input_queued_before_a_compression_is_answered_once(bench: Make, split: bool) -> None:
    """It arrives while a long turn runs, and is far before the tail when the context is compressed."""
    steps, reached, go_on = 30, asyncio.Event(), asyncio.Event()

    async def act(args: Any, _: Any) -> Outcome:
        if args["step"] == 2:
            reached.set()
            await go_on.wait()
        return Outcome("word " * 60)

    def say(prompt: Any) -> list[Any]:
        if is_summary(prompt):
            return [SUMMARY]
        if isinstance(prompt.messages[-1], UserMessage) and "and then" in prompt.messages[-1].text:
            return ["answered"]
        step = len(model.prompts)
        return [Call(f"c{step}", "work", {"step": step})] if step < steps else ["done"]

    model = FakeModel(say, window=WINDOW)
    settings = replace(SPLIT, limits=replace(SPLIT.limits, split=split), max_steps=100)
    made = bench(model, [FakeTool("work", act)], settings=settings)
    watching = made.runtime.watch(made.conversation_id)
    first = asyncio.create_task(made.turn("go"))
    await reached.wait()
    await made.runtime.send(made.conversation_id, UserInput("and then?"))
    go_on.set()
    events = await first
    assert of(events, Queued)
    assert of(events, CompressionEnded)
    await soon(lambda: not made.runtime.busy(made.conversation_id))
    answers = [entry.data["text"] for entry in everything(made) if entry.kind == "assistant"]
    assert answers.count("answered") == 1
    assert await made.runtime.recover(made.conversation_id) == []
    watching.close()


@pytest.mark.parametrize("split", [True, False])
async def test_after_a_crash_queued_input_and_the_open_turn_are_found_behind_a_compression(
    bench: Make, split: bool
) -> None:
    """Everything a crashed process left: a turn far before the tail, input that waits, a compression, no end."""
    settings = replace(SPLIT, limits=replace(SPLIT.limits, split=split))
    made = bench(summarising(), settings=settings)
    head = made.store.conversations.get(made.conversation_id).head_id
    mine = made.store.conversations.claim(made.conversation_id, "crashed", 60)
    entries = [
        NewEntry("user", {"text": FIRST, "turn": "t_1"}),
        NewEntry("queued", {"text": "and then?", "turn": "t_2"}),
    ]
    for number in range(25):
        call = {"id": f"call{number}", "name": "shell", "args": {"command": f"make step{number}"}}
        entries += [
            NewEntry("assistant", {"text": "", "calls": [call]}),
            NewEntry("tool_call", {**call, "title": f"make step{number}"}),
            NewEntry("tool_result", {"id": call["id"], "name": "shell", "text": "word " * 60, "ok": True}),
        ]
    last = {"id": "last", "name": "shell", "args": {"command": "deploy"}}
    entries += [
        NewEntry("assistant", {"text": "", "calls": [last]}),
        NewEntry("tool_call", {**last, "title": "deploy"}),
    ]
    made.store.entries.append(mine, head, entries)
    made.store.conversations.release(mine)
    assert await made.runtime.compress(made.conversation_id) == "compressed"
    again = replace(bench(summarising(), settings=settings), conversation_id=made.conversation_id)
    watching = again.runtime.watch(made.conversation_id)
    left = await again.runtime.recover(made.conversation_id)
    assert left == [UserInput("and then?", queued="t_2")]
    notice = await watching.next()
    assert isinstance(notice, Noticed)
    assert "Started, outcome unknown: deploy." in notice.text
    assert await again.runtime.recover(made.conversation_id) == left
    assert find_interrupted(again.entries()) is None
    for given in left:
        await again.runtime.send(made.conversation_id, given)
    await soon(lambda: not again.runtime.busy(made.conversation_id))
    assert await again.runtime.recover(made.conversation_id) == []
    assert [entry.data["text"] for entry in everything(again) if entry.kind == "user"] == [FIRST, "and then?"]


VICTIM = """
import asyncio, sys
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.log.payloads import UserInput
from baton.engine.turns.parts import Parts
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from tests.engine.conftest import FakeApprover, FakeMemory
from tests.engine.test_compress_by_split import SPLIT, summarising

async def main():
    store = open_sqlite(sys.argv[1])
    conversation, _ = store.conversations.start("test")
    parts = Parts(summarising("ok " * 400), Toolbox([], FakeApprover(), FakeMemory(), "ask"), SPLIT)
    runtime = Runtime(store, lambda _: parts, surface="victim")
    number = 0
    while True:
        async for event in runtime.turn(conversation.id, UserInput(f"request {number} " + "word " * 200)):
            pass
        number += 1
        print(number, flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("turns", [6, 9])
async def test_a_kill_leaves_one_live_session_and_every_answered_request(tmp_path: Path, turns: int) -> None:
    path, here = str(tmp_path / "killed" / "baton.db"), Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", VICTIM, path], cwd=here, stdout=subprocess.PIPE, text=True) as victim:
        assert victim.stdout
        for _ in range(turns):
            assert await asyncio.to_thread(victim.stdout.readline)
        victim.send_signal(signal.SIGKILL)
    store = open_sqlite(path)
    try:
        _check_after_kill(store, turns)
    finally:
        store.close()


def _check_after_kill(store: Store, turns: int) -> None:
    conversation = store.conversations.page().rows[0].conversation
    sessions = store.sessions.of(conversation.id)
    assert [session.id for session in sessions if session.live] == [conversation.head_id]
    assert len(sessions) > 1
    entries = [entry for session in sessions for entry in store.entries.load(session.id) if not entry.copied]
    said = [entry.data["text"].split()[1] for entry in entries if entry.kind == "user"]
    assert said == [str(number) for number in range(len(said))]
    assert len(said) >= turns
    assert paired(project(store.entries.load(conversation.head_id)).messages)


def test_vitals_add_up_and_keep_the_last_error() -> None:
    parts = [Vitals(1, 0, 2, 0, "first"), Vitals(2, 1, 0, 1, "second"), Vitals(1, 0, 0, 0, "")]
    assert lineage_vitals(parts) == Vitals(4, 1, 2, 1, "second")
    assert lineage_vitals([]) == Vitals()
