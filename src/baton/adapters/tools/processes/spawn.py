"""Starting a command as a process, watched by a guardian where it must leave nothing behind even if Baton is killed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from baton.adapters.tools.processes import guardian
from baton.core.value import replace, value

_POLL = 0.02
_LEAVING = 0.5
_KILLED = 137


@value
class Setting:
    """What a command is started with. Standard output, and errors if wanted, go to the descriptor `output`."""

    cwd: str
    env: Mapping[str, str]
    output: int
    stdin: int = subprocess.DEVNULL
    errors: bool = True
    descriptors: tuple[int, ...] = ()


class Started:
    """A process in a session of its own. `code` is its exit code as shells tell it, 137 if it is not known."""

    guarded = False

    def __init__(self, argv: Sequence[str], how: Setting) -> None:
        self.process = _start(argv, how)

    async def wait(self) -> None:
        """Until the command has ended."""
        try:
            descriptor = os.pidfd_open(self.process.pid)
        except (AttributeError, OSError):
            while self.process.poll() is None:
                await asyncio.sleep(_POLL)
            return
        try:
            await _readable(descriptor)
        finally:
            os.close(descriptor)
        self.process.poll()

    @property
    def code(self) -> int:
        ended = self.process.poll()
        return _KILLED if ended is None else 128 - ended if ended < 0 else ended

    async def release(self) -> None:
        """Call it once, whatever happened, when the command is to have no processes any more."""


class Guarded(Started):
    """The same below a guardian: whatever the command started ends with it, even if Baton is killed."""

    guarded = True

    def __init__(self, argv: Sequence[str], how: Setting) -> None:
        held, self._control = os.pipe()
        self._status, told = os.pipe()
        program = [sys.executable, "-I", "-S", guardian.__file__, str(held), str(told)]
        try:
            super().__init__([*program, *argv], replace(how, descriptors=(*how.descriptors, held, told)))
        except BaseException:
            os.close(self._control)
            os.close(self._status)
            raise
        finally:
            os.close(held)
            os.close(told)
        self._told: bytes | None = None

    async def wait(self) -> None:
        await _readable(self._status)
        self._told = os.read(self._status, 16)

    @property
    def code(self) -> int:
        return int(self._told) if self._told and self._told.strip().isdigit() else _KILLED

    async def release(self) -> None:
        os.close(self._control)
        until = time.monotonic() + _LEAVING
        while self.process.poll() is None and time.monotonic() < until:
            await asyncio.sleep(_POLL / 4)
        os.close(self._status)


def _start(argv: Sequence[str], how: Setting) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        argv,
        cwd=how.cwd,
        env=how.env,
        stdin=how.stdin,
        stdout=how.output,
        stderr=how.output if how.errors else subprocess.DEVNULL,
        start_new_session=True,
        pass_fds=how.descriptors,
    )


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
