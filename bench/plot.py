"""The growth chart: what each operation costs as the store grows, as an SVG without any drawing library."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from bench.comparison import TIMED
from bench.figure import POSTGRES, SQLITE
from bench.plan import short
from bench.timing import shown

Point = tuple[int, float]
"""Entries in the store, and milliseconds."""

WIDTH, HEIGHT = 960, 640
COLUMNS = 3
MARGIN, HEAD, FOOT, LEFT, GAP = 24, 96, 40, 52, 28
ROOM_FOR_VALUES = 58
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
INK, MUTED, GRID = "#1f2328", "#59636e", "#e4e7eb"
PANELS = {
    "append": "Append one entry, durably",
    "load": "Load, per 1,000 entries",
    "list": "List the newest 50",
    "search_rare": "Search a rare word, 20 shown",
    "search_common": "Search a common word, 20 shown",
    "transfer_claim": "Claim a transfer",
}


@dataclass(frozen=True, slots=True)
class Style:
    """How one line is drawn; `mark` is the shape at each point."""

    label: str
    colour: str
    mark: str
    dash: str = ""
    width: float = 2.2


STYLES = {
    "baton": Style("Baton on SQLite", "#0969da", "circle"),
    "postgres": Style("Baton on PostgreSQL", "#1a7f37", "square"),
    "floor": Style("floor: the bare sqlite3 driver", "#8c959f", "none", dash="5 4", width=1.6),
    "peer": Style("Hermes Agent 0.19", "#bc4c00", "diamond"),
}

DRAWN = ("floor", "peer", "postgres", "baton")
"""From back to front."""


def growth_chart(result: Mapping[str, Any]) -> str:
    """The chart of one run's JSON, as text. Operations that were not measured leave their panel empty."""
    series = {name: _series(result, name) for name in PANELS}
    used = [key for key in STYLES if any(lines[key] for lines in series.values())]
    ticks = sorted({entries for lines in series.values() for points in lines.values() for entries, _ in points})
    parts = [*_heading(result, used)]
    for number, (name, title) in enumerate(PANELS.items()):
        parts += _Panel(number, ticks or [1, 10]).drawn(title, series[name])
    return _document(parts)


def _series(result: Mapping[str, Any], name: str) -> dict[str, list[Point]]:
    lines: dict[str, list[Point]] = {key: [] for key in STYLES}
    for figure in result["figures"]:
        if figure["name"] == name and figure["baton"]:
            part = figure["facts"].get("loaded", 1000) / 1000
            key = {SQLITE: "baton", POSTGRES: "postgres"}[figure["store"]]
            lines[key].append((figure["entries"], figure["baton"]["median"] / part))
            if figure["store"] == SQLITE and figure["floor"]:
                lines["floor"].append((figure["entries"], figure["floor"]["median"] / part))
    if name in TIMED:
        for peer in result["peers"]:
            part = peer["sizes"]["long_session"] / 1000 if name == "load" else 1
            lines["peer"].append((peer["sizes"]["messages"], peer["milliseconds"][TIMED[name]]["median"] / part))
    return {key: sorted(points) for key, points in lines.items()}


def _heading(result: Mapping[str, Any], used: Sequence[str]) -> Iterable[str]:
    machine = result["machine"]
    where = (
        f"{machine['processors']} cores, {machine['system']}, Python {machine['python']}, SQLite {machine['sqlite']}"
    )
    yield text(MARGIN, 34, "What an operation costs as the store grows", size=20, weight=600)
    yield text(MARGIN, 54, f"Median time, logarithmic scales; ten entries a session. {where}.", size=12, colour=MUTED)
    x = float(MARGIN)
    for key in used:
        style = STYLES[key]
        yield line([(x, 76), (x + 26, 76)], style)
        yield mark(x + 13, 76, style)
        yield text(x + 33, 80, style.label, size=12)
        x += 58 + 6.1 * len(style.label)


class _Panel:
    """One operation: entries to the right, time upwards, both logarithmic, whole decades of time."""

    def __init__(self, number: int, ticks: Sequence[int]) -> None:
        row, column = divmod(number, COLUMNS)
        rows = math.ceil(len(PANELS) / COLUMNS)
        self.width = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP - COLUMNS * LEFT) / COLUMNS
        self.height = (HEIGHT - HEAD - MARGIN) / rows - FOOT - 32
        self.left = MARGIN + LEFT + column * (self.width + LEFT + GAP)
        self.top = HEAD + 32 + row * (self.height + FOOT + 32)
        self.ticks = ticks
        self.decades = (-1, 1)

    def drawn(self, title: str, lines: Mapping[str, list[Point]]) -> Iterable[str]:
        self.decades = _decades([value for points in lines.values() for _, value in points])
        yield text(self.left - LEFT, self.top - 14, title, size=13, weight=600)
        yield from self._axes()
        for key in DRAWN:
            yield from self._curve(lines[key], STYLES[key])
        yield from self._values(lines)

    def _axes(self) -> Iterable[str]:
        bottom = self.top + self.height
        for decade in range(self.decades[0], self.decades[1] + 1):
            y = self._y(10.0**decade)
            yield f'<path d="M{self.left:.1f} {y:.1f}h{self.width:.1f}" stroke="{GRID}"/>'
            yield text(self.left - 8, y + 4, _time(decade), size=11, colour=MUTED, anchor="end")
        for tick in self.ticks:
            yield text(self._x(tick), bottom + 17, short(tick), size=11, colour=MUTED, anchor="middle")
        middle = self.left + self.width / 2
        yield text(middle, bottom + 33, "entries in the store", size=11, colour=MUTED, anchor="middle")

    def _curve(self, points: list[Point], style: Style) -> Iterable[str]:
        if not points:
            return
        places = [(self._x(entries), self._y(value)) for entries, value in points]
        yield line(places, style)
        if style.mark == "none":
            return
        for x, y in places:
            yield mark(x, y, style)

    def _values(self, lines: Mapping[str, list[Point]]) -> Iterable[str]:
        """The last value of each line to its right, moved up where two would stand on each other."""
        lowest_free = math.inf
        last = [(lines[key][-1], STYLES[key]) for key in DRAWN if lines[key] and STYLES[key].mark != "none"]
        for (entries, value), style in sorted(last, key=lambda each: each[0][1]):
            y = min(self._y(value) + 4, lowest_free)
            lowest_free = y - 13
            yield label(self._x(entries) + 8, y, shown(value), style.colour)

    def _x(self, entries: int) -> float:
        low, high = math.log10(self.ticks[0]), math.log10(self.ticks[-1])
        part = (math.log10(entries) - low) / (high - low) if high > low else 0.5
        return self.left + 14 + part * (self.width - 14 - ROOM_FOR_VALUES)

    def _y(self, milliseconds: float) -> float:
        low, high = self.decades
        return self.top + self.height * (1 - (math.log10(milliseconds) - low) / (high - low))


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """Whole powers of ten around the values, at least two."""
    if not values:
        return -1, 1
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)) + 0.08)
    return low, max(high, low + 2)


def _time(decade: int) -> str:
    """A power of ten milliseconds, in the unit that suits."""
    for unit, power in (("s", 3), ("ms", 0), ("µs", -3)):
        if decade >= power:
            return f"{10 ** (decade - power)} {unit}"
    return f"{10.0 ** (decade + 3):g} µs"


def text(
    x: float, y: float, text: str, *, size: int, colour: str = INK, weight: int = 400, anchor: str = "start"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" fill="{colour}"'
        f' text-anchor="{anchor}">{escape(text)}</text>'
    )


def label(x: float, y: float, words: str, colour: str) -> str:
    """A value, on a white ground so that no line crosses it out."""
    wide = 6.6 * len(words) + 4
    ground = f'<rect x="{x - 2:.1f}" y="{y - 10:.1f}" width="{wide:.1f}" height="13" fill="#ffffff" opacity="0.85"/>'
    return ground + text(x, y, words, size=11, colour=colour, weight=600)


def line(places: Sequence[tuple[float, float]], style: Style) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dash = f' stroke-dasharray="{style.dash}"' if style.dash else ""
    return f'<polyline points="{path}" fill="none" stroke="{style.colour}" stroke-width="{style.width}"{dash}/>'


def mark(x: float, y: float, style: Style) -> str:
    if style.mark == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{style.colour}"/>'
    if style.mark == "square":
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" fill="{style.colour}"/>'
    if style.mark == "diamond":
        return f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z" fill="{style.colour}"/>'
    return ""


def _document(parts: Iterable[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FONT}" role="img"',
            ' aria-label="What an operation costs as the store grows">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#ffffff"/>',
            *(part for part in parts if part),
            "</svg>",
        ]
    )
