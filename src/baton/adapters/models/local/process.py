"""The worker process as its parent sees it: started, asked, cancelled, kept warm, ended. Its end has a reason."""

from __future__ import annotations

import asyncio
import json
import math
import os
import signal
import sys
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import baton
from baton.adapters.models.local.catalogue import Weights
from baton.adapters.models.local.errors import WorkerStopped
from baton.core.display import plain

LOAD_TIMEOUT = 180.0
_GRACE = 1.0
_LINE = 1 << 20
_ILLEGAL = "this processor lacks instructions the runtime was built with (AVX2 is needed)"
_KILLED = "it was killed (signal 9), by another process or for lack of memory"


class WorkerProcess:
    """Belongs to the event loop that started it. Answers are streamed; several requests are served one by one."""

    def __init__(self, weights: Weights, process: asyncio.subprocess.Process) -> None:
        self._weights = weights
        self._process = process
        self._answers: dict[int, asyncio.Queue[Mapping[str, Any] | None]] = {}
        self._count = 0
        self._last_words: deque[str] = deque(maxlen=5)
        self._tasks = [asyncio.create_task(self._keep_last_words())]
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
                await worker._wait_until_loaded()
        except TimeoutError:
            await worker.stop()
            raise worker._stopped_error(f"it did not load within {LOAD_TIMEOUT:.0f} s") from None
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
                    raise self._stopped_error(await self._find_reason())
                ended = "done" in message or "error" in message
                yield message
        finally:
            del self._answers[number]
            if not ended:
                self._send({"cancel": number})

    async def stop(self) -> None:
        """Ends the process: by closing its input, or by force after a second."""
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

    async def _wait_until_loaded(self) -> None:
        line = await self._read()
        message: dict[str, Any] = json.loads(line) if line else {}
        if "ready" not in message:
            raise self._stopped_error(message.get("failed") or await self._find_reason())

    async def _read(self) -> bytes:
        return await self._process.stdout.readline() if self._process.stdout else b""

    async def _listen(self) -> None:
        """Passes each message to the request it belongs to; tells all of them when the worker ends."""
        while line := await self._read():
            message = json.loads(line)
            if queue := self._answers.get(message["id"]):
                queue.put_nowait(message)
        self._mute = True
        for queue in self._answers.values():
            queue.put_nowait(None)

    async def _keep_last_words(self) -> None:
        stream = self._process.stderr
        while stream and (line := await stream.readline()):
            self._last_words.append(plain(line.decode("utf-8", "replace")).strip()[:200])

    async def _find_reason(self) -> str:
        code = await self._process.wait()
        if code == -signal.SIGKILL:
            return _KILLED
        if code == -signal.SIGILL:
            return _ILLEGAL
        await asyncio.wait(self._tasks[:1], timeout=_GRACE)
        how = f"signal {-code}" if code < 0 else f"exit {code}"
        return ": ".join([how, *([" ".join(self._last_words)] if self._last_words else [])])

    def _stopped_error(self, reason: str) -> WorkerStopped:
        return WorkerStopped(model=self._weights.name, reason=reason)


def _environment() -> dict[str, str]:
    """This process's environment, with its own Baton first on PYTHONPATH, and no relative path there."""
    own = os.path.dirname(os.path.dirname(os.path.abspath(baton.__file__)))
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([own, *(path for path in given if os.path.isabs(path))])}


Start = Callable[[], Awaitable[WorkerProcess]]


class WarmWorker:
    """A worker that runs when it is needed, and ends when it has not been for `seconds`.

    One that died is replaced at the next request.
    """

    def __init__(self, start: Start, seconds: float) -> None:
        self._start = start
        self._seconds = seconds
        self._starting = asyncio.Lock()
        self._worker: WorkerProcess | None = None
        self._users = 0
        self._timer: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def pid(self) -> int | None:
        return self._worker.pid if self._worker and self._worker.alive else None

    async def get(self) -> WorkerProcess:
        """The running worker; the first of those who wait starts it if necessary."""
        async with self._starting:
            if self._worker is None or not self._worker.alive:
                await self.close()
                self._worker = await self._start()
            return self._worker

    @contextmanager
    def in_use(self) -> Generator[None]:
        """Keeps the worker running inside the block, however long that takes."""
        self._users += 1
        self._cancel_timer()
        try:
            yield
        finally:
            self._users -= 1
            if not self._users and self._worker:
                self._timer = asyncio.get_running_loop().call_later(self._seconds, self._cool)

    async def close(self) -> None:
        """Ends the worker, if there is one; another can be started."""
        self._cool()
        if self._ending:
            await asyncio.wait(self._ending)

    def _cool(self) -> None:
        self._cancel_timer()
        worker, self._worker = self._worker, None
        if worker:
            task = asyncio.get_running_loop().create_task(worker.stop())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    def _cancel_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


_ENOUGH = 8
"""More threads gain little with a small model, and lose much as soon as something else runs."""

_CPU_QUOTA = "/sys/fs/cgroup/cpu.max"


def default_threads() -> int:
    """One core less than there are, at least one: two threads on a core that others use run slower than one."""
    return max(1, min(_ENOUGH, _cores() - 1))


def _cores() -> int:
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(here, _quota())


def _quota() -> int:
    """The processors a container allows, if it has a limit."""
    try:
        with open(_CPU_QUOTA, encoding="ascii") as file:
            share, period = file.read().split()
        return max(1, math.ceil(int(share) / int(period)))
    except (OSError, ValueError):
        return 1 << 16
