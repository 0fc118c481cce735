"""Counts of many sessions as one share, with an interval by session: cuts of one session are not independent."""

from __future__ import annotations

import random
from collections.abc import Sequence

from bench.continuity.metrics import Count

RESAMPLES = 1_000
SEED = 20261115


def pooled(counts: Sequence[Count]) -> Count:
    total = Count()
    for count in counts:
        total = total.plus(count)
    return total


def interval(by_session: Sequence[Count], seed: int = SEED) -> tuple[float, float] | None:
    """95 % bootstrap interval of the pooled share; None where there is nothing to draw from."""
    drawn_from = [count for count in by_session if count.facts]
    if not drawn_from:
        return None
    if len({count.share for count in drawn_from}) == 1:
        share = drawn_from[0].hits / drawn_from[0].facts
        return share, share
    dice = random.Random(seed)
    shares = sorted(_share(dice.choices(drawn_from, k=len(drawn_from))) for _ in range(RESAMPLES))
    return shares[int(0.025 * RESAMPLES)], shares[int(0.975 * RESAMPLES) - 1]


def _share(counts: Sequence[Count]) -> float:
    return sum(count.hits for count in counts) / sum(count.facts for count in counts)


def half_life(shares: Sequence[float | None]) -> int | None:
    """The first n at which less than half is left; None if that never happens."""
    return next((n for n, share in enumerate(shares, 1) if share is not None and share < 0.5), None)


def median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    middle = len(ordered) // 2
    if not ordered:
        return 0.0
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
