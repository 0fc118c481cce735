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


@dataclass(frozen=True, slots=True)
class Pair:
    """Baton beside its floor. `ratio` is the median, over all rounds, of Baton's median divided by the floor's in that
    round: what disturbs one round, or changes from one to the next, hardly moves it.
    """

    baton: Timing
    floor: Timing
    ratio: float

    @classmethod
    def of(cls, rounds: Sequence[tuple[Sequence[float], Sequence[float]]]) -> Pair:
        """`rounds` hold Baton's milliseconds and the floor's, taken at the same time."""
        baton, floor = ([each for one in rounds for each in one[side]] for side in (0, 1))
        ratios = [statistics.median(one[0]) / statistics.median(one[1]) for one in rounds]
        return cls(Timing.of(baton), Timing.of(floor), statistics.median(ratios))


class Laps:
    """The times of one operation, in the order they were taken."""

    def __init__(self) -> None:
        self.milliseconds: list[float] = []

    def time(self, call: Callable[[], T]) -> T:
        started = time.perf_counter_ns()
        answer = call()
        self.milliseconds.append((time.perf_counter_ns() - started) / 1e6)
        return answer


def interleaved(baton: Callable[[], object], floor: Callable[[], object], times: int, batch: int = BATCH) -> Pair:
    """At least `times` calls of each, in batches by turns; who begins alternates. A first batch each is not counted."""
    batch = min(batch, times)
    for call in (baton, floor):
        _batch(call, batch)
    rounds: list[tuple[list[float], list[float]]] = []
    for number in range(math.ceil(times / batch)):
        if number % 2:
            ours = _batch(baton, batch)
            rounds.append((ours, _batch(floor, batch)))
        else:
            theirs = _batch(floor, batch)
            rounds.append((_batch(baton, batch), theirs))
    return Pair.of(rounds)


def _batch(call: Callable[[], object], times: int) -> list[float]:
    laps = Laps()
    for _ in range(times):
        laps.time(call)
    return laps.milliseconds


def shown(milliseconds: float) -> str:
    """Three digits that matter, in the unit that suits."""
    if milliseconds < 1:
        return f"{milliseconds * 1000:.0f} µs"
    if milliseconds < 1000:
        return f"{milliseconds:.3g} ms"
    return f"{milliseconds / 1000:.3g} s"
