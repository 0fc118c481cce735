"""Code as coloured lines: lexed by Pygments, cut to the width there is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, cast

from rich.segment import Segment
from rich.style import Style

from baton.core.display import columns, plain
from baton.surfaces.tui.palette import PALETTES, Palette

if TYPE_CHECKING:
    from pygments.lexer import Lexer

Line = list[Segment]
TAB = 4
LONGEST = 2_000
"""Lexers take time that grows with the line: a longer one is minified, and nobody reads its colours."""

_COLORS = (
    ("Comment", "muted"),
    ("Keyword.Type", "kind"),
    ("Keyword", "keyword"),
    ("Operator.Word", "keyword"),
    ("Literal.String", "string"),
    ("Literal.Number", "number"),
    ("Name.Function", "call"),
    ("Name.Class", "kind"),
    ("Name.Decorator", "number"),
    ("Name.Builtin", "kind"),
    ("Name.Tag", "keyword"),
    ("Name.Attribute", "call"),
    ("Name.Variable", "call"),
    ("Generic.Heading", "accent"),
    ("Generic.Inserted", "good"),
    ("Generic.Deleted", "bad"),
    ("Error", "text"),
)
"""From kinds of tokens to colours of the palette; the first that fits."""


def highlight(text: str, language: str, palette: Palette) -> list[Line]:
    """The lines of a program, coloured; text in an unknown language is not."""
    text = plain(text).expandtabs(TAB)
    if not language or any(len(line) > LONGEST for line in text.split("\n")):
        return [[Segment(line, None)] for line in text.split("\n")]
    lines: list[Line] = [[]]
    for kind, value in _lexer(language).get_tokens(text):
        style = _token_style(str(kind), palette.name)
        first, *others = value.split("\n")
        if first:
            lines[-1].append(Segment(first, style))
        lines += ([Segment(other, style)] if other else [] for other in others)
    return lines[: text.count("\n") + 1]


@cache
def _lexer(language: str) -> Lexer:
    from pygments import lexers
    from pygments.util import ClassNotFound

    find = cast("Callable[..., Lexer]", lexers.get_lexer_by_name)  # pyright: ignore[reportUnknownMemberType]
    try:
        return find(language, stripnl=False, ensurenl=True)
    except ClassNotFound:
        return find("text", stripnl=False)


@lru_cache(maxsize=512)
def _token_style(kind: str, palette: str) -> Style | None:
    """`kind` as Pygments writes it: `Token.Literal.String.Doc`."""
    kind = kind.removeprefix("Token.")
    color = next((color for prefix, color in _COLORS if f"{kind}.".startswith(f"{prefix}.")), "")
    return PALETTES[palette].style(color) if color else None


def wrap(line: Sequence[Segment], width: int) -> Iterator[Line]:
    """One line, cut wherever the width ends: code has no good places to break."""
    if sum(columns(segment.text) for segment in line) <= width:
        yield list(line)
        return
    row: Line = []
    room = width
    for text, style in _pieces(line):
        if columns(text) > room:
            yield list(Segment.simplify(row))
            row, room = [], width
        row.append(Segment(text, style))
        room -= columns(text)
    yield list(Segment.simplify(row))


def _pieces(line: Iterable[Segment]) -> Iterator[tuple[str, Style | None]]:
    for segment in line:
        for character in segment.text:
            yield character, segment.style


def paint_code(text: str, language: str, width: int, palette: Palette) -> list[Line]:
    return [row for line in highlight(text, language, palette) for row in wrap(line, max(1, width))]
