"""acpx, a headless client of others' making, against `baton acp`: one shot, and a thread that goes on for long."""

from __future__ import annotations

import asyncio
import json
import os
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.real_user.acp import kit
from tests.real_user.acp.bed import SECONDS, Bed
from tests.real_user.acp.model import WAITING

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]
DONE, CANCELLED = "[done] end_turn", "[done] cancelled"


class Acpx:
    """The command line client; between its commands the agent lives on in a process of acpx's own."""

    def __init__(self, bed: Bed, node: kit.Node) -> None:
        self._bed = bed
        agent = " ".join(bed.agent)
        self._command = [*node.acpx, "--agent", agent, "--cwd", str(bed.workspace), "--ttl", "30"]
        self._environ = {**bed.environ, "PATH": f"{node.bin}{os.pathsep}{bed.environ['PATH']}"}

    async def start(self, *arguments: str) -> asyncio.subprocess.Process:
        command = [*self._command, *arguments]
        return await asyncio.create_subprocess_exec(
            *command, env=self._environ, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, limit=1 << 26
        )

    async def run(self, *arguments: str) -> str:
        process = await self.start(*arguments)
        async with asyncio.timeout(SECONDS):
            out, err = await process.communicate()
        assert process.returncode == 0, err.decode()
        return out.decode()

    async def rows(self) -> list[dict[str, Any]]:
        return json.loads(await self.run("--format", "json", "sessions", "list"))["sessions"]


@pytest.fixture
async def acpx(bed: Bed) -> AsyncIterator[Acpx]:
    acpx = Acpx(bed, kit.node())
    yield acpx
    async with asyncio.timeout(SECONDS):
        while any(run.ended is None for run in bed.wire.runs()):
            await asyncio.sleep(0.05)


async def test_one_shot_prints_what_went_over_the_wire(bed: Bed, acpx: Acpx) -> None:
    lines = (await acpx.run("--format", "json", "exec", "good morning")).splitlines()
    printed, [run] = [json.loads(line) for line in lines], bed.wire.runs()
    assert {"jsonrpc": "2.0", "id": 2, "result": {"stopReason": "end_turn"}} in printed
    for sender in {sender for sender, _ in run.frames}:  # what goes both ways at once has no order
        sent = [message for each, message in run.frames if each == sender]
        shown = [message for message in printed if message in sent]
        assert shown == sent[: len(shown)]
        assert shown
    assert all(message in [each for _, each in run.frames] for message in printed)
    [row] = await acpx.rows()
    assert (row["sessionId"], row["cwd"]) == (*run.session_ids(), str(bed.workspace))


async def test_a_thread_through_everything(bed: Bed, acpx: Acpx) -> None:
    bed.configure("agent: {compression: {mode: split}}\ntools: {sandbox: 'off'}\n")
    session_id = (await acpx.run("sessions", "new", "--name", "day")).strip().splitlines()[-1]
    assert DONE in await acpx.run("prompt", "-s", "day", "good morning")

    await acpx.run("--approve-all", "prompt", "-s", "day", "make allowed.txt")
    await acpx.run("--deny-all", "prompt", "-s", "day", "make refused.txt")
    assert (bed.workspace / "allowed.txt").exists()
    assert not (bed.workspace / "refused.txt").exists()

    waiting = await acpx.start("prompt", "-s", "day", "please wait")
    assert waiting.stdout is not None
    async with asyncio.timeout(SECONDS):
        await waiting.stdout.readuntil(WAITING.encode())
    await acpx.run("cancel", "-s", "day")
    out, _ = await waiting.communicate()
    assert CANCELLED in out.decode()
    assert await bed.model.hung_up()

    for text in ("tell a story", "another story", "where were we?"):
        assert DONE in await acpx.run("prompt", "-s", "day", text)
    assert [move["reason"] for move in bed.wire.moves()] == ["compression"]
    assert ".baton/handoffs/" in await acpx.run("--approve-all", "prompt", "-s", "day", "/handoff")
    assert [move["reason"] for move in bed.wire.moves()] == ["compression", "handoff"]

    bed.kill_agent()
    assert "in a context of 2." in await acpx.run("prompt", "-s", "day", "go on")
    [row] = await acpx.rows()
    assert row["sessionId"] == session_id
    assert row["_meta"]["agentSessionId"] == bed.wire.moves()[-1]["currentHermesSessionId"]
    await acpx.run("sessions", "close", "day")

    runs = bed.wire.runs()
    assert [run.killed for run in runs].count(True) == 1
    assert len([run for run in runs if run.asked("session/new")]) == 1
    assert set.union(*(run.session_ids() for run in runs)) == {session_id}
    assert len(bed.wire.moves()) == 2
    assert len(runs[1].asked("session/request_permission")) == 3
    lent = [message["method"] for _, message in runs[1].frames if message.get("method", "").startswith("terminal/")]
    assert lent == [f"terminal/{act}" for act in ("create", "wait_for_exit", "output", "release")], "for allowed.txt"
