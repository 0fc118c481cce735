"""MCP servers of the configuration, real ones of the official SDK: over pipes, over HTTP, missing, and dying."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.config import Settings
from baton.config.tool_settings import McpServerSettings, ToolsSettings
from baton.core.agent.event import Noticed, ToolEnded, TurnStarted
from baton.core.agent.message import Call
from baton.core.log.payloads import UserInput
from baton.core.value import replace
from baton.engine.turns.runtime import Runtime
from baton.surfaces.shared.approvals import NoApprover
from baton.testing.model import FakeModel
from baton.wiring.agent import AgentSpec, WorkspaceAgent
from tests.support.mcp_http import mcp_over_http

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240), pytest.mark.usefixtures("warm_home")]
PROJECT = Path(__file__).parents[2]
LOCAL = McpServerSettings(command=sys.executable, args=("-m", "tests.support.mcp_server"), cwd=str(PROJECT))
STOCK, CRASH = Call("c1", "shop__stock", {"item": "apples"}), Call("c2", "shop__crash", {})


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Desk:
    def __init__(self, agent: WorkspaceAgent, runtime: Runtime, conversation_id: str, model: FakeModel) -> None:
        self.agent, self.runtime, self.conversation_id, self.model = agent, runtime, conversation_id, model

    async def turn(self) -> list[Any]:
        return [event async for event in self.runtime.turn(self.conversation_id, UserInput("go"))]


@asynccontextmanager
async def desk(
    root: Path, servers: Mapping[str, McpServerSettings], *said: list[Any], mode: str = "unattended"
) -> AsyncGenerator[Desk]:
    """An agent of this workspace with these servers, and a model that says what is given."""
    store = open_sqlite(str(root.parent / "store" / "baton.db"))
    settings = replace(Settings(), tools=ToolsSettings(sandbox="off", mcp_servers=servers))
    agent = WorkspaceAgent(AgentSpec(str(root), str(root.parent / "baton"), "fake:model", mode, settings))
    model = FakeModel([*said, ["done"]])
    agent._models._opened["fake:model"] = model
    agent.begin(NoApprover())
    runtime = Runtime(store, agent.parts, surface="test")
    try:
        yield Desk(agent, runtime, store.conversations.start("test")[0].id, model)
    finally:
        await runtime.close()
        await agent.close()
        store.close()


def results(events: list[Any]) -> list[str]:
    return [event.text for event in events if isinstance(event, ToolEnded)]


def notices(events: list[Any]) -> list[str]:
    return [event.text for event in events if isinstance(event, Noticed)]


async def test_tools_of_a_local_server_are_there_in_the_first_turn(isolated: Path) -> None:
    async with desk(isolated, {"shop": LOCAL}, [STOCK]) as made:
        events = await made.turn()
    assert results(events)[0].startswith("7 apples, says process")
    assert notices(events) == []
    assert "shop__stock" in [spec.name for spec in made.model.prompts[0].tools]


async def test_a_server_s_tools_are_asked_for_like_any_command(isolated: Path) -> None:
    async with desk(isolated, {"shop": LOCAL}, [STOCK], mode="ask") as made:
        assert "[refused: the user said no" in results(await made.turn())[0]


async def test_a_server_that_dies_is_a_clear_result_and_is_there_again_in_the_next_turn(isolated: Path) -> None:
    async with desk(isolated, {"shop": LOCAL}, [STOCK], [CRASH], ["gone"], [STOCK]) as made:
        first, died = results(await made.turn())
        assert "MCP server shop failed: the server ended" in died
        second = await made.turn()
    assert results(second)[0].startswith("7 apples")
    assert results(second)[0] != first


async def test_a_server_that_cannot_be_used_is_told_once_and_the_turn_goes_on_without_it(isolated: Path) -> None:
    servers = {
        "gone": McpServerSettings(command="/no/such/program"),
        "shop": LOCAL,
        "off": replace(LOCAL, enabled=False),
    }
    async with desk(isolated, servers, [STOCK], ["done"]) as made:
        first = await made.turn()
        second = await made.turn()
    (said,) = notices(first)
    assert "MCP server gone failed: it cannot be used" in said
    assert results(first)[0].startswith("7 apples")
    assert notices(second) == []
    assert [event.reason for event in (first[-1], second[-1])] == ["completed", "completed"]
    assert not any(spec.name.startswith("off__") for spec in made.model.prompts[0].tools)


async def test_a_silent_server_holds_up_only_the_first_turn_and_a_cancel_is_answered(isolated: Path) -> None:
    silent = McpServerSettings(command=sys.executable, args=("-c", "import time; time.sleep(600)"))
    async with desk(isolated, {"silent": silent}) as made:
        watching = made.runtime.watch(made.conversation_id)
        task = asyncio.create_task(made.turn())
        assert isinstance(await watching.next(), TurnStarted)
        async with asyncio.timeout(1):
            assert await made.runtime.cancel(made.conversation_id)
            assert (await task)[-1].reason == "cancelled"
        events = await made.turn()
    assert events[-1].reason == "completed"
    kinds = [entry.kind for entry in made.runtime._queues[made.conversation_id].writer.entries]
    assert kinds == ["user", "turn_ended", "user", "assistant", "turn_ended"]


@pytest.fixture
def http_server(isolated: Path) -> Iterator[str]:
    with mcp_over_http() as address:
        yield address


async def test_a_server_over_streamable_http(isolated: Path, http_server: str) -> None:
    async with desk(isolated, {"shop": McpServerSettings(url=http_server)}, [STOCK]) as made:
        events = await made.turn()
    assert results(events)[0].startswith("7 apples")
    assert notices(events) == []
