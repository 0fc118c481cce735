"""Every process that a command started, found and ended, even those that left its process group."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator, Mapping
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
    """The processes of one command: its session, those below it, and all that carry its mark in the environment.

    Where it is `guarded`, the leader is the guardian: it is no part of the command, and all of the command is below it.
    Where there is no /proc only the process group is known, and to a guardian only.
    """

    def __init__(self, leader: Popen[bytes], mark: str, *, guarded: bool = False) -> None:
        self._leader = leader
        self._guarded = guarded
        self._mark = f"{MARK}={mark}".encode()
        self._since = _start_time(leader.pid)

    def alive(self) -> list[Descendant]:
        self._leader.poll()
        if not os.path.isdir("/proc/self"):
            if self._guarded:
                return []
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
        found = {pid: fields for pid in _list_pids() if (fields := _fields(pid)) and fields.state not in "ZX"}
        below = _below(self._leader.pid, found)
        for pid, fields in found.items():
            if fields.started < self._since or (self._guarded and pid == self._leader.pid):
                continue
            if fields.session == self._leader.pid or pid in below or self._has_mark(pid):
                yield Descendant(pid, fields.group)

    def _has_mark(self, pid: int) -> bool:
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                return self._mark in file.read().split(b"\0")
        except OSError:
            return False


@value
class _Fields:
    state: str
    parent: int
    group: int
    session: int
    started: int


def _list_pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _fields(pid: int) -> _Fields | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            rest = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    if len(rest) <= 19:
        return None
    return _Fields(rest[0].decode(), int(rest[1]), int(rest[2]), int(rest[3]), int(rest[19]))


def _below(top: int, found: Mapping[int, _Fields]) -> set[int]:
    """All descendants of a process."""
    below: set[int] = set()
    waiting = [top]
    while waiting:
        above = waiting.pop()
        following = [pid for pid, fields in found.items() if fields.parent == above and pid not in below]
        below.update(following)
        waiting += following
    return below


def _start_time(pid: int) -> int:
    fields = _fields(pid)
    return fields.started if fields else 0


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True
