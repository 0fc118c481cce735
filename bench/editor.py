"""An editor as thin as can be: an agent's process, and requests over its pipes, for `acp`."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

GIVE_UP = 120.0
NOT_HERE = {"code": -32601, "message": "not here"}
_TICK = os.sysconf("SC_CLK_TCK")
TICK = 1000 / _TICK
"""Milliseconds: less CPU than this is not seen."""


class Editor:
    """Use as `with`: the agent runs inside it and is gone afterwards. One that says nothing for `GIVE_UP` seconds is
    killed, and the request fails.
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str], cwd: Path) -> None:
        self._command = command
        self._env = env
        self._cwd = cwd
        self._count = 0

    def __enter__(self) -> Editor:
        self.began = time.perf_counter_ns()
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        self._process = subprocess.Popen(
            self._command, env=self._env, cwd=self._cwd, stdin=pipe, stdout=pipe, stderr=null
        )
        self._watch = threading.Timer(GIVE_UP, self._process.kill)
        self._watch.daemon = True
        self._watch.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._watch.cancel()
        self._process.kill()
        self._process.communicate()

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The result. What the agent asks meanwhile is refused; what it tells is passed over."""
        self._count += 1
        self._send(id=self._count, method=method, params=params)
        while True:
            message = self._next(method)
            if "method" in message:
                if "id" in message:
                    self._send(id=message["id"], error=NOT_HERE)
            elif message.get("id") == self._count:
                if "error" in message:
                    raise SystemExit(f"{self._command[0]}: {method}: {message['error']}")
                return message["result"] or {}

    def await_words(self, words: str, method: str, **params: Any) -> float:
        """Milliseconds from a request to the piece of an answer with these words. What comes then is passed over."""
        self._count += 1
        began = time.perf_counter_ns()
        self._send(id=self._count, method=method, params=params)
        while True:
            message = self._next(method)
            if message.get("id") == self._count and "error" in message:
                raise SystemExit(f"{self._command[0]}: {method}: {message['error']}")
            update = message.get("params", {}).get("update", {})
            if update.get("sessionUpdate") == "agent_message_chunk" and words in update["content"].get("text", ""):
                return (time.perf_counter_ns() - began) / 1e6

    def cpu(self) -> float:
        """Milliseconds of CPU so far, user and system, of the agent and the children it has waited for."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) * 1000 / _TICK

    def _send(self, **message: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()

    def _next(self, method: str) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"{self._command[0]} ended in {method}")
        return json.loads(line)
