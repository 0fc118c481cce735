"""As much of an HTTP server as a model provider needs, with every way to be a bad one."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from tests.support.model_servers.script import Answer, Control, Cut, Failure, Hang, Raw, Reply, Script, Stop, Wait
from tests.support.patience import PATIENCE

KEY = "sk-test-0123456789abcdef"
Frame = bytes | Control
_PHRASES = {status.value: status.phrase for status in HTTPStatus}


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: dict[str, Any]
    at: float = field(default_factory=time.monotonic)


class HungUp(Exception):
    """The client closed the connection before it had the whole reply."""


class ModelServer:
    """One provider's protocol. Subclasses say where it is asked, what a good request is and how a reply looks."""

    base: ClassVar[str] = ""
    variables: ClassVar[tuple[str, str]]

    def __init__(self, script: Script) -> None:
        self._script = script
        self._connections: set[asyncio.Task[None]] = set()
        self._left = asyncio.Event()
        self._rest = asyncio.Event()
        self._rest.set()
        self._answering = 0
        self.requests: list[Request] = []
        self.faults: list[str] = []
        self.hangups = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.base}"

    @property
    def environ(self) -> dict[str, str]:
        key, address = self.variables
        return {key: KEY, address: self.url}

    async def idle(self, within: float = PATIENCE) -> bool:
        """Whether no reply is under way, or none is within so many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._rest.wait(), within)
        return self._rest.is_set()

    async def hung_up(self, within: float = PATIENCE) -> bool:
        """Whether a client has left in the middle of a reply, or does within so many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._left.wait(), within)
        return self._left.is_set()

    def check(self, request: Request) -> Iterator[str]:
        """What the real provider would refuse in it."""
        raise NotImplementedError

    def frames(self, reply: Reply, request: Request) -> Iterator[Frame]:
        raise NotImplementedError

    def failure(self, failure: Failure) -> tuple[int, dict[str, Any]]:
        """The status and the body of an error, in the provider's form."""
        raise NotImplementedError

    async def __aenter__(self) -> ModelServer:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=2**26)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()
        if kind is None:
            assert not self.faults, self.faults

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await _read(reader):
                self.requests.append(request)
                with self._busy():
                    await self._answer(request, _Line(reader, writer))
        except (HungUp, ConnectionError):
            self.hangups += 1
            self._left.set()
        except Exception as error:
            self.faults.append(f"the server itself failed: {error!r}")
            raise
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    @contextmanager
    def _busy(self) -> Iterator[None]:
        self._answering += 1
        self._rest.clear()
        try:
            yield
        finally:
            self._answering -= 1
            if not self._answering:
                self._rest.set()

    async def _answer(self, request: Request, line: _Line) -> None:
        faults = list(self.check(request))
        self.faults += faults
        answer = Failure(400, f"malformed request: {faults}") if faults else self._next(request)
        if isinstance(answer, Failure):
            status, body = self.failure(answer)
            await line.whole(status, answer.headers, answer.body or json.dumps(body).encode())
        else:
            await line.stream(self.frames(answer, request))

    def _next(self, request: Request) -> Answer:
        if callable(self._script):
            return self._script(request)
        return self._script[min(len(self.requests), len(self._script)) - 1]


class _Line:
    """One reply on its way to a client, who may hang up at any time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def whole(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        phrase = _PHRASES.get(status, "Error")
        lines = {"content-type": "application/json", "content-length": str(len(body)), **headers}
        head = f"HTTP/1.1 {status} {phrase}\r\n" + "".join(f"{key}: {held}\r\n" for key, held in lines.items())
        self._writer.write(f"{head}\r\n".encode() + body)
        await self._writer.drain()

    async def stream(self, frames: Iterator[Frame]) -> None:
        self._writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        gone = asyncio.create_task(self._reader.read(1))
        try:
            for frame in frames:
                if isinstance(frame, Cut):
                    await asyncio.sleep(0.05)
                    self._writer.transport.abort()
                    return
                if isinstance(frame, Stop):
                    break
                await self._send(frame, gone)
            self._writer.write(b"0\r\n\r\n")
            await self._writer.drain()
        finally:
            gone.cancel()
            await asyncio.gather(gone, return_exceptions=True)

    async def _send(self, frame: bytes | Wait | Hang | Raw, gone: asyncio.Task[bytes]) -> None:
        if isinstance(frame, Hang) or (isinstance(frame, Wait) and frame.seconds):
            await asyncio.wait({gone}, timeout=frame.seconds if isinstance(frame, Wait) else None)
        elif isinstance(frame, bytes | Raw):
            data = frame.bytes if isinstance(frame, Raw) else frame
            self._writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            await self._writer.drain()
            await asyncio.sleep(0)
        if gone.done():
            raise HungUp


async def _read(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *rest = head.strip().split("\r\n")
    method, target, _ = first.split(" ")
    headers = {key.lower(): held.strip() for key, _, held in (line.partition(":") for line in rest)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    parts = urlsplit(target)
    return Request(method, parts.path, parse_qs(parts.query), headers, json.loads(body) if body else {})


def event(data: Any, name: str = "") -> bytes:
    """One server-sent event."""
    text = data if isinstance(data, str) else json.dumps(data)
    lines = [f"event: {name}"] if name else []
    return "\n".join([*lines, f"data: {text}", "", ""]).encode()
