"""The way to Synapse: it counts, breaks and repeats what a test wants, and passes on everything else as it is."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

_SEND = re.compile(r"/_matrix/client/v3/rooms/([^/]+)/send/([^/]+)/[^/]+")
_TYPING = re.compile(r"/_matrix/client/v3/rooms/([^/]+)/typing/[^/]+")
_STATE = re.compile(r"/_matrix/client/v3/rooms/([^/]+)/state/m\.room\.encryption")
_BROKEN_RULES = ("M_BAD_JSON", "M_NOT_JSON", "M_UNRECOGNIZED", "M_INVALID_PARAM", "M_MISSING_PARAM")
_DROPPED = ("connection", "accept-encoding", "host")


@dataclass
class Request:
    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.target).query))

    def to(self, port: int) -> bytes:
        kept = [(name, value) for name, value in self.headers if name.lower() not in _DROPPED]
        lines = [f"{self.method} {self.target} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: close"]
        return "\r\n".join([*lines, *(f"{name}: {value}" for name, value in kept), "", ""]).encode() + self.body


class Proxy:
    """Use as `async with`. Only the bot goes through here; people talk to Synapse directly."""

    def __init__(self, behind: int) -> None:
        self._behind = behind
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._polls: set[asyncio.StreamWriter] = set()
        self._cut = False
        self._rewind = ""
        self._seen: dict[str, str] = {}
        self.limited: list[float] = []
        self.failing = 0
        self.swallowing = 0
        self.broken: set[str] = set()
        """Parts of paths that end in an internal error."""

        self.holding = False
        """Whether keys sent to the bot's device are held back."""

        self._held: list[Any] = []
        self.typed: Counter[str] = Counter()
        self.syncs: list[dict[str, Any]] = []
        """Every answer of `/sync`."""

        self.sealed: set[str] = set()
        """Rooms the test made encrypted: what is not sent encrypted there is a violation."""

        self.violations: list[str] = []

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=2**24)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()

    def cut(self) -> None:
        self._cut = True
        self._end_polls()

    def restore(self) -> None:
        self._cut = False

    def redeliver(self, event_id: str) -> None:
        """The next `/sync` begins where the one began that had this event."""
        self._rewind = self._seen[event_id]
        self._end_polls()

    def _end_polls(self) -> None:
        for writer in self._polls:
            writer.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while (request := await _read(reader)) is not None:
                if not await self._serve(request, reader, writer):
                    break
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            self._polls.discard(writer)
            writer.close()
            with suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _serve(self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """False when the connection is to end."""
        self._check(request)
        syncing = request.path.endswith("/sync")
        if syncing:
            if self._cut:
                return False
            self._polls.add(writer)
            self._wind_back(request)
        answer = self._refusal(request) or await self._answer_for(request, reader)
        self._polls.discard(writer)
        if not answer or (syncing and (self._cut or writer.is_closing())):
            return False
        self._learn(request, answer)
        if syncing:
            answer = self._late(answer)
        if _SEND.fullmatch(request.path) and self.swallowing:
            self.swallowing -= 1
            return False
        writer.write(answer)
        await writer.drain()
        return True

    def _refusal(self, request: Request) -> bytes:
        if any(part in request.path for part in self.broken):
            return _answer(500, {"errcode": "M_UNKNOWN", "error": "Internal server error"})
        if not _SEND.fullmatch(request.path):
            return b""
        if self.failing:
            self.failing -= 1
            return _answer(500, {"errcode": "M_UNKNOWN", "error": "Internal server error"})
        if self.limited:
            after = int(self.limited.pop() * 1000)
            return _answer(429, {"errcode": "M_LIMIT_EXCEEDED", "error": "Too Many Requests", "retry_after_ms": after})
        return b""

    async def _answer_for(self, request: Request, reader: asyncio.StreamReader) -> bytes:
        """Empty if nobody waits for it any more."""
        forward, gone = asyncio.create_task(self._forward(request)), asyncio.create_task(reader.read(1))
        try:
            await asyncio.wait({forward, gone}, return_when=asyncio.FIRST_COMPLETED)
            return forward.result() if forward.done() else b""
        finally:
            for task in (forward, gone):
                task.cancel()
            await asyncio.gather(forward, gone, return_exceptions=True)

    async def _forward(self, request: Request) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._behind, limit=2**24)
        try:
            writer.write(request.to(self._behind))
            return _whole(await reader.read())
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def _wind_back(self, request: Request) -> None:
        if self._rewind:
            query = {**request.query, "since": self._rewind}
            request.target = f"{request.path}?{urlencode(query)}"
            self._rewind = ""

    def _late(self, answer: bytes) -> bytes:
        """Without what was sent to the bot's device, as long as that is held back; with it all afterwards."""
        status, body = _parsed(answer)
        to_device = body.get("to_device", {}).get("events", [])
        if status != 200 or not (self.holding or self._held):
            return answer
        self._held += to_device
        given, self._held = ([], self._held) if self.holding else (self._held, [])
        return _answer(200, {**body, "to_device": {"events": given}})

    def _check(self, request: Request) -> None:
        if "access_token" in request.target:
            self.violations.append(f"{request.method} {request.path}: the token is in the address")
        sent = _SEND.fullmatch(request.path)
        if sent and unquote(sent[1]) in self.sealed and unquote(sent[2]) != "m.room.encrypted":
            self.violations.append("something was said in plain text in an encrypted room")

    def _learn(self, request: Request, answer: bytes) -> None:
        status, body = _parsed(answer)
        code = body.get("errcode")
        if code in _BROKEN_RULES:
            self.violations.append(f"{request.method} {request.path}: {code} {body.get('error')}")
        if (typing := _TYPING.fullmatch(request.path)) and status == 200:
            self.typed[unquote(typing[1])] += 1
        if request.path.endswith("/sync") and status == 200:
            self.syncs.append(body)
            for room in body.get("rooms", {}).get("join", {}).values():
                for event in room["timeline"]["events"]:
                    self._seen.setdefault(event["event_id"], request.query.get("since", ""))


async def _read(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *rest = head.rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in rest)]
    length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
    return Request(method, target, headers, await reader.readexactly(length))


def _whole(answer: bytes) -> bytes:
    """With a length, so that the connection can be used again."""
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    if any(line.lower().startswith(b"transfer-encoding:") for line in lines):
        body = _unchunked(body)
    dropped = (b"connection:", b"transfer-encoding:", b"content-length:")
    kept = [line for line in lines if not line.lower().startswith(dropped)]
    return b"\r\n".join([*kept, b"Content-Length: %d" % len(body), b"", body])


def _unchunked(body: bytes) -> bytes:
    found = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        found, body = found + body[: int(size, 16)], body[int(size, 16) + 2 :]
    return found


def _answer(status: int, body: dict[str, Any]) -> bytes:
    data = json.dumps(body).encode()
    head = f"HTTP/1.1 {status} Injected\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    return head.encode() + data


def _parsed(answer: bytes) -> tuple[int, dict[str, Any]]:
    head, _, body = answer.partition(b"\r\n\r\n")
    try:
        found = json.loads(body)
    except ValueError:
        found = {}
    return int(head.split(b" ", 2)[1]), found if isinstance(found, dict) else {}
