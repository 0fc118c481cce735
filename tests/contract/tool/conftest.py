from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.mcp.config import Server
from baton.adapters.tools.mcp.tools import McpServers
from baton.adapters.tools.output import Logs
from baton.adapters.tools.registry import tools
from baton.adapters.tools.web.fetch import Fetch
from baton.core.errors import ToolError
from baton.core.log.entry import NewEntry
from baton.engine.past import Past
from baton.ports.tool import Intent, Outcome, Output, Tool
from baton.testing.memory import MemoryStore
from tests.contract.tool.kit import ESCAPES, LIMIT, furnish
from tests.support.handoffs import OneSecret

MCP_SERVER = Path(__file__).parents[2] / "unit" / "tools" / "mcp_server.py"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def root(isolated: Path) -> Path:
    furnish(isolated)
    return isolated


@pytest.fixture
async def every(root: Path) -> AsyncGenerator[Mapping[str, Tool]]:
    """All tools of the registry by name, with a web of one site and an MCP server."""
    logs = Logs(Workspace(root))
    server = Server("test", command=sys.executable, args=("-I", str(MCP_SERVER)))
    servers = McpServers([server], logs, LIMIT)
    async with site() as port:

        async def reach(host: str, _: int) -> str:
            if host != "site.test":
                raise ToolError(tool="fetch", reason=f"{host} is not public")
            return "127.0.0.1"

        found = {tool.spec.name: tool for tool in tools(Workspace(root), limit_chars=LIMIT, past=told())}
        found["fetch"] = Ported(Fetch(logs, LIMIT, reach), port)
        yield Late(found, servers)
        await servers.close()


def told() -> Past:
    """A conversation in which much was said, with escape sequences in it."""
    store = MemoryStore()
    conversation, head = store.conversations.start("test")
    mine = store.conversations.claim(conversation.id, "test", 60)
    said = [f"first {number} {ESCAPES * 100}" for number in range(50)]
    store.entries.append(mine, head.id, [NewEntry("user", {"text": text}) for text in [*said, "now"]])
    return Past(lambda: store, conversation.id, OneSecret)


class Late(dict[str, Tool]):
    """The server's tool is there when it is asked for, for connecting takes a while."""

    def __init__(self, found: Mapping[str, Tool], servers: McpServers) -> None:
        super().__init__(found)
        self.servers = servers

    async def get_tool(self, name: str) -> Tool:
        if name not in self:
            assert await self.servers.connect() == []
            self.update({tool.spec.name: tool for tool in self.servers.tools()})
        return self[name]


class Ported:
    """`fetch`, with the port of the test's own site put into its addresses."""

    def __init__(self, fetch: Fetch, port: int) -> None:
        self._fetch = fetch
        self._port = port
        self.spec = fetch.spec

    def _args(self, args: Mapping[str, Any]) -> Mapping[str, Any]:
        url = args.get("url")
        if isinstance(url, str) and url.startswith("http://site.test/"):
            return {**args, "url": url.replace("site.test", f"site.test:{self._port}", 1)}
        return args

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        return await self._fetch.intent(self._args(args))

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        return await self._fetch.run(self._args(args), output)


@asynccontextmanager
async def site() -> AsyncGenerator[int]:
    tasks: set[asyncio.Task[None]] = set()
    writers: set[asyncio.StreamWriter] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.add(writer)
        path = (await reader.readuntil(b"\r\n\r\n")).split()[1]
        if path == b"/slow":
            await asyncio.sleep(60)
        body = (ESCAPES * 1_000 if path == b"/loud" else "hello").encode()
        writer.write(
            f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        )
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(lambda r, w: tasks.add(asyncio.create_task(answer(r, w))), "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in writers:
            writer.transport.abort()
        server.close()
        await server.wait_closed()
        await asyncio.sleep(0)
