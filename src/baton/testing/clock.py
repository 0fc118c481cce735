"""Clocks for tests: one that stands still until it is moved, and the real one."""

from __future__ import annotations

import time


class FrozenClock:
    def __init__(self, now: int = 1_790_000_000_000_000, ticks: int = 1_000_000_000) -> None:
        self._now = now
        self._ticks = ticks

    def now(self) -> int:
        """Each look is a microsecond later, so that what happens in order also sorts in order."""
        self._now += 1
        return self._now

    def ticks(self) -> int:
        return self._ticks

    def advance(self, seconds: float) -> None:
        self._now += int(seconds * 1_000_000)
        self._ticks += int(seconds * 1_000_000)

    def jump(self, seconds: float) -> None:
        """The wall clock is set; leases must not care."""
        self._now += int(seconds * 1_000_000)


class RealClock:
    def now(self) -> int:
        return time.time_ns() // 1000

    def ticks(self) -> int:
        return time.monotonic_ns() // 1000
