"""Runs one command to its end: its output as it comes, and nothing of it left behind."""

from __future__ import annotations

import asyncio
import os
import secrets
import subprocess
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

from baton.adapters.tools.running.members import MARK, Members
from baton.core.value import value

_PIECE = 1 << 16
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
    async with _piped(reader, feed) as drained:
        members = Members(process, mark)
        try:
            timed_out = await _wait(process, drained, seconds)
        finally:
            await asyncio.shield(_finish(members, drained))
    exit_ = process.poll()
    code = 137 if exit_ is None else 128 - exit_ if exit_ < 0 else exit_
    return Ended(code, timed_out, time.monotonic() - begun)


async def _wait(process: subprocess.Popen[bytes], drained: asyncio.Event, seconds: float) -> bool:
    """Until the command has ended and its output has come, but not for those it left in the background."""
    try:
        async with asyncio.timeout(seconds):
            await _exited(process)
    except TimeoutError:
        return True
    try:
        async with asyncio.timeout(_LINGER):
            await drained.wait()
    except TimeoutError:
        pass
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


async def _finish(members: Members, drained: asyncio.Event) -> None:
    await members.end()
    try:
        async with asyncio.timeout(_LINGER):
            await drained.wait()
    except TimeoutError:
        pass


@asynccontextmanager
async def _piped(reader: int, feed: Callable[[bytes], None]) -> AsyncGenerator[asyncio.Event]:
    """Feeds what comes through the pipe; the event is set when no more can come."""
    loop = asyncio.get_running_loop()
    drained = asyncio.Event()

    def take() -> None:
        try:
            data = os.read(reader, _PIECE)
        except BlockingIOError:
            return
        if data:
            feed(data)
        else:
            loop.remove_reader(reader)
            drained.set()

    os.set_blocking(reader, False)
    loop.add_reader(reader, take)
    try:
        yield drained
    finally:
        loop.remove_reader(reader)
        os.close(reader)
