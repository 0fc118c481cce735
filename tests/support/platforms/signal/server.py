"""The daemon that the adapter meets: crabline's, with listed accounts, files and trouble in front of it."""

from __future__ import annotations

import asyncio
import base64
import json
import math
import time
from contextlib import suppress
from typing import Any

import aiohttp
from aiohttp import web

from tests.support.platforms.crabline import Crabline
from tests.support.platforms.faults import Faults
from tests.support.platforms.signal.rules import broken
from tests.support.platforms.signal.streams import Streams
from tests.support.platforms.signal.world import World

ACCOUNT = "+15550000000"
OWNER = "11111111-aaaa-4aaa-8aaa-111111111111"
STRANGER = "22222222-bbbb-4bbb-8bbb-222222222222"
GROUP = "Pmpi+EfPWmsxiomLe9Nx2XF9HOE483p6iKiFj65iMwI="
_FILE_ONLY = "(a file)"


class SignalServer:
    def __init__(self) -> None:
        self.crabline = Crabline("signal")
        self.world, self.streams, self.faults = World(), Streams(), Faults()
        self.url = ""
        self.members = {OWNER, STRANGER}
        """Of the group."""
        self._sent = 0
        self._events: dict[str, dict[str, Any]] = {}
        self._additions: dict[int, dict[str, Any]] = {}
        """Of the messages said here, by their time; others are of another stage on the same emulator."""
        self._files: dict[str, bytes] = {}
        self._upstream: asyncio.Task[None] | None = None
        app = web.Application(client_max_size=64_000_000)
        app.router.add_post("/api/v1/rpc", self._rpc)
        app.router.add_get("/api/v1/events", self._listen)
        self._runner = web.AppRunner(app, shutdown_timeout=1)

    async def start(self) -> None:
        await self.crabline.start()
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = "http://{}:{}".format(*self._runner.addresses[0][:2])
        opened = asyncio.Event()
        self._upstream = asyncio.create_task(self._pump(opened))
        await opened.wait()

    async def stop(self) -> None:
        try:
            if self._upstream is not None:
                self._upstream.cancel()
                with suppress(asyncio.CancelledError):
                    await self._upstream
        finally:
            if self.url:
                await self.streams.cut()
                await self._runner.cleanup()
            await self.crabline.stop()

    async def says(self, sender: str, words: str, group: str, file: tuple[str, bytes] | None, **more: object) -> str:
        """The id of what this person has written; `more` are further fields, such as what it quotes."""
        self._sent = max(self._sent + 1, time.time_ns() // 1_000_000)
        self._additions[self._sent] = {**(self._attachment(*file, words) if file else {}), **more}
        body = {"text": words or _FILE_ONLY, "sourceUuid": sender, "sourceName": "Ann", "timestamp": self._sent}
        await self.crabline.inject({**body, **({"groupId": group} if group else {})})
        return f"{sender}/{self._sent}"

    def redeliver(self, message_id: str) -> None:
        self.streams.put(self._events[message_id])

    def _attachment(self, name: str, data: bytes, words: str) -> dict[str, Any]:
        ident = f"{self._sent}.bin"
        self._files[ident] = data
        about = {"contentType": "text/plain", "filename": name, "id": ident, "size": len(data)}
        return {"message": words or None, "attachments": [about]}

    async def _pump(self, opened: asyncio.Event) -> None:
        """Everything crabline delivers, with what it cannot express."""
        timeout = aiohttp.ClientTimeout(total=None)
        async with self.crabline.http.get(self.crabline.manifest["endpoints"]["eventsUrl"], timeout=timeout) as stream:
            opened.set()
            rest = b""
            async for piece in stream.content.iter_any():
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    if line.startswith(b"data:"):
                        self._deliver({**json.loads(line[5:]), "account": ACCOUNT})

    def _deliver(self, event: dict[str, Any]) -> None:
        data = event["envelope"]["dataMessage"]
        if (more := self._additions.pop(data["timestamp"], None)) is not None:
            data.update(more)
            self._events[f"{event['envelope']['sourceUuid']}/{data['timestamp']}"] = event
            self.streams.put(event)

    async def _listen(self, request: web.Request) -> web.StreamResponse:
        if request.query.get("account", ACCOUNT) != ACCOUNT:
            return web.Response(status=400)
        return await self.streams.serve(request)

    async def _rpc(self, request: web.Request) -> web.StreamResponse:
        call = await request.json()
        self.world.violations += broken(call)
        method, params = call["method"], call["params"]
        if method == "listAccounts":
            return _result(call, [{"number": ACCOUNT}])
        if params.get("account") != ACCOUNT and method != "version":
            return _error(call, -32602, "Specified account does not exist")
        if method == "listGroups":
            members = [{"number": None, "uuid": each} for each in sorted(self.members)]
            group = {"id": GROUP, "name": "Family", "isMember": True, "isBlocked": False, "members": members}
            return _result(call, [group])
        if method == "getAttachment":
            data = self._files.get(params["id"])
            if data is None:
                return _error(call, -32603, f"An error occurred reading attachment: {params['id']}")
            return _result(call, {"data": base64.b64encode(data).decode()})
        return self._trouble(call) or await self._pass(request, call)

    def _trouble(self, call: dict[str, Any]) -> web.Response | None:
        if call["method"] != "send":
            return None
        if self.faults.take("limit"):
            result = {"type": "RATE_LIMIT_FAILURE", "retryAfterSeconds": math.ceil(self.faults.after)}
            data = {"response": {"timestamp": 1, "results": [result]}}
            return _error(call, -5, "Failed to send message due to rate limiting", data)
        if self.faults.take("fail"):
            return _error(call, -32603, "Failed to send message: unexpected end of stream (IOException)")
        return None

    async def _pass(self, request: web.Request, call: dict[str, Any]) -> web.StreamResponse:
        async with self.crabline.http.post(self.crabline.manifest["endpoints"]["rpcUrl"], json=call) as answer:
            given = await answer.json()
        if "result" in given and call["method"] != "version":
            self._sent = max(self._sent, given["result"].get("timestamp", 0))
            self.world.done(call, given["result"].get("timestamp", 0))
        if call["method"] == "send" and self.faults.take("swallow"):
            assert request.transport is not None
            request.transport.abort()
        return web.json_response(given)


def _result(call: dict[str, Any], result: object) -> web.Response:
    return web.json_response({"jsonrpc": "2.0", "result": result, "id": call["id"]})


def _error(call: dict[str, Any], code: int, message: str, data: object = None) -> web.Response:
    error = {"code": code, "message": message, "data": data}
    return web.json_response({"jsonrpc": "2.0", "error": error, "id": call["id"]})
