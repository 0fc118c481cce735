"""The system's clocks."""

from __future__ import annotations

import time


class SystemClock:
    def now(self) -> int:
        return time.time_ns() // 1000

    def ticks(self) -> int:
        return time.monotonic_ns() // 1000


def boot_id() -> str:
    """Tells one run of the machine from the next: the monotonic clock restarts with each."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return "unknown"
