"""Text in which the server finds nobody to notify."""

from __future__ import annotations

import re
from collections.abc import Iterator

from baton.adapters.platforms.markup.spans import Span, Spans
from baton.adapters.platforms.markup.units import utf16

_NAME = re.compile(r"https?://\S+|(?<!\w)@(?=\w)", re.ASCII)
"""The server makes a mention of every such name it knows, except in addresses and in code."""

_CODE = ("code", "pre")
_INVISIBLE = "\u200b"


def uncalled(found: Spans) -> Spans:
    """The same to the eye: what would be a mention has an invisible character in it. Code stays as it is."""
    cuts = list(_cuts(found))
    text, last = list[str](), 0
    for index, _ in cuts:
        text += [found.text[last:index], _INVISIBLE]
        last = index
    units = [unit for _, unit in cuts]
    return Spans("".join([*text, found.text[last:]]), tuple(_moved(span, units) for span in found.spans))


def _cuts(found: Spans) -> Iterator[tuple[int, int]]:
    """Where a name begins behind its `@`: the character's index, and the same in UTF-16 units."""
    code = [span for span in found.spans if span.kind in _CODE]
    index = unit = 0
    for name in _NAME.finditer(found.text):
        unit += utf16(found.text[index : name.end()])
        index = name.end()
        if name[0] == "@" and not any(span.start < unit <= span.start + span.length for span in code):
            yield index, unit


def _moved(span: Span, cuts: list[int]) -> Span:
    before = sum(cut <= span.start for cut in cuts)
    inside = sum(span.start < cut < span.start + span.length for cut in cuts)
    return Span(span.start + before, span.length + inside, span.kind, span.detail)
