"""Screens of a terminal over time, as one animated SVG: no script, no font, nothing fetched.

A row is drawn once, however many frames and lines it is in; CSS shows and hides it. A viewer that knows no animation
shows the `poster`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from itertools import groupby

from baton.core.value import value

CELL, LINE, SIZE = 8.4, 18, 14
MARGIN, BAR = 12, 30
GROUND, TITLE, INK = "#121212", "#8a8a8a", "#e0e0e0"
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"


@value
class Cell:
    text: str
    ink: str = ""
    ground: str = ""
    bold: bool = False
    italic: bool = False
    underlined: bool = False


Row = tuple[Cell, ...]


@value
class Frame:
    """What was on the screen, and for how many seconds."""

    rows: tuple[Row, ...]
    seconds: float


def draw(frames: Sequence[Frame], poster: int, title: str) -> str:
    """The SVG. `poster` is the frame of a viewer without animation."""
    total = sum(frame.seconds for frame in frames)
    styles, ground = _Styles(), _most_common_ground(frames)
    shown: dict[tuple[int, Row], list[int]] = {}
    for number, frame in enumerate(frames):
        for line, row in enumerate(frame.rows):
            if any(cell.text.strip() or cell.ground for cell in row):
                shown.setdefault((line, row), []).append(number)
    times: dict[tuple[int, ...], str] = {}
    names = {row: f"r{number}" for number, row in enumerate(dict.fromkeys(row for _, row in shown))}
    body: list[str] = []
    for (line, row), numbers in shown.items():
        time = "" if len(numbers) == len(frames) else times.setdefault(tuple(numbers), f"k{len(times)}")
        kind = f' class="{time}{" p" if poster in numbers else ""}"' if time else ""
        body.append(f'<use href="#{names[row]}" y="{line * LINE}"{kind}/>')
    drawn = [f'<g id="{name}">{_draw_row(row, styles, ground)}</g>' for row, name in names.items()]
    columns, lines = max(len(row) for row in frames[0].rows), len(frames[0].rows)
    width, height = columns * CELL + 2 * MARGIN, lines * LINE + 2 * MARGIN + BAR
    rules = [_keyframes(name, numbers, frames, total) for numbers, name in times.items()]
    hidden = ",".join(f".{name}" for name in times.values())
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">',
            f"<title>{escape(title)}</title>",
            f"<style>text{{font:{SIZE}px {FONT};white-space:pre}}",
            f"{hidden}{{visibility:hidden}}.p{{visibility:visible}}" if hidden else "",
            *rules,
            *styles.rules(),
            "</style>",
            f'<rect width="100%" height="100%" rx="8" fill="{ground}"/>',
            *(
                f'<circle cx="{MARGIN + 8 + 20 * at}" cy="16" r="6" fill="{color}"/>'
                for at, color in enumerate(("#ff5f57", "#febc2e", "#28c840"))
            ),
            f'<text x="{width / 2:.0f}" y="21" text-anchor="middle" fill="{TITLE}">{escape(title)}</text>',
            "<defs>",
            *drawn,
            "</defs>",
            *body,
            "</svg>\n",
        ]
    )


def _most_common_ground(frames: Sequence[Frame]) -> str:
    """That of the screen itself: it need not be drawn cell by cell."""
    return Counter(cell.ground or GROUND for row in frames[-1].rows for cell in row).most_common(1)[0][0]


def _keyframes(name: str, numbers: Sequence[int], frames: Sequence[Frame], total: float) -> str:
    """When a part is seen: the percent of the time at which that changes."""
    seen = set(numbers)
    changes: list[str] = []
    begins = 0.0
    for number, frame in enumerate(frames):
        if number == 0 or (number in seen) != (number - 1 in seen):
            state = "visible" if number in seen else "hidden"
            changes.append(f"{100 * begins / total:.2f}%{{visibility:{state}}}")
        begins += frame.seconds
    return f"@keyframes {name}{{{''.join(changes)}}}.{name}{{animation:{name} {total:.2f}s step-end infinite}}"


def _draw_row(row: Row, styles: _Styles, ground: str) -> str:
    """Runs of one style, each as wide as its cells: then columns stand under each other in every font."""
    pieces: list[str] = []
    top = MARGIN + BAR
    at = 0
    for look, cells in groupby(row, key=lambda cell: (cell.ink, cell.ground, cell.bold, cell.italic, cell.underlined)):
        run = [*cells]
        text, left, width = "".join(cell.text for cell in run), MARGIN + at * CELL, len(run) * CELL
        at += len(run)
        if run[0].ground not in ("", ground):
            pieces.append(
                f'<rect x="{left:.1f}" y="{top}" width="{width + 0.3:.1f}" height="{LINE}.5" fill="{run[0].ground}"/>'
            )
        if words := text.strip():
            inset = (len(text) - len(text.lstrip())) * CELL
            pieces.append(
                f'<text class="{styles.name(look)}" x="{left + inset:.1f}" y="{top + SIZE}" '
                f'textLength="{len(words) * CELL:.1f}">{escape(words, quote=False)}</text>'
            )
    return "".join(pieces)


class _Styles:
    """A short name for each look of text."""

    def __init__(self) -> None:
        self._names: dict[tuple[object, ...], str] = {}

    def name(self, look: tuple[object, ...]) -> str:
        ink, _, bold, italic, underlined = look
        return self._names.setdefault((ink or INK, bold, italic, underlined), f"s{len(self._names)}")

    def rules(self) -> list[str]:
        rules: list[str] = []
        for (ink, bold, italic, underlined), name in self._names.items():
            more = "font-weight:700;" if bold else ""
            more += "font-style:italic;" if italic else ""
            more += "text-decoration:underline;" if underlined else ""
            rules.append(f".{name}{{fill:{ink};{more}}}")
        return rules
