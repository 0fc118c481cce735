"""A unified diff for people: line numbers, grounds for what comes and goes, and the words that differ marked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.segment import Segment
from rich.style import Style

from baton.core.display import columns, plain
from baton.core.value import value
from baton.surfaces.tui.code import TAB, Line, wrap
from baton.surfaces.tui.palette import Palette

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)")
_WORD = re.compile(r"\w+|\s+|.")
_ALIKE = 0.4
"""Lines that share less than this are not one line that was changed, but two."""

_LONGEST = 500
CONTEXT, ADDED, REMOVED, SAID = " ", "+", "-", ""
GAP = "⋯"
NOWHERE = "/dev/null"
Marks = list[tuple[int, int]]


@value
class Row:
    """A line of the diff: its sign, its number in the file it stands in, and where its marked words begin and end."""

    sign: str
    number: int
    text: str
    marks: tuple[tuple[int, int], ...] = ()


def read_diff(text: str) -> list[Row]:
    """Every line of it, in order. What is no line of a file, such as a heading, has no sign."""
    rows: list[Row] = []
    old = new = 0
    inside = False
    for line in plain(text).expandtabs(TAB).rstrip("\n").split("\n"):
        if hunk := _HUNK.match(line):
            old, new, inside = int(hunk[1]), int(hunk[2]), True
            rows.append(Row(SAID, 0, f"{GAP} {hunk[3]}".rstrip()))
        elif inside and line[:1] in (ADDED, REMOVED, CONTEXT):
            rows.append(Row(line[0], old if line[0] == REMOVED else new, line[1:]))
            old, new = old + (line[0] != ADDED), new + (line[0] != REMOVED)
        else:
            rows.append(Row(SAID, 0, line))
    return _mark_words(_without_first_gap(_name_once(rows)))


def _name_once(rows: list[Row]) -> list[Row]:
    """The two headings as one, if they name the same file, with how much it changes."""
    texts = [row.text for row in rows[:2]]
    if len(texts) < 2 or not texts[0].startswith("--- ") or not texts[1].startswith("+++ "):
        return rows
    before, after = (name[4:].removeprefix(side) for name, side in zip(texts, ("a/", "b/"), strict=True))
    counts = {sign: sum(row.sign == sign for row in rows) for sign in (ADDED, REMOVED)}
    name = after if before in (after, NOWHERE) else before if after == NOWHERE else f"{before} → {after}"
    return [Row(SAID, 0, f"{name}  +{counts[ADDED]} -{counts[REMOVED]}"), *rows[2:]]


def _without_first_gap(rows: list[Row]) -> list[Row]:
    """A gap is a sign between two places of a file; before the first one it says nothing."""
    at = next((at for at, row in enumerate(rows) if row.text == GAP and not row.sign), None)
    first = next((at for at, row in enumerate(rows) if row.sign), None)
    return [*rows[:at], *rows[at + 1 :]] if at is not None and first is not None and at < first else rows


def _mark_words(rows: list[Row]) -> list[Row]:
    """Marks what differs between lines that were removed and those that came in their place, one by one."""
    made, at = list(rows), 0
    while at < len(rows):
        gone = _run(rows, at, REMOVED)
        came = _run(rows, at + gone, ADDED)
        for step in range(min(gone, came)):
            here, there = at + step, at + gone + step
            made[here], made[there] = _compare(rows[here], rows[there])
        at += max(1, gone + came)
    return made


def _run(rows: list[Row], at: int, sign: str) -> int:
    end = at
    while end < len(rows) and rows[end].sign == sign:
        end += 1
    return end - at


def _compare(gone: Row, came: Row) -> tuple[Row, Row]:
    if max(len(gone.text), len(came.text)) > _LONGEST:
        return gone, came
    from difflib import SequenceMatcher

    old, new = _WORD.findall(gone.text), _WORD.findall(came.text)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return gone, came
    changed = [step for step in matcher.get_opcodes() if step[0] != "equal"]
    marks_old = _offsets(old, [(start, end) for _, start, end, _, _ in changed])
    marks_new = _offsets(new, [(start, end) for _, _, _, start, end in changed])
    return Row(gone.sign, gone.number, gone.text, marks_old), Row(came.sign, came.number, came.text, marks_new)


def _offsets(words: list[str], spans: Marks) -> tuple[tuple[int, int], ...]:
    ends = [0]
    for word in words:
        ends.append(ends[-1] + len(word))
    return tuple((ends[start], ends[end]) for start, end in spans if start < end)


def paint_diff(text: str, width: int, palette: Palette) -> list[Line]:
    rows = read_diff(text)
    digits = len(str(max((row.number for row in rows), default=0)))
    return [line for at, row in enumerate(rows) for line in _paint(row, at == 0, digits, width, palette)]


_GROUNDS = {ADDED: ("added", "added_word", "good"), REMOVED: ("removed", "removed_word", "bad")}


def _paint(row: Row, first: bool, digits: int, width: int, palette: Palette) -> Iterator[Line]:
    if row.sign == SAID:
        style = palette.style("text", bold=True) if first else palette.style("muted")
        yield from wrap([Segment(row.text, style)], width)
        return
    ground, word, color = _GROUNDS.get(row.sign, ("", "", "muted"))
    gutter = f"{row.number:>{digits}} "
    room = max(1, width - digits - 3)
    for number, line in enumerate(wrap(_pieces(row, palette, ground, word), room)):
        shown = gutter if number == 0 else " " * len(gutter)
        sign = f"{row.sign} " if number == 0 else "  "
        rest = room - sum(columns(piece.text) for piece in line)
        filled = [Segment(" " * rest, _ground(palette, ground))] if ground and rest > 0 else []
        yield [
            Segment(shown, palette.style("muted", ground)),
            Segment(sign, palette.style(color, ground, bold=True)),
            *line,
            *filled,
        ]


def _ground(palette: Palette, name: str) -> Style | None:
    return Style(bgcolor=getattr(palette, name)) if name else None


def _pieces(row: Row, palette: Palette, ground: str, word: str) -> Line:
    pieces: Line = []
    at = 0
    for start, end in row.marks:
        pieces.append(Segment(row.text[at:start], palette.style("text", ground)))
        pieces.append(Segment(row.text[start:end], palette.style("text", word, bold=True)))
        at = end
    pieces.append(Segment(row.text[at:], palette.style("text", ground)))
    return [piece for piece in pieces if piece.text]
