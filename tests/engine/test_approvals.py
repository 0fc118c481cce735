"""What a yes is good for: one call; or, remembered on request, the same call to the same places by the same runner."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.approvals import ApprovalMemory
from baton.adapters.tools.registry import tools
from baton.core.agent.approval import MODES, fingerprint, verdict
from baton.core.agent.event import ApprovalAsked, ToolEnded, TurnEnded
from baton.core.agent.message import Call
from baton.core.log.payloads import UserInput
from baton.engine.turns.parts import Parts
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import NOT_APPROVED, Toolbox
from baton.ports.approver import Answer
from baton.ports.store import Store
from baton.ports.tool import Intent, Outcome, Output
from baton.surfaces.shared.approvals import PendingApprover
from baton.testing.model import FakeModel
from tests.engine.conftest import QUICK, FakeMemory, FakeTool, soon
from tests.engine.test_toolbox import desk

pytestmark = pytest.mark.anyio
YES, REMEMBER = Answer("yes"), Answer("always")


async def done(_: Mapping[str, Any], __: Output) -> Outcome:
    return Outcome("done")


class Changing(FakeTool):
    """A tool whose places and runner a test may change."""

    reach: tuple[str, ...] = ()
    runner = ""

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        return Intent("act", "execute", outside=self.reach, runner=self.runner)


def asked(made: Any) -> int:
    return sum(isinstance(event, ApprovalAsked) for event in made.events)


def test_a_fingerprint_binds_arguments_places_and_runner_and_no_order() -> None:
    base = fingerprint("t", {"a": 1, "b": 2}, ("/x", "/y"), "r")
    assert base == fingerprint("t", {"b": 2, "a": 1}, ("/y", "/x"), "r")
    others = [
        fingerprint("u", {"a": 1, "b": 2}, ("/x", "/y"), "r"),
        fingerprint("t", {"a": 1}, ("/x", "/y"), "r"),
        fingerprint("t", {"a": 1, "b": 2}, ("/x",), "r"),
        fingerprint("t", {"a": 1, "b": 2}, ("/x", "/y"), "s"),
        fingerprint("t", {"a": 1, "b": 2}),
    ]
    assert len({base, *others}) == 6


@pytest.mark.parametrize("mode", MODES)
def test_reading_outside_is_asked_for_in_every_mode(mode: str) -> None:
    assert verdict(mode, "read", ("/etc/passwd",), ("p",), ()).answer == "ask"


async def test_what_a_remembered_call_reaches_is_part_of_it() -> None:
    tool = Changing("tool", done, "execute")
    made = desk(tool, answers=(REMEMBER, REMEMBER, REMEMBER))
    await made.call("tool")
    await made.call("tool")
    assert asked(made) == 1
    tool.reach = ("/etc/passwd",)
    await made.call("tool")
    assert asked(made) == 2
    tool.runner = "another server"
    await made.call("tool")
    await made.call("tool")
    assert asked(made) == 3


async def test_a_link_swapped_after_it_was_remembered_is_asked_for_again(isolated: Path, tmp_path: Path) -> None:
    (tmp_path / "harmless").write_text("harmless")
    (tmp_path / "secret").write_text("secret")
    link = isolated / "notes"
    link.symlink_to(tmp_path / "harmless")
    memory = ApprovalMemory(tmp_path / "baton", str(isolated))
    made = desk(*tools(Workspace(isolated), sandbox=False), answers=(REMEMBER,), memory=memory)
    assert "harmless" in (await made.call("read", path="notes")).text
    assert (await made.call("read", path="notes")).ok
    assert asked(made) == 1
    link.unlink()
    link.symlink_to(tmp_path / "secret")
    ended = await made.call("read", path="notes")
    assert (ended.ok, asked(made)) == (False, 2)
    assert "secret" not in ended.text


async def test_a_plain_yes_is_good_for_one_call_and_for_no_later_session() -> None:
    tool = FakeTool("tool", done, "execute")
    made = desk(tool, answers=(YES,))
    assert (await made.call("tool", command="make")).ok
    assert not (await made.call("tool", command="make")).ok
    mine = made.store.conversations.claim(made.conversation.id, "test", 30)
    made.store.sessions.advance(mine, made.conversation.head_id, edge="handoff", end_reason="handoff")
    made.store.conversations.release(mine)
    assert not (await made.call("tool", command="make")).ok
    assert asked(made) == 3


async def test_a_cancel_while_approval_is_pending_says_that_nothing_ran(store: Store) -> None:
    ran: list[str] = []

    async def act(_: Mapping[str, Any], __: Output) -> Outcome:
        ran.append("ran")
        return Outcome("done")

    conversation, _ = store.conversations.start("test")
    toolbox = Toolbox([FakeTool("tool", act, "execute")], PendingApprover(), FakeMemory(), "ask")
    model = FakeModel([[Call("c1", "tool", {}), Call("c2", "tool", {})], ["done"]])
    runtime = Runtime(store, lambda _: Parts(model, toolbox, QUICK), surface="test")
    events: list[Any] = []

    async def turn() -> None:
        async for event in runtime.turn(conversation.id, UserInput("go")):
            events.append(event)  # noqa: PERF401, they are looked at meanwhile

    task = asyncio.create_task(turn())
    await soon(lambda: any(isinstance(event, ApprovalAsked) for event in events))
    assert await runtime.cancel(conversation.id)
    await task
    ended = [event for event in events if isinstance(event, ToolEnded)]
    assert [event.text for event in ended][:1] == [NOT_APPROVED]
    assert ended[0].details == {"cancelled": True}
    assert [event.reason for event in events if isinstance(event, TurnEnded)] == ["cancelled"]
    entries = store.entries.load(store.conversations.get(conversation.id).head_id)
    assert [entry.kind for entry in entries] == ["user", "assistant", "tool_result", "tool_result", "turn_ended"]
    assert not ran
