"""Taking times: a subject and its floor by turns, so that the machine's other work hits both alike."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
BATCH = 25


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of one operation done `n` times. `p99` is by nearest rank: the maximum below 100 samples."""

    n: int
    median: float
    min: float
    p99: float
    max: float

    @classmethod
    def of(cls, milliseconds: Sequence[float]) -> Timing:
        ranked = sorted(milliseconds)
        p99 = ranked[math.ceil(len(ranked) * 0.99) - 1]
        return cls(len(ranked), statistics.median(ranked), ranked[0], p99, ranked[-1])


class Laps:
    """The times of one operation, in the order they were taken."""

    def __init__(self) -> None:
        self.milliseconds: list[float] = []

    def time(self, call: Callable[[], T]) -> T:
        started = time.perf_counter_ns()
        answer = call()
        self.milliseconds.append((time.perf_counter_ns() - started) / 1e6)
        return answer

    def timing(self) -> Timing:
        return Timing.of(self.milliseconds)


def interleaved(
    baton: Callable[[], object], floor: Callable[[], object], times: int, batch: int = BATCH
) -> tuple[Timing, Timing]:
    """At least `times` calls of each, in batches by turns; who begins alternates. A first batch each is not counted."""
    batch = min(batch, times)
    laps = (Laps(), Laps())
    pair = ((baton, laps[0]), (floor, laps[1]))
    for call, _ in pair:
        for _ in range(batch):
            call()
    for number in range(math.ceil(times / batch)):
        for call, lap in pair if number % 2 else pair[::-1]:
            for _ in range(batch):
                lap.time(call)
    return laps[0].timing(), laps[1].timing()


def shown(milliseconds: float) -> str:
    """Three digits that matter, in the unit that suits."""
    if milliseconds < 1:
        return f"{milliseconds * 1000:.0f} µs"
    if milliseconds < 1000:
        return f"{milliseconds:.3g} ms"
    return f"{milliseconds / 1000:.3g} s"
