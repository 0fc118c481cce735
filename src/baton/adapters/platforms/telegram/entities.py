"""Markdown as text with entities, by the rules of the Bot API: no style on code, links to the web only.

In groups nobody is notified by a name that happens to be in a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from telegram import MessageEntity

from baton.adapters.platforms.json_fields import storable
from baton.adapters.platforms.markup.layout import address_suffix
from baton.adapters.platforms.markup.spans import Span, Spans, to_spans, utf16
from baton.core.value import value

MOST_ENTITIES = 100
"""The server shows at most so many entities in a message."""

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
_MENTION = re.compile(r"https?://\S+|(?<!\w)@(?=\w)", re.ASCII)
"""The server turns every such name it knows into a mention, except in addresses and in code."""

_INVISIBLE = "\u200b"


def render(markdown: str, *, group: bool = True) -> RenderedText:
    """In a `group` mentions are broken; a chat of two has nobody to notify, so its text stays as it is."""
    plain = _with_plain_addresses(to_spans(storable(markdown)))
    found = without_mentions(plain) if group else plain
    code = [span for span in found.spans if span.kind in _CODE]
    spans = [part for span in found.spans for part in (_outside_code(span, code) if span.kind in _STYLES else [span])]
    spans.sort(key=lambda span: (span.start, -span.length))
    return RenderedText(found.text, tuple(map(_entity, spans[:MOST_ENTITIES])))


def size(markdown: str) -> int:
    return utf16(without_mentions(_with_plain_addresses(to_spans(storable(markdown)))).text)


@value
class RenderedText:
    text: str
    entities: tuple[MessageEntity, ...]


def _entity(span: Span) -> MessageEntity:
    return MessageEntity(
        _TYPES[span.kind],
        span.start,
        span.length,
        url=span.detail if span.kind == "link" else None,
        language=(span.detail or None) if span.kind == "pre" else None,
    )


def _outside_code(style: Span, code: list[Span]) -> list[Span]:
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
    """An address that the server refuses as a link is written behind the link's text."""
    text, spans = found.text, list(found.spans)
    for position in range(len(spans) - 1, -1, -1):
        link = spans[position]
        if link.kind == "link" and not _is_linkable(link.detail):
            text, spans = _spell_out(text, spans, position)
    return Spans(text, tuple(spans))


def _spell_out(text: str, spans: list[Span], position: int) -> tuple[str, list[Span]]:
    link = spans[position]
    units, end = text.encode("utf-16-le", "surrogatepass"), link.start + link.length
    label = units[2 * link.start : 2 * end].decode("utf-16-le", "surrogatepass")
    address = address_suffix(label, link.detail)
    units = units[: 2 * end] + address.encode("utf-16-le", "surrogatepass") + units[2 * end :]
    by = utf16(address)
    outer = [_grow(span, end, by) for span in spans[:position]]
    later = [Span(s.start + by, s.length, s.kind, s.detail) if s.start >= end else s for s in spans[position + 1 :]]
    return units.decode("utf-16-le", "surrogatepass"), outer + later


def _grow(span: Span, end: int, by: int) -> Span:
    holds = span.start + span.length >= end
    return Span(span.start, span.length + by, span.kind, span.detail) if holds else span


def _is_linkable(address: str) -> bool:
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and ("." in host.strip(".") or ":" in host)


def without_mentions(found: Spans) -> Spans:
    """Looks the same, but an invisible character breaks every mention. Code stays as it is."""
    cuts = list(_find_mentions(found))
    text, last = list[str](), 0
    for index, _ in cuts:
        text += [found.text[last:index], _INVISIBLE]
        last = index
    units = [unit for _, unit in cuts]
    return Spans("".join([*text, found.text[last:]]), tuple(_shift(span, units) for span in found.spans))


def _find_mentions(found: Spans) -> Iterator[tuple[int, int]]:
    """Where each name begins after its `@`: as an index, and in UTF-16 units."""
    code = [span for span in found.spans if span.kind in _CODE]
    index = unit = 0
    for name in _MENTION.finditer(found.text):
        unit += utf16(found.text[index : name.end()])
        index = name.end()
        if name[0] == "@" and not any(span.start < unit <= span.start + span.length for span in code):
            yield index, unit


def _shift(span: Span, cuts: list[int]) -> Span:
    before = sum(cut <= span.start for cut in cuts)
    inside = sum(span.start < cut < span.start + span.length for cut in cuts)
    return Span(span.start + before, span.length + inside, span.kind, span.detail)
