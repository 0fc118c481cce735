"""Terminals of an editor, for tests: real processes, started as one kind of editor does it or as another."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tests.support.acp.client import Refused, allow


class Consoles:
    """An answer for `Client`. With `joined` the arguments go through a shell, one after the other, as they are.

    `instead` holds what is answered in place of an act: an error, or None for silence.
    """

    def __init__(self, *, joined: bool = False, environ: Mapping[str, str] | None = None) -> None:
        self._joined = joined
        self._environ = environ or {}
        self.instead: dict[str, dict[str, Any] | None] = {}
        self.acts: list[str] = []
        self.created: list[dict[str, Any]] = []
        self.running: dict[str, Process] = {}
        self._printed: dict[str, bytes] = {}
        self._reading: dict[str, asyncio.Task[None]] = {}

    def __call__(self, method: str, params: dict[str, Any]) -> Any:
        kind, _, act = method.partition("/")
        if kind != "terminal":
            return allow(method, params)
        self.acts.append(act)
        if act in self.instead:
            if (error := self.instead[act]) is not None:
                raise Refused(error)
            return None
        return getattr(self, act)(params)

    async def create(self, params: dict[str, Any]) -> dict[str, Any]:
        self.created.append(params)
        command = [params["command"], *params["args"]]
        argv = ["/bin/sh", "-c", " ".join(command)] if self._joined else command
        given = {each["name"]: each["value"] for each in params["env"]}
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=params["cwd"],
            env={**os.environ, **self._environ, **given},
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=STDOUT,
            start_new_session=True,
        )
        name = f"t{len(self.created)}"
        self.running[name], self._printed[name] = process, b""
        self._reading[name] = asyncio.create_task(self._read(name, params["outputByteLimit"]))
        return {"terminalId": name}

    async def _read(self, name: str, limit: int) -> None:
        stream = self.running[name].stdout
        assert stream is not None
        while data := await stream.read(65_536):
            self._printed[name] = (self._printed[name] + data)[-limit:]

    async def output(self, params: dict[str, Any]) -> dict[str, Any]:
        name = params["terminalId"]
        if self.running[name].returncode is not None:
            await self._reading[name]
        return {"output": self._printed[name].decode(errors="replace"), "truncated": False}

    async def wait_for_exit(self, params: dict[str, Any]) -> dict[str, Any]:
        code = await self.running[params["terminalId"]].wait()
        if code < 0:
            return {"exitCode": None, "signal": signal.Signals(-code).name}
        return {"exitCode": code, "signal": None}

    async def kill(self, params: dict[str, Any]) -> dict[str, Any]:
        with suppress(ProcessLookupError):
            os.killpg(self.running[params["terminalId"]].pid, signal.SIGKILL)
        return {}

    async def release(self, params: dict[str, Any]) -> dict[str, Any]:
        await self.kill(params)
        process = self.running.pop(params["terminalId"])
        await process.wait()
        return {}
