"""Plain text with ranges, for platforms that take styles apart from the text: nothing to escape, nothing to break."""

from __future__ import annotations

from baton.adapters.platforms.markup.layout import pieces
from baton.adapters.platforms.markup.links import shown_address
from baton.adapters.platforms.markup.pieces import Close, Kind, Open
from baton.adapters.platforms.markup.units import utf16
from baton.core.value import value


@value
class Span:
    """`start` and `length` in UTF-16 units. `detail` is a link's address or the language of a code block."""

    start: int
    length: int
    kind: Kind
    detail: str = ""


@value
class Spans:
    """Spans lie within the text and are not empty; they come sorted by start, the outer before the inner."""

    text: str
    spans: tuple[Span, ...]


def to_spans(markdown: str, *, links: bool = True) -> Spans:
    """Without `links`, an address stands behind its text instead of being a span."""
    text: list[str] = []
    found: list[Span] = []
    opened: list[tuple[Open, int, int]] = []
    at = 0
    for piece in pieces(markdown, quote=""):
        if isinstance(piece, Open):
            opened.append((piece, at, len(text)))
            continue
        if not isinstance(piece, Close):
            text.append(piece.text)
            at += utf16(piece.text)
            continue
        mark, start, since = opened.pop()
        if mark.kind == "link" and not links:
            text.append(shown_address("".join(text[since:]), mark.detail))
            at += utf16(text[-1])
        if at > start and (links or mark.kind != "link"):
            found.append(Span(start, at - start, mark.kind, mark.detail))
    found.reverse()
    found.sort(key=lambda span: (span.start, -span.length))
    return Spans("".join(text), tuple(found))
