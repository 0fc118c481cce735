from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.tools.mcp.config import Server, fill_variables
from baton.adapters.tools.mcp.tools import McpServers, tool_name
from baton.adapters.tools.output import Logs
from baton.core.errors import BadArguments, ToolError
from baton.ports.tool import EXECUTE, READ, Outcome, Tool
from tests.unit.tools.kit import silent, used

pytestmark = pytest.mark.anyio
SCRIPT = Path(__file__).with_name("mcp_server.py")


def local(name: str = "test", **more: Any) -> Server:
    return Server(name, command=sys.executable, args=("-I", str(SCRIPT)), **more)


@asynccontextmanager
async def connected(logs: Logs, *given: Server) -> AsyncGenerator[dict[str, Tool]]:
    found = McpServers(given or [local()], logs, 2_000)
    try:
        assert await found.connect() == []
        yield {tool.spec.name: tool for tool in found.tools()}
    finally:
        await found.close()


def children() -> list[str]:
    said = subprocess.run(["ps", "-o", "args", "--ppid", str(os.getpid())], capture_output=True, text=True, check=False)
    return [line for line in said.stdout.splitlines() if str(SCRIPT) in line]


async def test_tools_of_a_server_are_named_after_it(logs: Logs) -> None:
    async with connected(logs) as tools:
        assert sorted(tools)[:4] == ["test__big", "test__crash", "test__echo", "test__fail"]
        assert tools["test__echo"].spec.description == "Does echo."
        assert all("\x1b" not in tool.spec.description for tool in tools.values())
        assert await used(tools["test__echo"], text="hello\x1b[31m") == Outcome(
            "hello", details={"server": "test", "log": None}
        )
        with pytest.raises(BadArguments, match="'text' is missing"):
            await used(tools["test__echo"])
    assert children() == []


async def test_nothing_is_started_before_it_is_asked_for(logs: Logs) -> None:
    found = McpServers([local()], logs, 2_000)
    assert found.tools() == []
    assert children() == []
    await found.close()


async def test_a_server_is_not_started_in_the_workspace_and_gets_no_secrets(
    logs: Logs, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("NEEDED", "given")
    async with connected(logs, local(env={"TOKEN": "${NEEDED}!"})) as tools:
        found = json.loads((await used(tools["test__where"])).text)
    assert found["cwd"] == os.environ["HOME"] != str(root)
    assert found["env"]["TOKEN"] == "given!"
    assert "OPENAI_API_KEY" not in found["env"]


@pytest.mark.parametrize(("trusted", "effect"), [(False, EXECUTE), (True, READ)])
async def test_a_hint_counts_only_for_a_trusted_server(logs: Logs, trusted: bool, effect: str) -> None:
    async with connected(logs, local(trusted_read=trusted)) as tools:
        assert (await tools["test__echo"].intent({"text": "x"})).effect == effect
        assert (await tools["test__big"].intent({})).effect == EXECUTE


async def test_an_altered_server_is_another_runner(logs: Logs) -> None:
    runners: set[str] = set()
    for server in (local(), local(env={"A": "b"}), local(trusted_read=True), local(cwd="/")):
        async with connected(logs, server) as tools:
            runners.add((await tools["test__echo"].intent({"text": "x"})).runner)
    assert len(runners) == 3


async def test_results_of_every_kind_are_text_and_bounded(logs: Logs, root: Path) -> None:
    async with connected(logs) as tools:
        big = await used(tools["test__big"])
        assert len(big.text) < 2_300
        assert (root / big.details["log"]).stat().st_size == 3_000_000
        assert (await used(tools["test__picture"])).text == "[image of type image/png; it is not shown]"
        assert await used(tools["test__fail"]) == Outcome("it failed", False, {"server": "test", "log": None})
        with pytest.raises(ToolError, match="MCP server test failed: that does not work"):
            await used(tools["test__wrong"])
        assert (await used(tools["test__echo"], text="still here")).text == "still here"


async def test_a_server_that_crashes_is_told_and_started_again(logs: Logs) -> None:
    async with connected(logs) as tools:
        with pytest.raises(ToolError, match=r"the server ended .*disk is on fire.*; the next call starts it again"):
            await used(tools["test__crash"])
        assert (await used(tools["test__echo"], text="back")).text == "back"
    assert children() == []


async def test_progress_is_shown_and_a_cancel_is_answered_within_a_second(logs: Logs) -> None:
    shown: list[str] = []
    async with connected(logs) as tools:
        task = asyncio.create_task(tools["test__slow"].run({}, shown.append))
        while len(shown) < 3:
            await asyncio.sleep(0.02)
        begun = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - begun < 1
        assert shown == ["1/3\n", "2/3\n", "3/3\n"]
        assert (await used(tools["test__echo"], text="on")).text == "on"


async def test_a_server_that_does_not_answer_is_given_up(logs: Logs) -> None:
    async with connected(logs, local(timeout=1)) as tools:
        begun = time.monotonic()
        with pytest.raises(ToolError, match="there was no answer in 1 s"):
            await tools["test__wedge"].run({}, silent)
        assert time.monotonic() - begun < 3


@pytest.mark.parametrize(
    ("server", "reason"),
    [
        (Server("bad", command="/no/such/program"), "No such file or directory"),
        (Server("bad", command=sys.executable, args=("-c", "raise SystemExit('cannot start')")), "cannot start"),
        (Server("bad", url="http://127.0.0.1:1/mcp"), "bad failed: it cannot be used"),
        (Server("bad", command=sys.executable, env={"X": "${NOT_THERE}"}), "NOT_THERE is not set"),
    ],
)
async def test_a_server_that_cannot_be_used_is_a_sentence_and_spoils_nothing(
    logs: Logs, server: Server, reason: str
) -> None:
    found = McpServers([server, local()], logs, 2_000)
    said = await found.connect()
    assert len(said) == 1
    assert reason in said[0]
    assert any(tool.spec.name == "test__echo" for tool in found.tools())
    await found.close()


async def test_a_server_over_http(logs: Logs) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        if head.startswith("post") and "authorization: bearer given" in head:
            length = int(head.partition("content-length: ")[2].partition("\r")[0])
            request = json.loads(await reader.readexactly(length))
            body, status = reply(request), "200 OK"
        else:
            body, status = None, "405 Method Not Allowed"
        data = json.dumps(body).encode() if body else b""
        status = status if body or status != "200 OK" else "202 Accepted"
        writer.write(
            f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n"
            f"Connection: close\r\n\r\n".encode()
            + data
        )
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
    os.environ["HTTP_TEST_KEY"] = "given"
    try:
        async with connected(
            logs, Server("web", url=url, headers={"Authorization": "Bearer ${HTTP_TEST_KEY}"})
        ) as tools:
            assert (await used(tools["web__ping"])).text == "pong"
    finally:
        del os.environ["HTTP_TEST_KEY"]
        server.close()
        await server.wait_closed()


def reply(request: dict[str, Any]) -> dict[str, Any] | None:
    results: dict[str, Any] = {
        "initialize": {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "web", "version": "1"},
        },
        "tools/list": {"tools": [{"name": "ping", "inputSchema": {"type": "object"}}]},
        "tools/call": {"content": [{"type": "text", "text": "pong"}]},
    }
    if "id" not in request:
        return None
    if request["method"] not in results:
        return {"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "no"}}
    return {"jsonrpc": "2.0", "id": request["id"], "result": results[request["method"]]}


def test_the_library_is_not_imported_before_a_server_is_used() -> None:
    code = (
        "import sys; import baton.adapters.tools.registry, baton.adapters.tools.mcp.tools;"
        "print([name for name in ('mcp', 'httpx2', 'pydantic', 'ssl') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert set(eval(said)) <= {"ssl"}


def test_names_fit_every_provider() -> None:
    assert tool_name("git", "log") == "git__log"
    odd = [tool_name("s", name) for name in ("a b", "a.b", "x" * 100, "\x1b", "")]
    assert all(name.replace("_", "").replace("-", "").isalnum() and len(name) <= 64 for name in odd)
    assert len(set(odd)) == len(odd)


def test_secrets_of_a_server_are_not_shown() -> None:
    server = Server("x", command="y", env={"KEY": "secret"}, headers={"A": "secret"})
    assert "secret" not in repr(server)
    assert fill_variables({"A": "a ${B} c"}, {"B": "b"}) == {"A": "a b c"}
