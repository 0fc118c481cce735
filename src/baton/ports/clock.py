"""Two clocks: one that people read, one that leases are measured with."""

from __future__ import annotations

from typing import Protocol


class Clock(Protocol):
    def now(self) -> int:
        """Microseconds since the epoch, UTC. May jump."""
        ...

    def ticks(self) -> int:
        """Microseconds of a clock that never goes back and that every process of this machine shares."""
        ...
