"""Commands in the terminals an editor lends: shown there, ended there, recorded here, and never started twice."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from baton.config.tool_settings import ToolsSettings
from baton.core.agent.message import Call
from baton.core.value import replace
from tests.support.acp.client import Client, its
from tests.support.acp.consoles import Consoles
from tests.surface.acp.conftest import QUICK, OpenEditor

pytestmark = pytest.mark.anyio
CAN = {"terminal": True}


def shell(command: str, **more: Any) -> list[list[Any]]:
    return [[Call("c1", "shell", {"command": command, **more})], ["Done."]]


def result(client: Client) -> str:
    return client.host.model.prompts[1].messages[-1].text  # type: ignore[attr-defined]


def last(client: Client) -> dict[str, Any]:
    return client.updates("tool_call_update")[-1]


@pytest.mark.parametrize("joined", [False, True], ids=["direct", "through a shell"])
async def test_a_command_runs_in_the_terminal_and_is_shown_in_its_call(
    editor: OpenEditor, isolated: Path, joined: bool
) -> None:
    consoles = Consoles(joined=joined, environ={"SHOP_API_KEY": "CANARY", "PLAIN": "plain", "GIT_DIR": "/elsewhere"})
    command = """echo "one  two" '$PLAIN' > said; cat said; echo "$PLAIN/$SHOP_API_KEY/$GIT_DIR/$GIT_PAGER"; exit 3"""
    async with editor(shell(command), answer=consoles, can=CAN) as client:
        assert await client.say(await client.new(isolated), "go") == "end_turn"
        assert result(client) == "one  two $PLAIN\nplain///cat\n[exit 3, in the editor's terminal, not sandboxed]"
        asked = client.asked("session/request_permission")
        assert "in your editor's terminal" in asked[0]["toolCall"]["content"][0]["content"]["text"]
        embedded = {"type": "terminal", "terminalId": "t1"}
        shown = [each for each in client.updates("tool_call_update") if "content" in each]
        assert [each["content"] for each in shown] == [[embedded], [embedded]]
        assert (last(client)["status"], last(client)["rawOutput"]["exit"]) == ("failed", 3)
        assert consoles.acts == ["create", "wait_for_exit", "output", "release"]
        [made] = consoles.created
        assert made["cwd"] == str(isolated)
        assert not os.path.exists(made["args"][-1]), "the file it was handed over in"


async def test_a_long_output_is_evidence_as_ever(editor: OpenEditor, isolated: Path) -> None:
    async with editor(shell("seq 1 20000"), answer=Consoles(), can=CAN, mode="unattended") as client:
        session_id = await client.new(isolated)
        assert await client.say(session_id, "go") == "end_turn"
        log = isolated / last(client)["rawOutput"]["log"]
        assert log.read_text() == "".join(f"{number}\n" for number in range(1, 20_001))
        assert "characters left out" in result(client)
        since = len(client.frames)
        await client.call("session/load", sessionId=session_id, cwd=str(isolated), mcpServers=[])
        [again] = client.updates("tool_call", since)
        assert again["content"][0]["type"] == "content", "a terminal of another day is not there any more"


OFF = replace(QUICK, tools=ToolsSettings(sandbox="off", client_terminals="off"))
REQUIRED = replace(QUICK, tools=ToolsSettings(sandbox="required"))


@pytest.mark.parametrize(
    ("can", "settings"), [(None, QUICK), (CAN, OFF), ({"terminal": "yes"}, QUICK)], ids=["none", "off", "garbled"]
)
async def test_without_a_terminal_it_runs_here(editor: OpenEditor, isolated: Path, can: Any, settings: Any) -> None:
    consoles = Consoles()
    async with editor(shell("echo x >> made"), answer=consoles, can=can, settings=settings) as client:
        await client.say(await client.new(isolated), "go")
        assert consoles.acts == []
        assert _lines(isolated) == ["x"]
        assert "terminal" not in str(last(client))


async def test_a_required_sandbox_is_not_left(editor: OpenEditor, isolated: Path) -> None:
    consoles = Consoles()
    script = shell("touch made", outside=True)
    async with editor(script, answer=consoles, can=CAN, settings=REQUIRED, mode="unattended") as client:
        await client.say(await client.new(isolated), "go")
        assert "tools.sandbox is required" in result(client)
        assert (consoles.acts, (isolated / "made").exists()) == ([], False)


async def test_too_long_is_ended(editor: OpenEditor, isolated: Path) -> None:
    consoles = Consoles()
    async with editor(shell("echo begun; sleep 60", timeout=3), answer=consoles, can=CAN) as client:
        await client.say(await client.new(isolated), "go")
        assert result(client).startswith("begun\n[timed out after")
        assert consoles.acts == ["create", "wait_for_exit", "kill", "output", "release"]
        assert consoles.running == {}


async def test_a_cancel_ends_it_and_lets_go(editor: OpenEditor, isolated: Path) -> None:
    consoles = Consoles()
    async with editor(shell("touch begun; sleep 60"), answer=consoles, can=CAN) as client:
        session_id = await client.new(isolated)
        reply = client.prompt(session_id, "go")
        await client.until(lambda: (isolated / "begun").exists() and "wait_for_exit" in consoles.acts)
        [process] = consoles.running.values()
        client.notify("session/cancel", sessionId=session_id)
        assert (await its(reply))["stopReason"] == "cancelled"
        await process.wait()
        await client.until(lambda: "release" in consoles.acts)
        assert consoles.acts == ["create", "wait_for_exit", "kill", "release"]
        assert last(client)["status"] == "failed"
        assert await client.say(session_id, "and now?") == "end_turn"


@pytest.mark.parametrize(
    ("act", "error", "said", "lines"),
    [
        ("create", {"code": -32601, "message": "no such method"}, "exit 0, not sandboxed", (1,)),
        ("create", {"code": -32000, "message": "permission denied"}, "refused to open it: permission denied", (0,)),
        ("wait_for_exit", {"code": -32603, "message": "lost it"}, "terminal/wait_for_exit: lost it", (0, 1)),
        ("output", {"code": -32603, "message": "lost it"}, "terminal/output: lost it", (1,)),
        ("release", {"code": -32603, "message": "lost it"}, "exit 0, in the editor's terminal", (1,)),
    ],
)
async def test_what_fails_is_said_and_nothing_is_run_twice(
    editor: OpenEditor, isolated: Path, act: str, error: dict[str, Any], said: str, lines: tuple[int, ...]
) -> None:
    """A refusal may be a person's or a policy's: what an editor does not want run is not run by other means."""
    consoles = Consoles()
    consoles.instead[act] = error
    async with editor(shell("echo x >> made"), answer=consoles, can=CAN) as client:
        assert await client.say(await client.new(isolated), "go") == "end_turn"
        assert said in result(client)
        if act in ("wait_for_exit", "output"):
            assert consoles.acts[-2:] == ["kill", "release"]
        assert len(_lines(isolated)) in lines


def _lines(directory: Path) -> list[str]:
    made = directory / "made"
    return made.read_text().splitlines() if made.exists() else []


async def test_a_terminal_that_comes_too_late_runs_nothing(
    editor: OpenEditor, isolated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("baton.surfaces.acp.editor.SECONDS", 0.1)
    consoles, opened = Consoles(), asyncio.Event()

    async def late(params: dict[str, Any]) -> Any:
        await opened.wait()
        return await Consoles.create(consoles, params)

    monkeypatch.setattr(consoles, "create", late)
    async with editor(shell("touch made"), answer=consoles, can=CAN) as client:
        assert await client.say(await client.new(isolated), "go") == "end_turn"
        assert "did not open it in time" in result(client)
        opened.set()
        await client.until(lambda: "release" in consoles.acts and not consoles.running)
        assert not (isolated / "made").exists()


async def test_an_editor_that_goes_takes_its_terminal_along(editor: OpenEditor, isolated: Path) -> None:
    """The prompt is answered, or there is nobody left to answer; the process ends either way."""
    consoles = Consoles()
    consoles.instead["wait_for_exit"] = None
    async with editor(shell("touch begun"), answer=consoles, can=CAN) as client:
        client.prompt(await client.new(isolated), "go")
        await client.until(lambda: "wait_for_exit" in consoles.acts)
