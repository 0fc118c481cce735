"""Server-sent events to one reader: bounded in memory, alive while nothing happens, over when the reader is gone."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from baton.surfaces.api.operation import EVENTS

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from baton.surfaces.api.context import Serving

HEARTBEAT = 15.0
PATIENCE = 60.0
LARGEST = 4_000_000
LAGGED = "lagged"
"""The last event of a stream whose reader was too slow; the turn goes on."""
_ALIVE = b": alive\n\n"


class Outlet:
    """What waits to be sent. A caller that can wait awaits `room`; for others `put` returns False when it is full."""

    def __init__(self, largest: int = LARGEST) -> None:
        self._largest = largest
        self._frames: deque[bytes] = deque()
        self._size = 0
        self._ended = False
        self._changed = asyncio.Event()
        self._roomy = asyncio.Event()
        self._roomy.set()

    def put(self, name: str, data: str, position: str = "") -> bool:
        """Adds one event; lone surrogates are escaped as in JSON. False, and nothing is added, if it is full."""
        if self._ended or self._size > self._largest:
            return False
        number = f"id: {position}\n" if position else ""
        self._add(f"{number}event: {name}\ndata: {data}\n\n")
        return True

    def mark(self, position: str) -> None:
        """Tells the reader its position, without an event."""
        self._add(f"id: {position}\n\n")

    def end(self, name: str = "") -> None:
        """Ends the stream after what waits, and after a last event if `name` is given."""
        if not self._ended and name:
            self._add(f"event: {name}\ndata: {{}}\n\n")
        self._ended = True
        self._changed.set()

    def _add(self, frame: str) -> None:
        encoded = frame.encode("utf-8", "backslashreplace")
        self._frames.append(encoded)
        self._size += len(encoded)
        if self._size > self._largest // 2:
            self._roomy.clear()
        self._changed.set()

    async def room(self) -> None:
        await self._roomy.wait()

    async def next(self, seconds: float) -> bytes | None:
        """Everything that waits; nothing after `seconds` without an event, None at the end."""
        if not self._frames and not self._ended:
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._changed.wait()
        if not self._frames:
            return None if self._ended else b""
        frames = b"".join(self._frames)
        self._frames.clear()
        self._size = 0
        self._roomy.set()
        return frames


class EventStream:
    """An answer that continues. `feed` fills the outlet; it is cancelled when the reader leaves, and `leave` is called.

    The reader sees what happens and decides nothing: no turn ends because somebody hung up.
    """

    def __init__(
        self,
        serving: Serving,
        outlet: Outlet,
        feed: Callable[[], Awaitable[None]],
        leave: Callable[[], None],
        status: int = 200,
        headers: dict[str, str] | None = None,
    ) -> None:
        self._serving = serving
        self._outlet = outlet
        self._feed = feed
        self._leave = leave
        self._status = status
        given = {"content-type": f"{EVENTS}; charset=utf-8", "x-accel-buffering": "no", **(headers or {})}
        self._headers = [(name.encode(), value.encode()) for name, value in given.items()]

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        outlet = self._outlet
        tasks = [
            asyncio.ensure_future(work)
            for work in (self._feed_on(), _until_gone(receive, outlet), _until_closed(self._serving, outlet))
        ]
        try:
            with self._serving.readers.one(), suppress(TimeoutError, OSError):
                await send({"type": "http.response.start", "status": self._status, "headers": self._headers})
                while (piece := await outlet.next(HEARTBEAT)) is not None:
                    await _send(send, piece or _ALIVE, more=True)
                await _send(send, b"", more=False)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            self._leave()

    async def _feed_on(self) -> None:
        """Ends the stream when the feed ends, for whatever reason."""
        try:
            await self._feed()
        finally:
            self._outlet.end()


async def _send(send: Send, piece: bytes, *, more: bool) -> None:
    """Raises `TimeoutError` if the reader stopped reading."""
    async with asyncio.timeout(PATIENCE):
        await send({"type": "http.response.body", "body": piece, "more_body": more})


async def _until_gone(receive: Receive, outlet: Outlet) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    outlet.end()


async def _until_closed(serving: Serving, outlet: Outlet) -> None:
    await serving.closed.wait()
    outlet.end()
