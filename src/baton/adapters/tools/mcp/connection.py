"""A connection to one MCP server, over the pipes of a program or over HTTP: made when first needed, and again after
the server was lost.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

from baton.adapters.tools.mcp.config import Server, fill_variables
from baton.core.display import one_line
from baton.core.errors import ToolError

if TYPE_CHECKING:
    from mcp import Client
    from mcp.shared.dispatcher import ProgressFnT
    from mcp.types import CallToolResult
    from mcp.types import Tool as Listed

T = TypeVar("T")

CONNECT_SECONDS = 20.0
_PAGES = 10
_PATIENCE = 0.5
_CLOSING = 6.0
_LOST = ("Connection closed", "Session terminated")
_STDERR_KEPT = 2_000
_STDERR_SHOWN = 300


class ServerConnection:
    """Each connection is held by its own task, because the library requires the same task to open and close it.

    Every failure is a `ToolError` that names the server. After the connection was lost the next call connects again; a
    call that may have reached the server is never repeated.
    """

    def __init__(self, server: Server, directory: str) -> None:
        self._server = server
        self._directory = directory
        self._lock = asyncio.Lock()
        self._client: Client | None = None
        self._transport = Transport(server, directory)
        self._stop = asyncio.Event()
        self._holders: set[asyncio.Task[None]] = set()

    async def tools(self) -> list[Listed]:
        """What the server offers."""
        client = await self._require_client()
        found: list[Listed] = []
        cursor: str | None = None
        for _ in range(_PAGES):
            page = await self._ask(client.list_tools(cursor=cursor), CONNECT_SECONDS)
            found += page.tools
            cursor = page.next_cursor
            if not cursor:
                break
        return found

    async def call(self, name: str, args: dict[str, Any], progress: ProgressFnT) -> CallToolResult:
        """A cancelled call tells the server, and waits for it at most half a second."""
        client = await self._require_client()
        return await self._ask(client.call_tool(name, args, progress_callback=progress), self._server.timeout)

    async def close(self) -> None:
        """Ends the server that was started, if any."""
        self._drop()
        if self._holders:
            _, late = await asyncio.wait(self._holders, timeout=_CLOSING)
            for holder in late:
                holder.cancel()

    async def _ask(self, request: Awaitable[T], seconds: float) -> T:
        """The answer to one request; a failure of the connection itself drops the connection."""
        from mcp import MCPError
        from mcp.types import CONNECTION_CLOSED

        asking = asyncio.ensure_future(request)
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(asking)
        except TimeoutError:
            await self._abandon(asking)
            raise self._failure(f"there was no answer in {seconds:.0f} s") from None
        except asyncio.CancelledError:
            await self._abandon(asking)
            raise
        except MCPError as error:
            lost = error.message in _LOST or (error.code == CONNECTION_CLOSED and self._server.url)
            if not lost:
                raise self._failure(one_line(error.message, 300)) from None
            self._drop()
            await asyncio.sleep(0.05)  # its last words may still be on the way
            words = self._transport.last_words()
            raise self._failure(f"the server ended{words}; the next call starts it again") from None
        except Exception as error:  # noqa: BLE001, whatever a foreign server makes the library raise
            self._drop()
            raise self._failure(f"{type(error).__name__} {_cause(error)}") from None

    async def _abandon(self, asking: asyncio.Future[Any]) -> None:
        """Lets the library tell the server; one that does not even listen is dropped."""
        asking.cancel()
        _, waiting = await asyncio.wait([asking], timeout=_PATIENCE)
        if waiting:
            self._drop()

    def _drop(self) -> None:
        self._client = None
        self._stop.set()

    async def _require_client(self) -> Client:
        async with self._lock:
            if self._client is None:
                self._client = await self._connect()
            return self._client

    async def _connect(self) -> Client:
        self._stop = asyncio.Event()
        self._transport = Transport(self._server, self._directory)
        ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        holder = asyncio.create_task(self._hold(ready, self._transport, self._stop))
        self._holders.add(holder)
        holder.add_done_callback(self._holders.discard)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await asyncio.shield(ready)
        except TimeoutError:
            holder.cancel()
            words = self._transport.last_words()
            raise self._failure(f"it did not answer in {CONNECT_SECONDS:.0f} s{words}") from None
        except asyncio.CancelledError:
            holder.cancel()
            raise

    async def _hold(self, ready: asyncio.Future[Client], transport: Transport, stop: asyncio.Event) -> None:
        try:
            from mcp import Client

            async with transport.open() as opened, Client(opened) as client:
                ready.set_result(client)
                await stop.wait()
        except asyncio.CancelledError:
            ready.cancel()
            raise
        except Exception as error:  # noqa: BLE001, the edge to a foreign server
            if not ready.done():
                words = transport.last_words()
                ready.set_exception(self._failure(f"it cannot be used: {_cause(error)}{words}"))
        finally:
            if self._stop is stop:
                self._client = None

    def _failure(self, reason: str) -> ToolError:
        return ToolError(tool=f"MCP server {self._server.name}", reason=reason)


def _cause(error: BaseException) -> str:
    """The first of what may be a group of errors, in words."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return one_line(str(error) or type(error).__name__, 300)


class Transport:
    """What the library connects through. A program's standard error never reaches the terminal; its last lines are
    kept, because they are often the only explanation.
    """

    def __init__(self, server: Server, directory: str) -> None:
        self._server = server
        self._directory = server.cwd or directory
        self._said = b""

    def last_words(self) -> str:
        """A clause with the program's last complaint, or an empty string."""
        said = one_line(self._said.decode(errors="replace")[-_STDERR_SHOWN:], _STDERR_SHOWN)
        return f" (it said: {said})" if said else ""

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[Any]:
        async with AsyncExitStack() as stack:
            yield await self._over_http(stack) if self._server.url else self._over_pipes(stack)

    async def _over_http(self, stack: AsyncExitStack) -> Any:
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        headers = self._fill(self._server.headers)
        timeout = httpx2.Timeout(30.0, read=max(300.0, self._server.timeout))
        client = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=timeout))
        return streamable_http_client(self._server.url, http_client=client)

    def _over_pipes(self, stack: AsyncExitStack) -> Any:
        from mcp.client.stdio import StdioServerParameters, stdio_client

        server = StdioServerParameters(
            command=self._server.command,
            args=list(self._server.args),
            env=self._fill(self._server.env),
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

    def _fill(self, texts: Mapping[str, str]) -> dict[str, str]:
        return dict(texts) if self._server.literal else fill_variables(texts, os.environ)

    def _listen(self, reader: int) -> None:
        try:
            said = os.read(reader, 1 << 16)
        except BlockingIOError:
            return
        self._said = (self._said + said)[-_STDERR_KEPT:]
