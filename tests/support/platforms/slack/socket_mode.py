"""Slack's side of Socket Mode: an envelope is sent until it is acknowledged, to whoever is connected then."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import Any

from aiohttp import WSMsgType, web

ACKNOWLEDGED_WITHIN = 3.0
_TRIES = 4


class SocketMode:
    """With `forgets`, what happens while nobody is connected is never sent, as after Slack's last try."""

    def __init__(self, app_id: str) -> None:
        self.forgets = False
        self.is_cut = False
        self.acknowledged: list[str] = []
        self.violations: list[str] = []
        self._app_id = app_id
        self._tickets: set[str] = set()
        self._open: list[web.WebSocketResponse] = []
        self._waiting: dict[str, dict[str, Any]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._connected = asyncio.Event()

    def ticket(self) -> str:
        """Good for one connection."""
        ticket = uuid.uuid4().hex
        self._tickets.add(ticket)
        return ticket

    async def serve(self, request: web.Request) -> web.StreamResponse:
        ticket = request.query.get("ticket", "")
        if self.is_cut or ticket not in self._tickets:
            raise web.HTTPForbidden
        self._tickets.discard(ticket)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        hello = {"type": "hello", "num_connections": len(self._open) + 1, "connection_info": {"app_id": self._app_id}}
        await socket.send_json(hello)
        self._open.append(socket)
        self._connected.set()
        for envelope in list(self._waiting):
            await self._send(envelope, "timeout")
        try:
            async for frame in socket:
                self._receive(frame.data if frame.type is WSMsgType.TEXT else "")
        finally:
            self._open.remove(socket)
            if not self._open:
                self._connected.clear()
        return socket

    async def connected(self) -> None:
        await self._connected.wait()

    async def push(self, kind: str, payload: dict[str, Any], *, attempt: int = 0) -> str:
        """The id of the envelope."""
        number = str(uuid.uuid4())
        if self._open or not self.forgets:
            envelope = {"envelope_id": number, "type": kind, "payload": payload, "retry_attempt": attempt}
            self._waiting[number] = {**envelope, "accepts_response_payload": kind != "events_api", "retry_reason": ""}
            await self._send(number, "timeout" if attempt else "")
        return number

    async def raw(self, frame: str) -> None:
        """Anything at all, to everybody connected."""
        for socket in list(self._open):
            await socket.send_str(frame)

    async def disconnect(self, reason: str) -> None:
        await self.raw(json.dumps({"type": "disconnect", "reason": reason, "debug_info": {}}))

    async def cut(self) -> None:
        self.is_cut = True
        for socket in list(self._open):
            await socket.close(code=1001)

    async def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        await self.cut()

    async def _send(self, number: str, reason: str) -> None:
        envelope = self._waiting.get(number)
        if envelope is None or not self._open or self.is_cut:
            return
        if reason:
            envelope["retry_attempt"] += 1
            envelope["retry_reason"] = reason
        socket = self._open[-1]
        try:
            await socket.send_json(envelope)
        except ConnectionError:
            return
        if envelope["retry_attempt"] < _TRIES:
            loop = asyncio.get_running_loop()
            self._timers[number] = loop.call_later(ACKNOWLEDGED_WITHIN, self._again, number)

    def _again(self, number: str) -> None:
        task = asyncio.ensure_future(self._send(number, "timeout"))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _receive(self, text: str) -> None:
        answer = json.loads(text or "null")
        number = answer.get("envelope_id") if isinstance(answer, dict) else None
        if not isinstance(number, str) or set(answer) - {"envelope_id", "payload"}:
            self.violations.append(f"not an acknowledgement: {text[:200]}")
        elif self._waiting.pop(number, None) is not None:
            self.acknowledged.append(number)
            if timer := self._timers.pop(number, None):
                timer.cancel()
