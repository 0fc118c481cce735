"""Runs one command to its end, its output given as it comes or collected, and leaves nothing of it behind."""

from __future__ import annotations

import asyncio
import os
import secrets
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from baton.adapters.files.command_environment import environment
from baton.adapters.files.programs import PAUSE, waits_for_pipe
from baton.adapters.tools.processes.descendants import MARK, Descendants
from baton.adapters.tools.processes.spawn import Guarded, Setting, Started
from baton.core.value import value
from baton.engine.aio import uncancelled

_PIECE = 1 << 16
_LEFT = 1 << 22
_LINGER = 0.2


@value
class Ended:
    """`exit` is 128 and the signal's number for a command that a signal ended, as shells have it. `pipe` are the codes
    of the pipeline that a shell ran last, where they were recorded.
    """

    exit: int
    timed_out: bool
    seconds: float
    pipe: tuple[int, ...] = ()


async def run_process(
    argv: Sequence[str],
    *,
    cwd: str,
    env: Mapping[str, str],
    seconds: float,
    feed: Callable[[bytes], None],
    stdin: int = subprocess.DEVNULL,
    errors: bool = True,
    descriptors: Sequence[int] = (),
    guarded: bool = False,
    may_wait: bool = True,
) -> Ended:
    """Runs `argv` in its own session, with standard output, and errors if wanted, in one pipe. It is given the
    `descriptors` besides.

    When the command ends, times out or is cancelled, every process it started is ended within a second, even if one
    keeps the pipe open. That holds for each one that still has the mark in its environment or belongs to the session;
    if it is `guarded`, for all, and also when Baton is killed. One that may not wait is ended as if it had timed out
    when it opens a named pipe that nobody writes to. Raises `OSError` if it cannot be started.
    """
    begun = time.monotonic()
    mark = secrets.token_hex(16)
    reader, writer = os.pipe()
    how = Setting(cwd, {**env, MARK: mark}, writer, stdin, errors, tuple(descriptors))
    try:
        started = Guarded(argv, how) if guarded else Started(argv, how)
    except BaseException:
        os.close(reader)
        raise
    finally:
        os.close(writer)
    pipe = _Pipe(reader, feed)
    descendants = Descendants(started.process, mark, guarded=guarded)
    try:
        timed_out = await _wait(started, pipe, seconds, may_wait=may_wait)
    finally:
        await uncancelled(_finish(started, descendants, pipe))
    return Ended(started.code, timed_out, time.monotonic() - begun)


class _Pipe:
    """Feeds output as it comes. `drained` is set when no more can come."""

    def __init__(self, reader: int, feed: Callable[[bytes], None]) -> None:
        self._reader = reader
        self._feed = feed
        self._loop = asyncio.get_running_loop()
        self.drained = asyncio.Event()
        os.set_blocking(reader, False)
        self._loop.add_reader(reader, self._take)

    def close(self) -> None:
        """Takes what is still in the pipe, and no more than it can hold."""
        if not self.drained.is_set():
            for _ in range(_LEFT // _PIECE):
                if not self._take():
                    break
        self._loop.remove_reader(self._reader)
        os.close(self._reader)

    def _take(self) -> bool:
        try:
            data = os.read(self._reader, _PIECE)
        except BlockingIOError:
            return False
        if data:
            self._feed(data)
        else:
            self._loop.remove_reader(self._reader)
            self.drained.set()
        return bool(data)


async def _wait(started: Started, pipe: _Pipe, seconds: float, *, may_wait: bool) -> bool:
    """Waits until the command has ended and its output has come, but not for what it left in the background."""
    try:
        async with asyncio.timeout(seconds) as limit:
            watching = None if may_wait else asyncio.ensure_future(_end_if_stuck(started, limit))
            try:
                await started.wait()
            finally:
                if watching:
                    watching.cancel()
    except TimeoutError:
        return True
    with suppress(TimeoutError):
        async with asyncio.timeout(_LINGER):
            await pipe.drained.wait()
    return False


async def _end_if_stuck(started: Started, limit: asyncio.Timeout) -> None:
    while not waits_for_pipe(started.process.pid):
        await asyncio.sleep(PAUSE)
    limit.reschedule(asyncio.get_running_loop().time())


async def _finish(started: Started, descendants: Descendants, pipe: _Pipe) -> None:
    try:
        await descendants.end()
    finally:
        pipe.close()
        await started.release()


@value
class Collected:
    """`cut` if there was more than was asked for or it took too long; `exit` is then -1."""

    data: bytes
    exit: int
    cut: bool


async def collect(
    argv: Sequence[str],
    *,
    cwd: str,
    seconds: float,
    cap: int,
    stdin: int = subprocess.DEVNULL,
    errors: bool = False,
    may_wait: bool = True,
) -> Collected:
    """Runs a program until it ends, has written `cap` bytes or takes too long; it never outlives the call.

    Raises `OSError` if it cannot be started.
    """
    said = bytearray()
    enough = asyncio.Event()

    def feed(data: bytes) -> None:
        if not enough.is_set():
            said.extend(data)
        if len(said) > cap:
            enough.set()

    env = environment(os.environ) | {"LC_ALL": "C.UTF-8"}
    running = asyncio.ensure_future(
        run_process(argv, cwd=cwd, env=env, seconds=seconds, feed=feed, stdin=stdin, errors=errors, may_wait=may_wait)
    )
    stop = asyncio.ensure_future(enough.wait())
    try:
        await asyncio.wait([running, stop], return_when=asyncio.FIRST_COMPLETED)
    finally:
        stop.cancel()
        ended = await _stop(running)
    cut = ended is None or ended.timed_out or enough.is_set()
    return Collected(bytes(said[:cap]), -1 if cut or ended is None else ended.exit, cut)


async def _stop(running: asyncio.Future[Ended]) -> Ended | None:
    running.cancel()
    await asyncio.wait([running])
    return None if running.cancelled() else running.result()
