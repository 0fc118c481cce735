"""Contention: eight processes append to one store at once, each to a conversation of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

from baton.core.errors import BatonError
from baton.core.log.entry import SEQ_BITS, USER, NewEntry
from bench import floor, texts
from bench.append import RawAppend
from bench.bed import Ground
from bench.corpus import body
from bench.figure import Figure
from bench.plan import MESSAGE_BYTES, WRITERS, Plan
from bench.timing import Timing

FLOOR_IS = "the same processes with the bare driver, each waiting its turn the driver's way"
GATE_SECONDS = 300
PHASES = 4

Address = tuple[str, str]


@dataclass(slots=True)
class Report:
    """What one writer saw: milliseconds of each append, and per phase when it began and ended (monotonic seconds)."""

    waits: list[float] = field(default_factory=list)
    spans: list[tuple[float, float]] = field(default_factory=list)
    failed: int = 0


def measure(ground: Ground, plan: Plan) -> Figure:
    """Baton and the floor by turns, in phases that all writers begin together, on a store that holds nothing else.

    Waits are not divided by the floor's: the bare driver lets one writer go on while others starve, so that its median
    says little. The facts hold what is comparable, for both.
    """
    with closing(ground.open()) as store:
        made = [store.conversations.start(f"writer {number}") for number in range(2 * WRITERS)]
    addresses = [(conversation.id, session.id) for conversation, session in made]
    ours, theirs = addresses[:WRITERS], addresses[WRITERS:]
    ground.mirror()
    reports = _race(ground, ours, theirs, plan.writer_appends)
    with closing(ground.open()) as store:
        kept = sum(len(store.entries.load(session_id)) for _, session_id in ours)
    with closing(ground.raw()) as raw:
        raw_kept = sum(_count(raw, session_id) for _, session_id in theirs)
    tried = WRITERS * plan.writer_appends
    facts = {**_facts(reports["baton"], tried, kept), "floor": _facts(reports["floor"], tried, raw_kept)}
    waits = Timing.of([wait for report in reports["baton"] for wait in report.waits])
    return Figure("writers", ground.backend, None, waits, None, FLOOR_IS, facts)


def _race(ground: Ground, ours: list[Address], theirs: list[Address], appends: int) -> dict[str, list[Report]]:
    context = get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(WRITERS, mp_context=context) as pool:
        gate = manager.Barrier(WRITERS)
        promised = [pool.submit(_write, ground, *pair, appends, gate) for pair in zip(ours, theirs, strict=True)]
        pairs = [promise.result() for promise in promised]
    return {"baton": [pair[0] for pair in pairs], "floor": [pair[1] for pair in pairs]}


def _write(ground: Ground, ours: Address, theirs: Address, appends: int, gate: Any) -> tuple[Report, Report]:
    """One of the writers. A refused append counts as failed and is not tried again."""
    written = [texts.message(i, MESSAGE_BYTES) for i in range(appends)]
    waiting = iter(written)
    with closing(ground.open()) as store, closing(ground.raw()) as raw:
        proof = store.conversations.claim(ours[0], f"writer {ours[0]}", 3600)
        by_hand = RawAppend(raw, *theirs, [body(i) for i in range(appends)])

        def append() -> None:
            store.entries.append(proof, ours[1], [NewEntry(USER, {"text": next(waiting)})])

        reports = (Report(), Report())
        for _ in range(PHASES):
            _phase(reports[0], append, (BatonError,), appends // PHASES, gate)
            _phase(reports[1], by_hand, raw.refusals, appends // PHASES, gate)
    return reports


def _phase(
    report: Report, append: Callable[[], None], refusals: tuple[type[Exception], ...], count: int, gate: Any
) -> None:
    gate.wait(GATE_SECONDS)
    began = time.monotonic()
    for _ in range(count):
        started = time.perf_counter_ns()
        try:
            append()
        except refusals:
            report.failed += 1
        report.waits.append((time.perf_counter_ns() - started) / 1e6)
    report.spans.append((began, time.monotonic()))


def _facts(reports: list[Report], tried: int, kept: int) -> dict[str, Any]:
    seconds = sum(
        max(ended for _, ended in spans) - min(began for began, _ in spans)
        for spans in zip(*(report.spans for report in reports), strict=True)
    )
    return {
        "processes": len(reports),
        "tried": tried,
        "kept": kept,
        "failed": sum(report.failed for report in reports),
        "longest_ms": max(wait for report in reports for wait in report.waits),
        "seconds": seconds,
        "per_second": kept / seconds,
    }


def _count(raw: floor.Raw, session_id: str) -> int:
    number = raw.read(floor.SESSION_NUMBER, (session_id,))[0][0]
    return raw.read(floor.ENTRY_COUNT, (number << SEQ_BITS, (number + 1) << SEQ_BITS))[0][0]
