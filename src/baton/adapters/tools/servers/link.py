"""A connection to one MCP server: made when first needed, and made anew after the server was lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from baton.adapters.tools.servers.config import Server
from baton.adapters.tools.servers.transport import Transport
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


class Link:
    """A task of its own holds each connection, because the library wants it opened and closed by the same one.

    Every failure is a `ToolError` that names the server. After one that lost the connection the next call connects
    again; a call that may have reached the server is never repeated.
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
        client = await self._connected()
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
        """Cancelling tells the server, and waits for it no longer than half a second."""
        client = await self._connected()
        return await self._ask(client.call_tool(name, args, progress_callback=progress), self._server.timeout)

    async def close(self) -> None:
        """Ends the server that was started, if any."""
        self._drop()
        if self._holders:
            _, late = await asyncio.wait(self._holders, timeout=_CLOSING)
            for holder in late:
                holder.cancel()

    async def _ask(self, request: Awaitable[T], seconds: float) -> T:
        """The answer to one request; what goes wrong with the connection itself drops it."""
        from mcp import MCPError
        from mcp.types import CONNECTION_CLOSED

        asking = asyncio.ensure_future(request)
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(asking)
        except TimeoutError:
            await self._abandon(asking)
            raise self._failed(f"there was no answer in {seconds:.0f} s") from None
        except asyncio.CancelledError:
            await self._abandon(asking)
            raise
        except MCPError as error:
            lost = error.message in _LOST or (error.code == CONNECTION_CLOSED and self._server.url)
            if not lost:
                raise self._failed(one_line(error.message, 300)) from None
            self._drop()
            await asyncio.sleep(0.05)  # its last words may still be on the way
            words = self._transport.last_words()
            raise self._failed(f"the server ended{words}; the next call starts it again") from None
        except Exception as error:  # noqa: BLE001, whatever a foreign server makes the library raise
            self._drop()
            raise self._failed(f"{type(error).__name__} {_cause(error)}") from None

    async def _abandon(self, asking: asyncio.Future[Any]) -> None:
        """Lets the library tell the server; one that does not even listen is dropped."""
        asking.cancel()
        _, waiting = await asyncio.wait([asking], timeout=_PATIENCE)
        if waiting:
            self._drop()

    def _drop(self) -> None:
        self._client = None
        self._stop.set()

    async def _connected(self) -> Client:
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
            raise self._failed(f"it did not answer in {CONNECT_SECONDS:.0f} s{words}") from None
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
                ready.set_exception(self._failed(f"it cannot be used: {_cause(error)}{words}"))
        finally:
            if self._stop is stop:
                self._client = None

    def _failed(self, reason: str) -> ToolError:
        return ToolError(tool=f"MCP server {self._server.name}", reason=reason)


def _cause(error: BaseException) -> str:
    """The first of what may be a group of errors, in words."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return one_line(str(error) or type(error).__name__, 300)
