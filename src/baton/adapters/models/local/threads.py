"""How many threads a local model gets."""

from __future__ import annotations

import math
import os

_ENOUGH = 8
"""More than these gain little on a small model, and lose much as soon as something else runs."""

_CPU_QUOTA = "/sys/fs/cgroup/cpu.max"


def default_threads() -> int:
    """One core less than there are, at least one: two threads on a core that others use run slower than one."""
    return max(1, min(_ENOUGH, _cores() - 1))


def _cores() -> int:
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(here, _quota())


def _quota() -> int:
    """What a container allows, where it says so."""
    try:
        with open(_CPU_QUOTA, encoding="ascii") as file:
            share, period = file.read().split()
        return max(1, math.ceil(int(share) / int(period)))
    except (OSError, ValueError):
        return 1 << 16
