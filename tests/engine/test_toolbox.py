"""Who may do what, and what is on record when a tool is refused, crashes, is cancelled or its process is killed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.adapters.tools.approvals import ApprovalMemory
from baton.adapters.tools.registry import tools
from baton.core.agent.approval import MODES, fingerprint
from baton.core.agent.event import (
    ApprovalAnswered,
    ApprovalAsked,
    PlanChanged,
    ToolEnded,
    ToolOutput,
    ToolStarted,
    TurnEnded,
)
from baton.core.agent.message import Call, ToolMessage
from baton.core.errors import BadArguments, ToolError
from baton.core.log import context
from baton.engine.turns.parts import Parts
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.engine.turns.writer import SessionWriter
from baton.ports.approver import Answer
from baton.ports.store import Store
from baton.ports.tool import Intent, Outcome, Output, Tool
from baton.testing.memory import MemoryStore
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, Bench, FakeApprover, FakeMemory, FakeTool, soon

pytestmark = pytest.mark.anyio
YES, NO, REMEMBER = Answer("yes"), Answer("no", comment="not now"), Answer("always")


class Desk:
    """A toolbox over a store in memory, with everything it emitted and recorded."""

    def __init__(self, given: list[Any], approver: FakeApprover, memory: Any, mode: str) -> None:
        self.store = MemoryStore()
        self.conversation = self.store.conversations.start("test")[0]
        self.toolbox = Toolbox(given, approver, memory, mode)
        self.events: list[Any] = []

    async def call(self, name: str, **args: Any) -> ToolEnded:
        async with SessionWriter(self.store, self.conversation.id, "test", 30) as log:
            await self.toolbox.run(Call("c1", name, args), log, self.events.append)
        return self.events[-1]

    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.store.entries.load(self.conversation.head_id)]


def desk(*given: Any, answers: tuple[Answer, ...] = (), memory: Any = None, mode: str = "ask") -> Desk:
    return Desk(list(given), FakeApprover(*answers), memory or FakeMemory(), mode)


async def done(_: Mapping[str, Any], output: Output) -> Outcome:
    output("working\x1b[31m\n")
    return Outcome("done")


class Reaching(FakeTool):
    """Says that it leaves the workspace."""

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        return Intent("reach out", self._effect, outside=("/etc/passwd",))


TABLE = {
    "read": ("runs", "runs", "runs", "runs"),
    "plan": ("runs", "runs", "runs", "runs"),
    "edit": ("asks", "runs", "runs", "refused"),
    "execute": ("asks", "asks", "runs", "refused"),
    "fetch": ("asks", "asks", "runs", "asks"),
}
OUTSIDE = {
    "read": ("asks", "asks", "asks", "asks"),
    "edit": ("asks", "asks", "asks", "refused"),
    "execute": ("asks", "asks", "asks", "refused"),
}
CASES = [
    (FakeTool, mode, effect, row[column]) for effect, row in TABLE.items() for column, mode in enumerate(MODES)
] + [(Reaching, mode, effect, row[column]) for effect, row in OUTSIDE.items() for column, mode in enumerate(MODES)]


@pytest.mark.parametrize(("kind", "mode", "effect", "expected"), CASES)
async def test_every_mode_with_every_effect(kind: type[FakeTool], mode: str, effect: str, expected: str) -> None:
    made = desk(kind("tool", done, effect), mode=mode)
    ended = await made.call("tool")
    asked = [event for event in made.events if isinstance(event, ApprovalAsked)]
    found = "runs" if ended.ok else "asks" if asked else "refused"
    assert found == expected


async def test_yes_runs_it_and_the_order_is_as_promised() -> None:
    made = desk(FakeTool("tool", done, "execute"), answers=(YES,))
    assert (await made.call("tool", x=1)).text == "done"
    assert [type(event) for event in made.events] == [
        ApprovalAsked,
        ApprovalAnswered,
        ToolStarted,
        ToolOutput,
        ToolEnded,
    ]
    assert made.events[3] == ToolOutput("c1", "working\n")
    assert made.kinds() == ["tool_call", "tool_result"]


async def test_no_is_a_result_with_the_reason_and_nothing_started() -> None:
    made = desk(FakeTool("tool", done, "execute"), answers=(NO,))
    ended = await made.call("tool")
    assert (ended.ok, ended.text) == (False, "[refused: the user said no: not now]")
    assert not any(isinstance(event, ToolStarted) for event in made.events)
    assert made.kinds() == ["tool_result"]


async def test_what_is_remembered_is_not_asked_again_but_anything_else_is(tmp_path: Path) -> None:
    memory = ApprovalMemory(tmp_path / "home", str(tmp_path))
    made = desk(FakeTool("tool", done, "execute"), answers=(REMEMBER,), memory=memory)
    assert (await made.call("tool", command="make")).ok
    assert (await made.call("tool", command="make")).ok
    assert sum(isinstance(event, ApprovalAsked) for event in made.events) == 1
    assert not (await made.call("tool", command="make clean")).ok
    assert set(memory.list_allowed()) == {fingerprint("tool", {"command": "make"})}
    made.toolbox.mode = "read_only"
    assert not (await made.call("tool", command="make")).ok


async def test_an_unknown_tool_is_a_result_that_names_the_known() -> None:
    ended = await desk(FakeTool("tool", done)).call("tol")
    assert (ended.ok, ended.text) == (False, "There is no tool tol. Tools: tool.")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ZeroDivisionError("by zero"), "[the tool itself failed: ZeroDivisionError: by zero]"),
        (ToolError(tool="tool", reason="it is broken"), "tool failed: it is broken."),
        (BadArguments(tool="tool", reason="x is 1", allowed="x (text)"), "Allowed: x (text)."),
        (MemoryError(), "[the tool itself failed: MemoryError: ]"),
    ],
)
async def test_a_tool_that_raises_is_a_result(error: Exception, text: str) -> None:
    async def fail(_: Mapping[str, Any], __: Output) -> Outcome:
        raise error

    made = desk(FakeTool("tool", fail))
    ended = await made.call("tool")
    assert not ended.ok
    assert text in ended.text
    assert made.kinds() == ["tool_call", "tool_result"]


def real(root: Path) -> list[Tool]:
    return tools(Workspace(root), sandbox=False)


async def test_the_real_tools_in_a_toolbox(isolated: Path) -> None:
    made = desk(*real(isolated), mode="unattended")
    assert (await made.call("write", path="a.txt", content="one\n")).ok
    assert (await made.call("shell", command="cat a.txt")).details["exit"] == 0
    assert not (await made.call("write", path=".git/hooks/pre-commit", content="evil")).ok
    assert not (await made.call("write", path="../b.txt", content="evil")).ok
    assert not (await made.call("read", _raw="{")).ok
    assert (await made.call("plan", items=[{"text": "one", "state": "done"}])).ok
    assert made.events[-2] == PlanChanged((("one", "done"),))
    assert sorted(os.listdir(isolated.parent)) == ["home", "work"]


async def test_a_preview_shows_what_would_change(isolated: Path) -> None:
    (isolated / "a.txt").write_text("one\n")
    made = desk(*real(isolated), answers=(YES,))
    await made.call("edit", path="a.txt", old="one", new="two")
    asked = made.events[0]
    assert "-one\n+two" in asked.preview
    assert made.events[-1].details["diff"] == asked.preview


def runtime(store: Store, isolated: Path, *said: Any) -> Bench:
    conversation, _ = store.conversations.start("test")
    toolbox = Toolbox(real(isolated), FakeApprover(), FakeMemory(), "unattended")
    model = FakeModel([list(said), ["done"]])
    return Bench(Runtime(store, lambda _: Parts(model, toolbox, QUICK), surface="test"), conversation.id, store)


async def test_a_cancel_during_a_tool_is_answered_within_a_second_and_recorded(store: Store, isolated: Path) -> None:
    made = runtime(store, isolated, Call("c1", "shell", {"command": "touch begun; trap '' TERM; sleep 60; sleep 60"}))
    turn = asyncio.create_task(made.turn("go"))
    await soon(lambda: (isolated / "begun").exists())
    begun = time.monotonic()
    assert await made.runtime.cancel(made.conversation_id)
    events = await turn
    assert time.monotonic() - begun < 1
    assert isinstance(events[-1], TurnEnded)
    assert events[-1].reason == "cancelled"
    assert made.kinds() == ["user", "assistant", "tool_call", "tool_result", "turn_ended"]
    result = made.entries()[3].data
    assert (result["ok"], result["details"]) == (False, {"cancelled": True})
    assert isinstance(context.project(made.entries()).messages[-1], ToolMessage)
    assert [type(event) for event in events if isinstance(event, ToolStarted | ToolEnded)] == [ToolStarted, ToolEnded]


VICTIM = """
import asyncio, sys
from pathlib import Path
from baton.adapters.stores.sqlite.open import open_sqlite
from tests.engine.test_toolbox import Call, runtime

async def main():
    store = open_sqlite(sys.argv[1])
    made = runtime(store, Path(sys.argv[2]), Call("c1", "shell", {"command": "touch begun; sleep 5"}))
    await made.turn("go")

asyncio.run(main())
"""


async def test_a_kill_during_a_tool_leaves_the_truth(isolated: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "killed" / "baton.db")
    here = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", VICTIM, path, str(isolated)], cwd=here) as victim:
        await soon(lambda: (isolated / "begun").exists() or victim.poll() is not None)
        victim.send_signal(signal.SIGKILL)
    store = open_sqlite(path)
    try:
        conversation = store.conversations.page().rows[0].conversation
        entries = store.entries.load(conversation.head_id)
    finally:
        store.close()
    assert [entry.kind for entry in entries] == ["user", "assistant", "tool_call"]
    assert context.project(entries).messages[-1] == ToolMessage("c1", "shell", context.UNKNOWN, ok=False)
