"""Runs one command to its end: its output as it comes, and nothing of it left behind."""

from __future__ import annotations

import asyncio
import os
import secrets
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from baton.adapters.tools.running.members import MARK, Members
from baton.core.value import value
from baton.engine.aio import uncancelled

_PIECE = 1 << 16
_LEFT = 1 << 22
_LINGER = 0.2
_POLL = 0.02


@value
class Ended:
    """`exit` is 128 and the signal's number for a command that a signal ended, as shells have it."""

    exit: int
    timed_out: bool
    seconds: float


async def run_process(
    argv: Sequence[str],
    *,
    cwd: str,
    env: Mapping[str, str],
    seconds: float,
    feed: Callable[[bytes], None],
    stdin: int = subprocess.DEVNULL,
    errors: bool = True,
) -> Ended:
    """Runs `argv` in a session of its own, with standard output, and errors if they are wanted, in one pipe.

    When the command ends, times out or is cancelled, every process it started is ended, within a second; nobody who
    keeps the pipe open can hold this up. Raises `OSError` when it cannot be started.
    """
    begun = time.monotonic()
    mark = secrets.token_hex(16)
    reader, writer = os.pipe()
    try:
        process = subprocess.Popen(
            argv,
            cwd=cwd,
            env={**env, MARK: mark},
            stdin=stdin,
            stdout=writer,
            stderr=writer if errors else subprocess.DEVNULL,
            start_new_session=True,
        )
    except BaseException:
        os.close(reader)
        raise
    finally:
        os.close(writer)
    pipe = _Pipe(reader, feed)
    members = Members(process, mark)
    try:
        timed_out = await _wait(process, pipe, seconds)
    finally:
        await uncancelled(_finish(members, pipe))
    exit_ = process.poll()
    code = 137 if exit_ is None else 128 - exit_ if exit_ < 0 else exit_
    return Ended(code, timed_out, time.monotonic() - begun)


class _Pipe:
    """Feeds what comes through, as it comes. `drained` is set when no more can come."""

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


async def _wait(process: subprocess.Popen[bytes], pipe: _Pipe, seconds: float) -> bool:
    """Until the command has ended and its output has come, but not for those it left in the background."""
    try:
        async with asyncio.timeout(seconds):
            await _exited(process)
    except TimeoutError:
        return True
    with suppress(TimeoutError):
        async with asyncio.timeout(_LINGER):
            await pipe.drained.wait()
    return False


async def _exited(process: subprocess.Popen[bytes]) -> None:
    try:
        descriptor = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        while process.poll() is None:
            await asyncio.sleep(_POLL)
        return
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(descriptor, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
    process.poll()


async def _finish(members: Members, pipe: _Pipe) -> None:
    try:
        await members.end()
    finally:
        pipe.close()
