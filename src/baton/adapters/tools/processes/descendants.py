"""Every process that a command started, found and ended, even those that left its process group."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from subprocess import Popen

from baton.core.value import value

MARK = "BATON_CALL"
_GRACE = 0.3
_WITHIN = 0.7
_PAUSE = 0.01


@value
class Descendant:
    pid: int
    group: int


class Descendants:
    """The processes of one command: its session, and every process that carries its mark in the environment.

    Where there is no /proc only the process group is known.
    """

    def __init__(self, leader: Popen[bytes], mark: str) -> None:
        self._leader = leader
        self._mark = f"{MARK}={mark}".encode()
        self._since = _start_time(leader.pid)

    def alive(self) -> list[Descendant]:
        self._leader.poll()
        if not os.path.isdir("/proc/self"):
            return [Descendant(self._leader.pid, self._leader.pid)] if _group_lives(self._leader.pid) else []
        return list(self._scan())

    async def end(self) -> bool:
        """Asks all to end, then forces them. True if none is left; takes less than a second."""
        try:
            return not self.alive() or await self._end(time.monotonic())
        finally:
            self._leader.poll()

    async def _end(self, begun: float) -> bool:
        self._signal(signal.SIGTERM)
        self._signal(signal.SIGCONT)
        if await self._wait_until_gone(begun + _GRACE):
            return True
        while time.monotonic() < begun + _WITHIN:
            self._signal(signal.SIGKILL)
            if await self._wait_until_gone(time.monotonic() + _PAUSE):
                return True
        return False

    async def _wait_until_gone(self, until: float) -> bool:
        while self.alive():
            if time.monotonic() >= until:
                return False
            await asyncio.sleep(_PAUSE)
        return True

    def _signal(self, number: int) -> None:
        """Signals whole process groups: the kernel reaches all members at once, so none can fork out of reach."""
        for group in {member.group for member in self.alive()} - {os.getpgrp(), 0, 1}:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, number)

    def _scan(self) -> Iterator[Descendant]:
        for name in os.listdir("/proc"):
            if name.isdigit() and (fields := _fields(int(name))):
                state, group, session, started = fields
                if state in "ZX" or started < self._since:
                    continue
                if session == self._leader.pid or self._has_mark(int(name)):
                    yield Descendant(int(name), group)

    def _has_mark(self, pid: int) -> bool:
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                return self._mark in file.read().split(b"\0")
        except OSError:
            return False


def _fields(pid: int) -> tuple[str, int, int, int] | None:
    """State, process group, session and start of a process."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            rest = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return (rest[0].decode(), int(rest[2]), int(rest[3]), int(rest[19])) if len(rest) > 19 else None


def _start_time(pid: int) -> int:
    fields = _fields(pid)
    return fields[3] if fields else 0


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True
