"""Tools of MCP servers that the user configured. The library behind this is imported when a server is first used."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from baton.adapters.tools.arguments import check_loosely
from baton.adapters.tools.mcp.config import Server
from baton.adapters.tools.mcp.connection import ServerConnection
from baton.adapters.tools.output import Logs, clip_output
from baton.core.agent.message import ToolSpec
from baton.core.display import one_line, plain, spell_out
from baton.core.errors import ToolError
from baton.engine.aio import finish_in_thread
from baton.ports.tool import EXECUTE, READ, Intent, Outcome, Output, Tool

if TYPE_CHECKING:
    from mcp.types import CallToolResult
    from mcp.types import Tool as Listed

MOST = 64
_NAME = 64
_DESCRIPTION = 1_000
_SCHEMA = 20_000


class McpServers:
    """All configured servers. Nothing is started before `connect`; `tools` are those known so far."""

    def __init__(self, servers: Iterable[Server], logs: Logs, limit_chars: int, directory: str = "") -> None:
        self._servers = {each.name: each for each in servers}
        start = directory or os.path.expanduser("~")
        self._connections = {name: ServerConnection(each, start) for name, each in self._servers.items()}
        self._logs = logs
        self._limit = limit_chars
        self._tools: dict[str, list[Tool]] = {}

    async def connect(self) -> list[str]:
        """Asks every server not heard of yet what it offers, all at once; a sentence for each that failed."""
        return [problem for problem in await asyncio.gather(*map(self._learn, self.pending_servers())) if problem]

    def pending_servers(self) -> list[str]:
        """Names of the servers that have not said yet what they offer."""
        return [name for name in self._servers if name not in self._tools]

    def tools(self) -> list[Tool]:
        return [tool for name in self._servers for tool in self._tools.get(name, ())]

    async def close(self) -> None:
        await asyncio.gather(*(connection.close() for connection in self._connections.values()))

    async def _learn(self, name: str) -> str:
        connection = self._connections[name]
        try:
            listed = await connection.tools()
        except ToolError as error:
            return str(error)
        made = [McpTool(self._servers[name], connection, each, self._logs, self._limit) for each in listed[:MOST]]
        self._tools[name] = list({tool.spec.name: tool for tool in made}.values())
        return f"MCP server {name} offers {len(listed)} tools; the first {MOST} are used." if len(listed) > MOST else ""


class McpTool:
    """One tool of a server. What the server says of itself is only a claim: unless the user trusts it, the tool counts
    as executing.
    """

    def __init__(
        self, server: Server, connection: ServerConnection, listed: Listed, logs: Logs, limit_chars: int
    ) -> None:
        self._server = server
        self._connection = connection
        self._name = listed.name
        self._logs = logs
        self._limit = limit_chars
        hinted = listed.annotations is not None and listed.annotations.read_only_hint is True
        self._effect = READ if hinted and server.trusted_read else EXECUTE
        self.spec = ToolSpec(tool_name(server.name, listed.name), _description(listed), _schema(listed.input_schema))
        self._runner = _identity(server, listed)

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        check_loosely(self.spec, args)
        shown = spell_out(json.dumps(dict(args), ensure_ascii=False, indent=1, default=str))
        title = f"{self._server.name}: {one_line(self._name, 80)} {one_line(shown, 100)}"
        preview = f"{self._server.name}: {one_line(self._name, 80)}\n{shown}"
        return Intent(title, self._effect, preview=preview, runner=self._runner, asks=f"Allow {title}?")

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        check_loosely(self.spec, args)

        async def report(progress: float, total: float | None, message: str | None) -> None:
            of = f"/{total:g}" if total else ""
            output(one_line(f"{progress:g}{of} {message or ''}", 300) + "\n")

        result = await self._connection.call(self._name, dict(args), report)
        return await finish_in_thread(lambda: self._outcome(result))

    def _outcome(self, result: CallToolResult) -> Outcome:
        text, log = clip_output(self._logs, self.spec.name, self._limit, _text(result))
        return Outcome(text, not result.is_error, {"server": self._server.name, "log": log})


def tool_name(server: str, tool: str) -> str:
    """`server__tool`, in the letters and the length that every provider takes."""
    name = f"{server}__{re.sub(r'[^A-Za-z0-9_-]', '_', tool)}"
    if len(name) <= _NAME and name.endswith(f"__{tool}"):
        return name
    return f"{name[: _NAME - 9]}_{hashlib.sha256(tool.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _identity(server: Server, listed: Listed) -> str:
    """Stays the same while the server is started or reached in the same way and describes this tool in the same way."""
    reached = [server.command, list(server.args), dict(server.env), server.cwd, server.url, dict(server.headers)]
    said = [listed.name, listed.description, listed.input_schema]
    return hashlib.sha256(json.dumps([reached, said], sort_keys=True, default=str).encode()).hexdigest()


def _description(listed: Listed) -> str:
    return plain(listed.description or listed.name)[:_DESCRIPTION]


def _schema(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The server's schema; one too large for a context is replaced by one that allows anything."""
    if given.get("type") != "object" or len(json.dumps(given, default=str)) > _SCHEMA:
        return {"type": "object"}
    return given


def _text(result: CallToolResult) -> str:
    parts = [_block(block) for block in result.content]
    if not parts and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False, default=str)]
    return plain("\n".join(parts)) or "[the tool said nothing]"


def _block(block: Any) -> str:
    """Text as it is; anything else is only named."""
    if block.type == "text":
        return block.text
    if block.type == "resource":
        return getattr(block.resource, "text", "") or f"[data of {block.resource.uri}; it is not shown]"
    if block.type == "resource_link":
        return f"[{block.uri}]"
    return f"[{block.type} of type {block.mime_type}; it is not shown]"
