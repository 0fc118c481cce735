"""A turn: what Baton adds to a model that answers at once, with a short history and with a long one.

Everything is real but the model: the runtime, the tools, the store and its syncs. Per round each history gets a new
conversation of that length. Its first turn, which loads the history, is counted apart from those that follow.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import repeat
from pathlib import Path
from typing import Any

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.registry import tools
from baton.core.agent.approval import UNATTENDED
from baton.core.agent.event import TurnEnded
from baton.core.agent.message import Call, Prompt, ToolMessage
from baton.core.log.entry import ASSISTANT, TOOL_CALL, TOOL_RESULT, USER, NewEntry, encode_body
from baton.core.log.payloads import COMPLETED, UserInput, to_json
from baton.engine.prompts import prompt_text
from baton.engine.turns.parts import Parts, TurnSettings
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.ports.store import Store
from baton.testing.model import FakeModel, Line
from bench import texts
from bench.append import RawAppend
from bench.bed import Ground, sqlite_ground
from bench.figure import SQLITE, Figure, against_floor
from bench.floor import CONVERSATION_HOLD, Raw
from bench.nobody import Nobody
from bench.plan import MESSAGE_BYTES, Plan, Size
from bench.progress import say
from bench.timing import Pair

HISTORIES = (10, 100, 1_000, 10_000)
FOLLOWING = 6
WINDOW = 1 << 30
"""So large that nothing is compressed: the whole history is the context."""

AT = 1_790_000_000_000_000
LEASE = 30.0
NOTE = "notes.txt"
GIVEN = UserInput("What is in the notes?")
PLAIN = "turn"
WITH_TOOL = "turn_with_tool"
WRITES = {PLAIN: 3, WITH_TOOL: 6}
"""Entries of one turn: the input, what the model said, and the end; with a tool also call, result and a second word."""

Rounds = list[tuple[list[float], list[float]]]


class Lane:
    """One kind of turn at one length of history, over all rounds: wall milliseconds, and CPU of the whole process."""

    def __init__(self, name: str, entries: int) -> None:
        self.name = name
        self.entries = entries
        self.rounds: Rounds = []
        self.first: list[float] = []
        self.cpu: list[float] = []

    def figure(self) -> Figure:
        facts = {"first": statistics.median(self.first), "cpu": statistics.median(self.cpu)}
        size = Size(1, self.entries, self.entries)
        return against_floor(self.name, SQLITE, size, Pair.of(self.rounds), _floor_is(self.name), facts)


def measure(work: Path, plan: Plan) -> list[Figure]:
    """The lengths take turns within a round, so that a busy minute makes none of them look worse than the others."""
    say(f"turns on a model that answers at once, {plan.turn_rounds} rounds")
    lanes = [Lane(name, entries) for name in WRITES for entries in HISTORIES]
    with sqlite_ground(work) as ground:
        workspace = Path(ground.floor_url).parent / "workspace"
        workspace.mkdir()
        (workspace / NOTE).write_text("buy milk\n")
        ids = _by_hand(ground)
        with closing(ground.open()) as store, closing(ground.raw()) as raw:
            floor = Floor(raw, *ids)
            for _ in range(plan.turn_rounds):
                for lane in lanes:
                    asyncio.run(_round(lane, store, floor, workspace))
    return [*(lane.figure() for lane in lanes), *(_growth(name, lanes) for name in WRITES)]


async def _round(lane: Lane, store: Store, floor: Floor, workspace: Path) -> None:
    conversation_id = _filled(store, lane.entries)
    runtime = _runtime(store, workspace, with_tool=lane.name == WITH_TOOL)
    gc.collect()
    lane.first.append((await _turn(runtime, conversation_id))[0])
    ours, theirs = list[float](), list[float]()
    for _ in range(FOLLOWING):
        wall, cpu = await _turn(runtime, conversation_id)
        ours.append(wall)
        lane.cpu.append(cpu)
        theirs.append(floor.milliseconds(WRITES[lane.name]))
    lane.rounds.append((ours, theirs))
    await runtime.close()


async def _turn(runtime: Runtime, conversation_id: str) -> tuple[float, float]:
    """Wall and CPU milliseconds from the input to `TurnEnded`, with every event taken as a surface would."""
    cpu, wall = time.process_time_ns(), time.perf_counter_ns()
    last: Any = None
    async for event in runtime.turn(conversation_id, GIVEN):
        last = event
    spent = (time.perf_counter_ns() - wall) / 1e6, (time.process_time_ns() - cpu) / 1e6
    assert isinstance(last, TurnEnded), last
    assert last.reason == COMPLETED, last
    return spent


def _runtime(store: Store, workspace: Path, *, with_tool: bool) -> Runtime:
    def script(prompt: Prompt) -> Sequence[Line]:
        answered = isinstance(prompt.messages[-1], ToolMessage)
        return ["Milk."] if answered or not with_tool else [Call(f"call{len(prompt.messages)}", "read", {"path": NOTE})]

    toolbox = Toolbox(tools(Workspace(workspace)), Nobody(), Nobody(), UNATTENDED)
    parts = Parts(FakeModel(script, window=WINDOW), toolbox, TurnSettings(prompt_text("system")))
    return Runtime(store, lambda _: parts, surface="bench", lease=LEASE)


def _filled(store: Store, entries: int) -> str:
    """A new conversation of so many entries, a quarter of each kind a working session has."""
    conversation, session = store.conversations.start("turns")
    proof = store.conversations.claim(conversation.id, "filler", LEASE)
    store.entries.append(proof, session.id, [_entry(number, entries) for number in range(entries)])
    store.conversations.release(proof)
    return conversation.id


def _entry(number: int, entries: int) -> NewEntry:
    """Ask, call, start, result, over and over; a call that would be cut off by the end is not made."""
    text, call_id = texts.message(number, MESSAGE_BYTES), f"c{number // 4}"
    whole = number // 4 * 4 + 4 <= entries
    if number % 4 == 0 or not whole:
        return NewEntry(USER if number % 4 == 0 else ASSISTANT, {"text": text})
    call = {"id": call_id, "name": "read", "args": {"path": NOTE}}
    if number % 4 == 1:
        return NewEntry(ASSISTANT, {"text": text, "calls": [call]})
    if number % 4 == 2:
        return NewEntry(TOOL_CALL, {**call, "title": "Read notes.txt"})
    return NewEntry(TOOL_RESULT, {"id": call_id, "name": "read", "text": text, "ok": True})


def _by_hand(ground: Ground) -> tuple[str, str]:
    """The floor's own conversation and session, in a copy of an otherwise empty store."""
    with closing(ground.open()) as store:
        conversation, session = store.conversations.start("floor")
    ground.mirror()
    return conversation.id, session.id


class Floor:
    """A turn's transactions by hand: a claim, its entries, a release."""

    def __init__(self, raw: Raw, conversation_id: str, session_id: str) -> None:
        self._raw = raw
        self._id = conversation_id
        self._append = RawAppend(raw, conversation_id, session_id, repeat(encode_body(to_json(GIVEN))))

    def milliseconds(self, entries: int) -> float:
        started = time.perf_counter_ns()
        self._raw.write((CONVERSATION_HOLD, ("bench", 1, AT, self._id)))
        for _ in range(entries):
            self._append()
        self._raw.write((CONVERSATION_HOLD, (None, 1, 0, self._id)))
        return (time.perf_counter_ns() - started) / 1e6


def _growth(name: str, lanes: Sequence[Lane]) -> Figure:
    """From the shortest history to the longest, in CPU time: how long a disk takes to sync has no part in it."""
    short, *_, long = [lane for lane in lanes if lane.name == name]
    facts = {"growth": statistics.median(long.cpu) / statistics.median(short.cpu)}
    return Figure(f"{name}_growth", SQLITE, Size(1, long.entries, long.entries), facts=facts)


def _floor_is(name: str) -> str:
    return f"its {WRITES[name] + 2} transactions by hand, each synced"
