"""Plain text, with or without style ranges beside it, and its length in the units that platforms count.

Styles apart from the text leave nothing to escape and nothing to break.
"""

from __future__ import annotations

from functools import lru_cache

from baton.adapters.platforms.markup.layout import Close, Kind, Open, address_suffix, lay_out
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
    """Spans lie within the text and are not empty; they are sorted by start, the outer before the inner."""

    text: str
    spans: tuple[Span, ...]


@lru_cache(maxsize=16)
def to_spans(markdown: str, *, links: bool = True) -> Spans:
    """Without `links`, an address follows its text instead of being a span. A letter is asked for three times: whether
    it fits, whether its last part does, and when it is sent.
    """
    text: list[str] = []
    found: list[Span] = []
    opened: list[tuple[Open, int, int]] = []
    at = 0
    for piece in lay_out(markdown, quote=""):
        if isinstance(piece, Open):
            opened.append((piece, at, len(text)))
            continue
        if not isinstance(piece, Close):
            text.append(piece.text)
            at += utf16(piece.text)
            continue
        mark, start, since = opened.pop()
        if mark.kind == "link" and not links:
            text.append(address_suffix("".join(text[since:]), mark.detail))
            at += utf16(text[-1])
        if at > start and (links or mark.kind != "link"):
            found.append(Span(start, at - start, mark.kind, mark.detail))
    found.reverse()
    found.sort(key=lambda span: (span.start, -span.length))
    return Spans("".join(text), tuple(found))


def to_plain(markdown: str) -> str:
    """The words without marks; quotations begin with `>`, and an address follows the text of its link."""
    text: list[str] = []
    link, since = "", 0
    for piece in lay_out(markdown, quote="> "):
        if isinstance(piece, Open):
            if piece.kind == "link":
                link, since = piece.detail, len(text)
        elif not isinstance(piece, Close):
            text.append(piece.text)
        elif piece.kind == "link":
            text.append(address_suffix("".join(text[since:]), link))
    return "".join(text)


def utf16(text: str) -> int:
    """UTF-16 code units: an emoji outside the basic plane counts as two."""
    return len(text) if text.isascii() else len(text) + sum(character > "\uffff" for character in text)


def utf8(text: str) -> int:
    """Bytes in UTF-8. A lone surrogate counts as the replacement character it would become."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
