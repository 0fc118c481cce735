"""Baton beside a peer that was filled with the same texts in the same layout and timed in the same run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bench.figure import PROCESS, SQLITE, Figure
from bench.peers.hermes import FULL, QUICK
from bench.plan import SMALL, TINY, Plan
from bench.timing import Timing
from bench.turn import HISTORIES

ONLY_GROWTH = {"starts": 1, "wake_ups": 2, "writer_appends": 1, "writers": 2, "handoffs": 50}
TIMED = {
    "append": "append_filled",
    "load": "load_long_session",
    "list": "list_50",
    "search_rare": "search_word",
    "transfer_request": "handoff_request",
    "transfer_claim": "handoff_claim",
    "wake": "wake_up",
    "turn": "turn",
    "start_version": "start_version",
    "start_sessions_list": "start_sessions_list_filled",
}
"""Baton's figures by the peer's name for the same thing; both in milliseconds, compared by medians."""


@dataclass(frozen=True, slots=True)
class Line:
    """`times` is how many times better Baton is: faster, smaller, or more per second. `times_fastest` says the same of
    the fastest runs, which other work on the machine disturbs least; None where there is but one run.
    """

    name: str
    unit: str
    baton: float
    peer: float
    times: float
    times_fastest: float | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def asked_of_peer(plan: Plan) -> list[Mapping[str, int]]:
    """What the peer is to measure: all of it at the compared size, and before that enough at a smaller size to see it
    grow.
    """
    compared = {**(QUICK if plan.quick else FULL), "writer_appends": plan.writer_appends}
    smaller = TINY if plan.quick else SMALL
    sizes = {"sessions": smaller.sessions, "messages": smaller.entries, "long_session": smaller.long}
    return [{**QUICK, **sizes, **ONLY_GROWTH}, compared]


def compare(figures: Sequence[Figure], peer: Mapping[str, Any]) -> list[Line]:
    """What both measured at the peer's size."""
    sessions = peer["sizes"]["sessions"]
    ours = {figure.name: figure for figure in figures if _comparable(figure, sessions)}
    lines = [
        _timed(name, timing, peer["milliseconds"][theirs])
        for name, theirs in TIMED.items()
        if name in ours and (timing := ours[name].baton)
    ]
    if "size" in ours:
        ratio = peer["bytes"]["database"] / peer["bytes"]["text"]
        lines.append(_line("size", "× text", ours["size"].facts["times_text"], ratio))
    if "writers" in ours:
        facts, writers = ours["writers"].facts, peer["writers"]
        lines.append(_line("writers, longest wait", "ms", facts["longest_ms"], writers["wait"]["max"]))
        per_second = writers["kept"] / writers["seconds"]
        times = facts["per_second"] / per_second
        lines.append(Line("writers, together", "appends/s", facts["per_second"], per_second, times))
    return lines


def _comparable(figure: Figure, sessions: int) -> bool:
    """A turn is compared with a short history, which is what the peer's has."""
    if figure.name == "turn":
        return figure.size is not None and figure.size.entries == HISTORIES[0]
    return figure.store in (SQLITE, PROCESS) and (figure.size is None or figure.size.sessions == sessions)


def _timed(name: str, baton: Timing, peer: Mapping[str, float]) -> Line:
    return Line(name, "ms", baton.median, peer["median"], peer["median"] / baton.median, peer["min"] / baton.min)


def _line(name: str, unit: str, baton: float, peer: float) -> Line:
    return Line(name, unit, baton, peer, peer / baton)
