"""What a call costs in this thread, however slow the machine is just now."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_USUAL = 0.02
"""Seconds that `_loop` takes on an ordinary machine."""


def cpu_of(act: Callable[[], T]) -> tuple[T, float]:
    """The result, and its seconds of CPU as an ordinary machine would need them. Collecting what thousands of other
    tests left behind is not counted.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        before = _loop()
        start = time.thread_time()
        result = act()
        used = time.thread_time() - start
        slowness = max(1.0, before / _USUAL, _loop() / _USUAL)
    finally:
        if was_enabled:
            gc.enable()
    return result, used / slowness


def _loop() -> float:
    start = time.thread_time()
    sum(number * number for number in range(200_000))
    return time.thread_time() - start
