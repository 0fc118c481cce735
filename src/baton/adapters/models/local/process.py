"""The worker as its parent sees it: started, asked, cancelled, ended, and mourned with a reason."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from typing import Any

import baton
from baton.adapters.models.local.catalogue import Weights
from baton.adapters.models.local.errors import WorkerStopped
from baton.core.display import plain

LOAD_TIMEOUT = 180.0
_GRACE = 1.0
_LINE = 1 << 20
_ILLEGAL = "this processor lacks instructions the runtime was built with (AVX2 is needed)"
_KILLED = "it was killed (signal 9), by somebody or for lack of memory"


class WorkerProcess:
    """Belongs to the event loop that started it. Answers are streamed; several requests are served one by one."""

    def __init__(self, weights: Weights, process: asyncio.subprocess.Process) -> None:
        self._weights = weights
        self._process = process
        self._answers: dict[int, asyncio.Queue[Mapping[str, Any] | None]] = {}
        self._count = 0
        self._last_words: deque[str] = deque(maxlen=5)
        self._tasks = [asyncio.create_task(self._errors())]
        self._stopping = False
        self._mute = False

    @classmethod
    async def start(cls, weights: Weights, path: str, *, window: int, threads: int) -> WorkerProcess:
        """A worker that has loaded the model. Raises `WorkerStopped`."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # the workspace is not ours: nothing in it may be imported
            "-m",
            "baton.adapters.models.local.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd="/",
            env=_environment(),
            limit=_LINE,
            start_new_session=True,  # signals of the terminal are for the parent
        )
        worker = cls(weights, process)
        try:
            worker._send({"path": path, "window": window, "threads": threads, "parent": os.getpid()})
            async with asyncio.timeout(LOAD_TIMEOUT):
                await worker._loaded()
        except TimeoutError:
            await worker.stop()
            raise worker._stopped(f"it did not load within {LOAD_TIMEOUT:.0f} s") from None
        except BaseException:
            await worker.stop()
            raise
        worker._tasks.append(asyncio.create_task(worker._listen()))
        return worker

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.returncode is None and not self._stopping

    async def ask(self, body: Mapping[str, Any]) -> AsyncGenerator[Mapping[str, Any]]:
        """The worker's messages for one request, `done` or `error` last. Closing it cancels the request, and waits for
        nothing. Raises `WorkerStopped`.
        """
        self._count += 1
        number, queue = self._count, asyncio.Queue[Mapping[str, Any] | None]()
        self._answers[number] = queue
        ended = False
        try:
            self._send({"id": number, "body": body})
            while not ended:
                message = None if self._mute and queue.empty() else await queue.get()
                if message is None:
                    raise self._stopped(await self._why())
                ended = "done" in message or "error" in message
                yield message
        finally:
            del self._answers[number]
            if not ended:
                self._send({"cancel": number})

    async def stop(self) -> None:
        """Ends it: by the end of its input, or by force after a second."""
        self._stopping = True
        if self._process.stdin:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _GRACE)
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _send(self, message: Mapping[str, Any]) -> None:
        stdin = self._process.stdin
        if stdin and not stdin.is_closing():
            stdin.write(json.dumps(message).encode() + b"\n")

    async def _loaded(self) -> None:
        line = await self._read()
        message: dict[str, Any] = json.loads(line) if line else {}
        if "ready" not in message:
            raise self._stopped(message.get("failed") or await self._why())

    async def _read(self) -> bytes:
        return await self._process.stdout.readline() if self._process.stdout else b""

    async def _listen(self) -> None:
        """Hands each message to the one who asked; at the end of the worker everybody learns of it."""
        while line := await self._read():
            message = json.loads(line)
            if queue := self._answers.get(message["id"]):
                queue.put_nowait(message)
        self._mute = True
        for queue in self._answers.values():
            queue.put_nowait(None)

    async def _errors(self) -> None:
        stream = self._process.stderr
        while stream and (line := await stream.readline()):
            self._last_words.append(plain(line.decode("utf-8", "replace")).strip()[:200])

    async def _why(self) -> str:
        code = await self._process.wait()
        if code == -signal.SIGKILL:
            return _KILLED
        if code == -signal.SIGILL:
            return _ILLEGAL
        await asyncio.wait(self._tasks[:1], timeout=_GRACE)
        how = f"signal {-code}" if code < 0 else f"exit {code}"
        return ": ".join([how, *([" ".join(self._last_words)] if self._last_words else [])])

    def _stopped(self, reason: str) -> WorkerStopped:
        return WorkerStopped(model=self._weights.name, reason=reason)


def _environment() -> dict[str, str]:
    """This process's own, with the Baton it runs first among what can be imported, and no relative path there."""
    own = os.path.dirname(os.path.dirname(os.path.abspath(baton.__file__)))
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([own, *(path for path in given if os.path.isabs(path))])}
