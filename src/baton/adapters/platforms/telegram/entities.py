"""Markdown as text with entities, by the rules of the Bot API: no style on code, and links to the web only."""

from __future__ import annotations

from urllib.parse import urlsplit

from telegram import MessageEntity

from baton.adapters.platforms.json_fields import storable
from baton.adapters.platforms.markup.links import shown_address
from baton.adapters.platforms.markup.spans import Span, Spans, to_spans
from baton.adapters.platforms.markup.units import utf16
from baton.adapters.platforms.telegram.uncalled import uncalled
from baton.core.value import value

MOST = 100
"""The server shows no more entities than this in a message."""

_TYPES = {
    "bold": "bold",
    "italic": "italic",
    "strike": "strikethrough",
    "code": "code",
    "pre": "pre",
    "link": "text_link",
    "quote": "blockquote",
}
_STYLES = ("bold", "italic", "strike")
_CODE = ("code", "pre")


@value
class Rendered:
    text: str
    entities: tuple[MessageEntity, ...]


def rendered(markdown: str, *, group: bool = True) -> Rendered:
    """In a `group` nobody is called; a chat of two has nobody to call, and its text stays as it is."""
    plain = _with_plain_addresses(to_spans(storable(markdown)))
    found = uncalled(plain) if group else plain
    code = [span for span in found.spans if span.kind in _CODE]
    spans = [part for span in found.spans for part in (_around(span, code) if span.kind in _STYLES else [span])]
    spans.sort(key=lambda span: (span.start, -span.length))
    return Rendered(found.text, tuple(map(_entity, spans[:MOST])))


def size(markdown: str) -> int:
    return utf16(uncalled(_with_plain_addresses(to_spans(storable(markdown)))).text)


def _entity(span: Span) -> MessageEntity:
    return MessageEntity(
        _TYPES[span.kind],
        span.start,
        span.length,
        url=span.detail if span.kind == "link" else None,
        language=(span.detail or None) if span.kind == "pre" else None,
    )


def _around(style: Span, code: list[Span]) -> list[Span]:
    """The parts of a style that are not code."""
    at, end, found = style.start, style.start + style.length, list[Span]()
    for each in code:
        if each.start >= end or each.start + each.length <= at:
            continue
        if each.start > at:
            found.append(Span(at, each.start - at, style.kind))
        at = each.start + each.length
    if at < end:
        found.append(Span(at, end - at, style.kind))
    return found


def _with_plain_addresses(found: Spans) -> Spans:
    """Addresses that the server refuses in a link stand behind its text."""
    text, spans = found.text, list(found.spans)
    for position in range(len(spans) - 1, -1, -1):
        link = spans[position]
        if link.kind == "link" and not _linkable(link.detail):
            text, spans = _spelled_out(text, spans, position)
    return Spans(text, tuple(spans))


def _spelled_out(text: str, spans: list[Span], position: int) -> tuple[str, list[Span]]:
    link = spans[position]
    units, end = text.encode("utf-16-le", "surrogatepass"), link.start + link.length
    label = units[2 * link.start : 2 * end].decode("utf-16-le", "surrogatepass")
    address = shown_address(label, link.detail)
    units = units[: 2 * end] + address.encode("utf-16-le", "surrogatepass") + units[2 * end :]
    by = utf16(address)
    outer = [_grown(span, end, by) for span in spans[:position]]
    later = [Span(s.start + by, s.length, s.kind, s.detail) if s.start >= end else s for s in spans[position + 1 :]]
    return units.decode("utf-16-le", "surrogatepass"), outer + later


def _grown(span: Span, end: int, by: int) -> Span:
    holds = span.start + span.length >= end
    return Span(span.start, span.length + by, span.kind, span.detail) if holds else span


def _linkable(address: str) -> bool:
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and ("." in host.strip(".") or ":" in host)
