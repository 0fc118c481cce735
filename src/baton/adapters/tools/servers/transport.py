"""How an MCP server is spoken to: over the pipes of a program, or over HTTP."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from baton.adapters.tools.servers.config import Server, filled
from baton.core.display import one_line

_KEPT = 2_000
_SHOWN = 300


class Transport:
    """What the library connects through. What a program says on its standard error goes to no terminal; its end is
    kept, for it is often the only explanation there is.
    """

    def __init__(self, server: Server, directory: str) -> None:
        self._server = server
        self._directory = server.cwd or directory
        self._said = b""

    def last_words(self) -> str:
        """A clause with what the program complained about, or an empty string."""
        said = one_line(self._said.decode(errors="replace")[-_SHOWN:], _SHOWN)
        return f" (it said: {said})" if said else ""

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[Any]:
        async with AsyncExitStack() as stack:
            yield await self._over_http(stack) if self._server.url else self._over_pipes(stack)

    async def _over_http(self, stack: AsyncExitStack) -> Any:
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        headers = self._filled(self._server.headers)
        timeout = httpx2.Timeout(30.0, read=max(300.0, self._server.timeout))
        client = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=timeout))
        return streamable_http_client(self._server.url, http_client=client)

    def _over_pipes(self, stack: AsyncExitStack) -> Any:
        from mcp.client.stdio import StdioServerParameters, stdio_client

        server = StdioServerParameters(
            command=self._server.command,
            args=list(self._server.args),
            env=self._filled(self._server.env),
            cwd=self._directory,
        )
        reader, writer = os.pipe()
        stack.callback(os.close, reader)
        errors = stack.enter_context(os.fdopen(writer, "w"))
        os.set_blocking(reader, False)
        loop = asyncio.get_running_loop()
        loop.add_reader(reader, self._listen, reader)
        stack.callback(loop.remove_reader, reader)
        return stdio_client(server, errlog=errors)

    def _filled(self, texts: Mapping[str, str]) -> dict[str, str]:
        return dict(texts) if self._server.literal else filled(texts, os.environ)

    def _listen(self, reader: int) -> None:
        try:
            said = os.read(reader, 1 << 16)
        except BlockingIOError:
            return
        self._said = (self._said + said)[-_KEPT:]
