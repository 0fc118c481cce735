"""Recall after n handoffs, one panel a class, one line an arm: an SVG in the house style."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bench.continuity.arms import COMPRESSION, HANDOFF, TRUNCATION
from bench.plot import FONT, GRID, MUTED, Style, label, line, mark, text

WIDTH, HEIGHT = 960, 840
COLUMNS = 4
MARGIN, HEAD, LEFT, GAP, FOOT = 24, 96, 40, 20, 44
PANELS = {
    "U": "Messages, 60 characters",
    "UW": "Messages, every character",
    "R": "Words of a refusal",
    "N": "Refused commands",
    "S": "Answers in forms",
    "A": "Last reply",
    "Q": "Questions of short replies",
    "W": "PR and issue links",
    "H": "Commits",
    "F": "Files changed",
    "E": "Open errors",
    "core": "Mean of the core classes",
}
STYLES = {
    HANDOFF: Style("handoff (Baton's packet)", "#0969da", "circle"),
    COMPRESSION: Style("in-place compression, no model", "#bc4c00", "diamond"),
    TRUNCATION: Style("head and tail of the packet's size", "#8c959f", "square", dash="5 4", width=1.6),
}
BEFORE_AFTER = {
    "after": Style("after", "#0969da", "circle"),
    "before": Style("before", "#8c959f", "square", dash="5 4", width=1.6),
}
TITLE = "What is still known after n handoffs"
Lines = Mapping[str, Sequence[float | None]]


def continuity_chart(result: Mapping[str, Any]) -> str:
    """The chart of one run's JSON."""
    about = f"{result['sessions']} transcripts cut into {result['handoffs']} equal parts; share of the facts so far."
    panels = {name: {arm: _series(held, name) for arm, held in result["arms"].items()} for name in PANELS}
    return chart(TITLE, about, STYLES, panels, range(1, int(result["handoffs"]) + 1))


def chart(
    title: str, about: str, styles: Mapping[str, Style], panels: Mapping[str, Lines], steps: Sequence[int]
) -> str:
    """One panel a class, one line a style, over these numbers of handoffs."""
    parts = [*_heading(title, about, styles)]
    for number, (name, heading) in enumerate(PANELS.items()):
        parts += _Panel(number, steps, styles).drawn(heading, panels.get(name, {}))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FONT}" role="img"',
            f' aria-label="{title}">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#ffffff"/>',
            *parts,
            "</svg>",
        ]
    )


def _series(held: Mapping[str, Any], name: str) -> list[float | None]:
    return held["core"] if name == "core" else [row["share"] for row in held["recall"][name]["by_n"]]


def _heading(title: str, about: str, styles: Mapping[str, Style]) -> Iterable[str]:
    yield text(MARGIN, 34, title, size=20, weight=600)
    yield text(MARGIN, 54, f"{about} Presence is an upper bound on use.", size=12, colour=MUTED)
    x = float(MARGIN)
    for style in styles.values():
        yield line([(x, 76), (x + 26, 76)], style)
        yield mark(x + 13, 76, style)
        yield text(x + 33, 80, style.label, size=12)
        x += 58 + 6.1 * len(style.label)


class _Panel:
    """One class: handoffs to the right, 0 to 100 % upwards."""

    def __init__(self, number: int, steps: Sequence[int], styles: Mapping[str, Style]) -> None:
        row, column = divmod(number, COLUMNS)
        rows = -(-len(PANELS) // COLUMNS)
        self.width = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP - COLUMNS * LEFT) / COLUMNS
        self.height = (HEIGHT - HEAD - MARGIN) / rows - FOOT - 28
        self.left = MARGIN + LEFT + column * (self.width + LEFT + GAP)
        self.top = HEAD + 28 + row * (self.height + FOOT + 28)
        self.count = len(steps)
        self.steps = steps
        self.styles = styles

    def drawn(self, title: str, lines: Lines) -> Iterable[str]:
        yield text(self.left - LEFT, self.top - 12, title, size=13, weight=600)
        for share in (0.0, 0.5, 1.0):
            y = self._y(share)
            yield f'<path d="M{self.left:.1f} {y:.1f}h{self.width:.1f}" stroke="{GRID}"/>'
            yield text(self.left - 6, y + 4, f"{share:.0%}", size=11, colour=MUTED, anchor="end")
        for n in sorted({1, self.count}):
            shown = str(self.steps[n - 1])
            yield text(self._x(n), self.top + self.height + 17, shown, size=11, colour=MUTED, anchor="middle")
        for arm in reversed(list(self.styles)):
            yield from self._curve(lines.get(arm, ()), self.styles[arm])
        yield from self._values(lines)

    def _curve(self, shares: Sequence[float | None], style: Style) -> Iterable[str]:
        places = self._places(shares)
        if places:
            yield line(places, style)
        for x, y in places:
            yield mark(x, y, style)

    def _values(self, lines: Lines) -> Iterable[str]:
        """The last value of each line to its right, moved down where two would stand on each other."""
        highest_free = 0.0
        ends = [(self._places(shares)[-1], shares, arm) for arm, shares in lines.items() if self._places(shares)]
        for (x, y), shares, arm in sorted(ends, key=lambda end: end[0][1]):
            highest_free = max(y + 4, highest_free)
            last = next(share for share in reversed(shares) if share is not None)
            yield label(x + 8, highest_free, f"{last:.0%}", self.styles[arm].colour)
            highest_free += 13

    def _places(self, shares: Sequence[float | None]) -> list[tuple[float, float]]:
        return [(self._x(n), self._y(share)) for n, share in enumerate(shares, 1) if share is not None]

    def _x(self, n: int) -> float:
        part = (n - 1) / (self.count - 1) if self.count > 1 else 0.5
        return self.left + 10 + part * (self.width - 52)

    def _y(self, share: float) -> float:
        return self.top + self.height * (1 - share)
