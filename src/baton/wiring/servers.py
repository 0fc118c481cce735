"""The MCP servers of the configuration: connected in the background, waited for once, never in a turn's way."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from baton.adapters.tools.mcp.config import Server
from baton.core.agent.event import Noticed

if TYPE_CHECKING:
    from baton.adapters.tools.mcp.tools import McpServers
    from baton.config.tool_settings import McpServerSettings
    from baton.ports.tool import Tool

PATIENCE = 10.0
CODE = "mcp-server"
LATE = "MCP servers that have not answered yet: {names}. The turn continues without their tools."


class Connections:
    """`begin` inside an event loop, `ready` before each turn, `close` at the end."""

    def __init__(self, servers: McpServers, patience: float = PATIENCE) -> None:
        self._servers = servers
        self._patience = patience
        self._task: asyncio.Task[None] | None = None
        self._waited = False
        self._told: set[str] = set()
        self._notices: list[str] = []

    def begin(self) -> None:
        self._task = asyncio.create_task(self._connect())

    async def ready(self) -> list[Noticed]:
        """What is worth telling since the last time, each sentence once. The first time waits for the servers, within
        bounds; later, those that are missing are tried again in the background.
        """
        if self._task is None or (self._task.done() and self._servers.pending_servers()):
            self.begin()
        if self._task and not self._waited:
            self._waited = True
            await asyncio.wait([self._task], timeout=self._patience)
            if not self._task.done():
                self._tell(LATE.format(names=", ".join(self._servers.pending_servers())))
        told, self._notices = self._notices, []
        return [Noticed(CODE, text) for text in told]

    def tools(self) -> list[Tool]:
        return self._servers.tools()

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])
        await self._servers.close()

    async def _connect(self) -> None:
        for sentence in await self._servers.connect():
            self._tell(sentence)

    def _tell(self, sentence: str) -> None:
        if sentence not in self._told:
            self._told.add(sentence)
            self._notices.append(sentence)


def to_servers(given: Mapping[str, McpServerSettings]) -> list[Server]:
    """Those that are enabled."""
    return [
        Server(
            name,
            command=each.command,
            args=each.args,
            env=each.env,
            cwd=each.cwd,
            url=each.url,
            headers=each.headers,
            timeout=each.timeout,
            trusted_read=each.trusted_read,
        )
        for name, each in given.items()
        if each.enabled
    ]
