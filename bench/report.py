"""The result of a run: as JSON for machines, as tables for people."""

from __future__ import annotations

import os
import platform
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import baton
from bench.comparison import Line
from bench.figure import Figure
from bench.targets import Verdict
from bench.timing import Timing, shown


def as_json(
    mode: str,
    figures: Sequence[Figure],
    verdicts: Sequence[Verdict],
    peers: Sequence[Mapping[str, Any]],
    lines: Sequence[Line],
    seconds: float,
) -> dict[str, Any]:
    return {
        "baton": baton.__version__,
        "mode": mode,
        "machine": machine(),
        "seconds": round(seconds, 1),
        "figures": [figure.as_dict() for figure in figures],
        "targets": [verdict.as_dict() for verdict in verdicts],
        "peers": list(peers),
        "comparison": [line.as_dict() for line in lines],
    }


def machine() -> dict[str, Any]:
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "processors": os.cpu_count(),
        "load": list(os.getloadavg()),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }


def as_text(figures: Sequence[Figure], verdicts: Sequence[Verdict], lines: Sequence[Line]) -> str:
    parts = [_times(figures), _facts(figures), _verdicts(verdicts)]
    if lines:
        parts.append(_comparison(lines))
    return "\n\n".join(part for part in parts if part)


def _times(figures: Sequence[Figure]) -> str:
    rows = [
        (
            figure.name,
            figure.store,
            str(figure.size or ""),
            *_columns(figure.baton),
            shown(figure.floor.median) if figure.floor else "",
            f"{figure.ratio:.2f}" if figure.ratio else "",
            f"{figure.ratio_of_minima:.2f}" if figure.ratio_of_minima else "",
        )
        for figure in figures
        if figure.baton
    ]
    head = ("operation", "store", "sessions/entries", "baton", "p99", "min", "floor", "× floor", "× fastest")
    return table(head, rows) if rows else ""


def _columns(timing: Timing) -> tuple[str, str, str]:
    return shown(timing.median), shown(timing.p99), shown(timing.min)


def _facts(figures: Sequence[Figure]) -> str:
    said = (_sentence(figure) for figure in figures)
    return "\n".join(sentence for sentence in said if sentence)


def _sentence(figure: Figure) -> str:
    facts = figure.facts
    if figure.name == "size":
        return (
            f"size on {figure.store} at {figure.size}: {facts['stored_bytes'] / 1e6:.1f} MB for "
            f"{facts['text_bytes'] / 1e6:.1f} MB of text, {facts['times_text']:.2f} ×; "
            f"filled in {facts['fill_seconds']:.0f} s, indexed in {facts['index_seconds']:.0f} s"
        )
    if figure.name == "writers":
        return "\n".join(
            f"{each['processes']} writers on {figure.store}, {who}: {each['kept']} of {each['tried']} kept, "
            f"{each['failed']} failed, longest wait {shown(each['longest_ms'])}, {each['per_second']:.0f} per s"
            for who, each in (("baton", facts), ("floor", facts["floor"]))
        )
    if figure.name == "idle":
        return f"waiting on {figure.store}: {facts['cpu_percent']:.2f} % of a CPU over {facts['seconds']:.0f} s"
    if figure.name.startswith("turn") and "first" in facts:
        first, cpu = shown(facts["first"]), shown(facts["cpu"])
        return f"{figure.name} at {figure.size}: {cpu} of CPU; the first after a start {first}"
    if figure.name == "acp_prompt":
        return "\n".join(
            f"{who} in an editor: {shown(each['cpu'])} of CPU until a thread is open, "
            f"the first prompt {shown(each['first_prompt'])}"
            for who, each in (("baton", facts), ("hermes", facts.get("peer")))
            if each
        )
    if figure.name == "typing":
        clock, idle = facts["wall"], facts["wall_idle"]
        return (
            f"a key by the clock: p50 {shown(clock['p50'])}, p99 {shown(clock['p99'])}; idle p50 {shown(idle['p50'])}, "
            f"p99 {shown(idle['p99'])}; {facts['lines']} lines streamed cost {shown(facts['stream_cpu'])} of CPU"
        )
    if figure.name == "wake":
        since = facts["since_return"]
        return (
            f"wake-up on {figure.store} since the commit returned: p50 {shown(since['p50'])}, "
            f"p99 {shown(since['p99'])}, longest {shown(since['max'])}"
        )
    return ""


def _verdicts(verdicts: Iterable[Verdict]) -> str:
    words = {True: "met", False: "MISSED", None: "not measured"}
    rows = [
        (
            verdict.promise,
            f"≤ {verdict.limit:g}",
            "" if verdict.found is None else f"{verdict.found:.3g}",
            words[verdict.met],
            verdict.where,
        )
        for verdict in verdicts
    ]
    return table(("target", "allowed", "found", "", "at"), rows)


def _comparison(lines: Iterable[Line]) -> str:
    rows = [_beside(line) for line in lines]
    return table(("operation", "baton", "hermes", "baton is better by", "fastest runs"), rows)


def _beside(line: Line) -> tuple[str, ...]:
    fastest = "" if line.times_fastest is None else f"{line.times_fastest:.1f} ×"
    return line.name, _amount(line.baton, line.unit), _amount(line.peer, line.unit), f"{line.times:.1f} ×", fastest


def _amount(value: float, unit: str) -> str:
    return shown(value) if unit == "ms" else f"{value:.3g} {unit}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell; those with numbers to the right."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    right = [all(row[column][:1].isdigit() or not row[column] for row in rows) for column in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        placed = zip(cells, widths, right, strict=True)
        padded = (cell.rjust(width) if to_right else cell.ljust(width) for cell, width, to_right in placed)
        return "  ".join(padded).rstrip()

    return "\n".join([line(head), "  ".join("─" * width for width in widths), *map(line, rows)])
