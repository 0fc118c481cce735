"""The events that go to whoever listens; while nobody does, Signal's servers keep them, as in manual receive mode."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from aiohttp import web

Event = dict[str, Any]


class Streams:
    def __init__(self) -> None:
        self._waiting: list[Event] = []
        self._open: dict[web.StreamResponse, asyncio.Queue[Event | None]] = {}
        self.is_cut = False

    def put(self, event: Event) -> None:
        for queue in self._open.values():
            queue.put_nowait(event)
        if not self._open:
            self._waiting.append(event)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        if self.is_cut:
            assert request.transport is not None
            request.transport.abort()
            return web.Response(status=503)
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await stream.prepare(request)
        await stream.write(b":\n")
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        for event in self._waiting:
            queue.put_nowait(event)
        self._waiting = []
        self._open[stream] = queue
        try:
            await self._pump(request, stream, queue)
        finally:
            del self._open[stream]
            self._keep(queue)
        return stream

    def _keep(self, queue: asyncio.Queue[Event | None]) -> None:
        while not queue.empty():
            event = queue.get_nowait()
            if event is not None and not self._open:
                self._waiting.append(event)

    async def _pump(self, request: web.Request, stream: web.StreamResponse, queue: asyncio.Queue[Event | None]) -> None:
        while (event := await queue.get()) is not None:
            if request.transport is None or request.transport.is_closing():
                self._waiting += [] if len(self._open) > 1 else [event]
                return
            await stream.write(b"event:receive\ndata:" + json.dumps(event).encode() + b"\n\n")
        if request.transport is not None:
            request.transport.abort()

    async def cut(self) -> None:
        """Ends every stream; returns when all are closed."""
        self.is_cut = True
        for queue in self._open.values():
            queue.put_nowait(None)
        while self._open:
            await asyncio.sleep(0)
