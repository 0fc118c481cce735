"""The other end of the pipe: asks, answers what it is asked, and remembers every frame."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from tests.support.acp.schema import IN, OUT, STABLE, Frame, judge
from tests.support.patience import PATIENCE

Answer = Callable[[str, dict[str, Any]], Any]
"""From a method and its parameters to a result, to what is waited for, or to None to leave it unanswered."""

EVERYTHING = {
    "fs": {"readTextFile": True, "writeTextFile": True},
    "session": {"compaction": {}, "notices": {}},
    "elicitation": {"form": {}},
}


class Refused(Exception):
    """The agent answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error.get("message"))
        self.code: int = error["code"]
        self.error = error


class Client:
    """`write` and `read` are one line each. `answer` is what requests of the agent get."""

    def __init__(self, write: Callable[[bytes], None], answer: Answer | None = None) -> None:
        self._write = write
        self.answer = answer or allow
        self.frames: list[Frame] = []
        self.times: list[float] = []
        self.stray: list[dict[str, Any]] = []
        self.schema = STABLE
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._count = 0
        self._later: set[asyncio.Task[None]] = set()
        self._came = asyncio.Event()

    def line(self, line: bytes) -> None:
        """A line of the agent's."""
        message = json.loads(line)
        self.frames.append((IN, message))
        self.times.append(time.monotonic())
        self._came.set()
        self._came = asyncio.Event()
        if "method" in message:
            if "id" in message:
                self._reply(message)
        elif (future := self._waiting.pop(message["id"], None)) is not None:
            if not future.done():
                future.set_result(message)
        else:
            self.stray.append(message)

    def _reply(self, message: dict[str, Any]) -> None:
        try:
            found = self.answer(message["method"], message["params"])
        except Refused as refused:
            self.send({"jsonrpc": "2.0", "id": message["id"], "error": refused.error})
            return
        if inspect.isawaitable(found):
            self._later.add(task := asyncio.ensure_future(self._reply_later(message["id"], found)))
            task.add_done_callback(self._later.discard)
        elif found is not None:
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": found})

    async def _reply_later(self, request_id: Any, waited_for: Awaitable[Any]) -> None:
        try:
            self.send({"jsonrpc": "2.0", "id": request_id, "result": await waited_for})
        except Refused as refused:
            self.send({"jsonrpc": "2.0", "id": request_id, "error": refused.error})

    def send(self, message: dict[str, Any]) -> None:
        self.frames.append((OUT, message))
        self._write(json.dumps(message).encode() + b"\n")

    def raw(self, data: bytes) -> None:
        """Bytes as they are; no frame of ours."""
        self._write(data)

    def ask(self, method: str, **params: Any) -> asyncio.Future[dict[str, Any]]:
        """The answer's future; `its` takes it apart."""
        self._count += 1
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[self._count] = future
        self.send({"jsonrpc": "2.0", "id": self._count, "method": method, "params": params})
        return future

    @property
    def last_id(self) -> int:
        return self._count

    async def call(self, method: str, **params: Any) -> Any:
        return await its(self.ask(method, **params))

    def notify(self, method: str, **params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    async def hello(self, capabilities: Mapping[str, Any] | None = None) -> Any:
        return await self.call("initialize", protocolVersion=1, clientCapabilities=dict(capabilities or {}))

    async def new(self, cwd: Any, servers: list[Any] | None = None) -> str:
        found = await self.call("session/new", cwd=str(cwd), mcpServers=servers or [])
        return str(found["sessionId"])

    def prompt(self, session_id: str, *blocks: Any) -> asyncio.Future[dict[str, Any]]:
        made = [{"type": "text", "text": each} if isinstance(each, str) else each for each in blocks]
        return self.ask("session/prompt", sessionId=session_id, prompt=made)

    async def say(self, session_id: str, *blocks: Any) -> str:
        return str((await its(self.prompt(session_id, *blocks)))["stopReason"])

    def updates(self, kind: str = "", since: int = 0) -> list[dict[str, Any]]:
        found = [
            m["params"]["update"] for s, m in self.frames[since:] if s == IN and m.get("method") == "session/update"
        ]
        return [each for each in found if not kind or each["sessionUpdate"] == kind]

    def text(self, kind: str = "agent_message_chunk", since: int = 0) -> str:
        return "".join(each["content"].get("text", "") for each in self.updates(kind, since))

    def asked(self, method: str) -> list[dict[str, Any]]:
        return [m["params"] for s, m in self.frames if s == IN and m.get("method") == method and "id" in m]

    async def until(self, check: Callable[[], Any], within: float = PATIENCE) -> Any:
        """Waits for a frame that makes `check` true."""
        async with asyncio.timeout(within):
            while not (found := check()):
                came = self._came
                with suppress(TimeoutError):
                    await asyncio.wait_for(came.wait(), 0.2)
            return found

    def verdict(self) -> list[str]:
        """What the agent's frames break."""
        return judge(self.schema).errors(self.frames) + [
            f"a stray answer: {each}" for each in self.stray if "result" in each
        ]


async def its(future: asyncio.Future[dict[str, Any]], within: float = PATIENCE) -> Any:
    async with asyncio.timeout(within):
        message = await future
    if "error" in message:
        raise Refused(message["error"])
    return message["result"]


def allow(method: str, params: dict[str, Any]) -> Any:
    """A person who says yes to everything, in an editor without files."""
    if method == "session/request_permission":
        chosen = next(each for each in params["options"] if each["kind"] == "allow_once")
        return {"outcome": {"outcome": "selected", "optionId": chosen["optionId"]}}
    if method == "elicitation/create":
        return {"action": "accept", "content": {"decision": "start"}}
    raise Refused({"code": -32601, "message": f"no {method} here"})


class Program:
    """`baton acp` as a process: `async with Program(environ) as client`."""

    def __init__(self, environ: Mapping[str, str], *arguments: str, answer: Answer | None = None) -> None:
        self._environ = {**os.environ, **environ}
        self._arguments = arguments
        self._answer = answer
        self.process: Process

    async def __aenter__(self) -> Client:
        command = [sys.executable, "-m", "baton", "acp", *self._arguments]
        self.process = await asyncio.create_subprocess_exec(
            *command, env=self._environ, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=2**26
        )
        assert self.process.stdin is not None
        self.client = Client(self.process.stdin.write, self._answer)
        self._reading = asyncio.create_task(self._read())
        return self.client

    async def _read(self) -> None:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            self.client.line(line)

    async def end(self, within: float = PATIENCE) -> tuple[int, str]:
        """Closes its input and waits; the exit code and what it said on standard error."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await self.gone(within)

    async def gone(self, within: float = PATIENCE) -> tuple[int, str]:
        assert self.process.stderr is not None
        async with asyncio.timeout(within):
            said = await self.process.stderr.read()
            return await self.process.wait(), said.decode()

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        await self._reading
        if kind is None:
            assert self.client.verdict() == []
