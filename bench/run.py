"""A run: fill, measure, judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench import (
    acp,
    append,
    chat,
    claim,
    contention,
    gateway,
    gateway_growth,
    listing,
    load,
    packet,
    recall,
    redaction,
    search,
    size,
    startup,
    turn,
    wake,
)
from bench.bed import Bed, postgres_bed, postgres_ground, sqlite_bed, sqlite_ground
from bench.corpus import FillTooSlow
from bench.figure import Figure
from bench.plan import WRITERS, Plan, Size
from bench.progress import say

ON_A_BED: dict[str, Callable[[Bed, Plan], list[Figure]]] = {
    "load": load.measure,
    "list": listing.measure,
    "search": search.measure,
    "claim": claim.measure,
    "append": append.measure,
}
"""In this order: what only reads comes first, so that it reads exactly what was filled in."""
BY_ITSELF: dict[str, Callable[[Path, Plan], list[Figure]]] = {
    "redaction": redaction.measure,
    "packet": packet.measure,
    "turn": turn.measure,
    "chat": chat.measure,
    "acp": acp.measure,
}
NAMES = ("startup", *ON_A_BED, "size", "wake", "contention", "recall", "gateway", *BY_ITSELF)
NEED_INDEX = {"search", "size"}


def measure(plan: Plan, only: Sequence[str], server: str | None, work: Path) -> list[Figure]:
    """All figures of the wanted operations. Everything it makes is below `work` or in schemas of its own, and gone
    afterwards.
    """
    wanted = set(only or NAMES)
    figures: list[Figure] = []
    for each in plan.sizes:
        if wanted & {*ON_A_BED, "size"} or ("startup" in wanted and each == plan.start):
            figures += _on_sqlite(plan, wanted, each, work)
    if server and wanted & set(ON_A_BED):
        figures += _on_postgres(plan, wanted, server)
    figures += _between_processes(plan, wanted, server, work)
    for name, operation in BY_ITSELF.items():
        if name in wanted:
            figures += operation(work, plan)
    return figures


def _on_sqlite(plan: Plan, wanted: set[str], each: Size, work: Path) -> Iterator[Figure]:
    try:
        with sqlite_bed(work, each, plan, index=bool(wanted & NEED_INDEX)) as bed:
            if "size" in wanted:
                yield size.measure(bed)
            if "startup" in wanted and each == plan.start:
                say(f"starting the command line {plan.starts} times")
                yield from startup.measure(Path(bed.ground.url).parent, each, plan)
            yield from _on_bed(bed, plan, wanted)
    except FillTooSlow as slow:
        say(f"leaving out {each}: {slow}")


def _on_postgres(plan: Plan, wanted: set[str], server: str) -> Iterator[Figure]:
    try:
        with postgres_bed(server, plan.postgres, plan, index=bool(wanted & NEED_INDEX)) as bed:
            yield from _on_bed(bed, plan, wanted)
    except FillTooSlow as slow:
        say(f"leaving out PostgreSQL at {plan.postgres}: {slow}")


def _on_bed(bed: Bed, plan: Plan, wanted: set[str]) -> Iterator[Figure]:
    for name, operation in ON_A_BED.items():
        if name in wanted:
            say(f"{name} on {bed.backend} at {bed.size}")
            yield from operation(bed, plan)


def _between_processes(plan: Plan, wanted: set[str], server: str | None, work: Path) -> Iterator[Figure]:
    """Each on a store of its own that holds nothing else."""
    empty = [lambda: sqlite_ground(work)]
    if server:
        empty.append(lambda: postgres_ground(server))
    for ground in empty:
        if "wake" in wanted:
            with ground() as place:
                say(f"{plan.wake_ups} wake-ups on {place.backend}")
                yield from wake.measure(place, plan)
        if "contention" in wanted:
            with ground() as place:
                say(f"{WRITERS} processes appending {plan.writer_appends} entries each on {place.backend}")
                yield contention.measure(place, plan)
        if "recall" in wanted:
            with ground() as place:
                say(f"filling {place.backend} with a conversation of {plan.recalled} entries")
                yield from recall.measure(place, plan, work)
        if "gateway" in wanted:
            with ground() as place:
                say(f"{plan.transfers} transfers on {place.backend}")
                yield from gateway.measure(place, plan)
    if "gateway" in wanted:
        yield from gateway_growth.measure(work, plan)
