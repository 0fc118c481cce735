"""How much of a text is looked at closely: a look takes time, and a text can be made of nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.anchor import Hit
from baton.adapters.redaction.span import LINE, TOKEN, Span, line_at

_MOST = 5_000
_BYTES_A_LOOK = 200
_BEFORE, _AFTER = 64, 32
_BETWEEN_WORDS = re.compile(rb"[^A-Za-z0-9+/_-]")
_REACH = 1_024
"""Bytes that a find may begin before the place that gave it away."""


def limit(data: bytes, hits: Sequence[Hit]) -> int:
    """How far into the text every hit is worth a look. Ordinary text has a fifth of what is allowed: hits in one word
    count as one, and so do the same words again and again.
    """
    most = max(_MOST, len(data) // _BYTES_A_LOOK)
    if len(hits) <= most:
        return len(data)
    seen: set[bytes] = set()
    before = 0
    for end in sorted({end for _, end in hits}):
        new = not before or _BETWEEN_WORDS.search(data, before, end) is not None
        before = end
        if new:
            seen.add(data[max(0, end - _BEFORE) : end + _AFTER])
        if len(seen) > most:
            return end
    return len(data)


def lines(data: bytes, hits: Iterable[Hit], after: int) -> Iterator[Span]:
    """The lines with hits behind the limit. Nobody looked at them, so they go as a whole; neighbours as one."""
    start, stop = -1, -1
    for end in sorted({end for _, end in hits if end > after}):
        if end <= stop:
            continue
        first, last = line_at(data, end - 1, end)
        first = max(first, after - _REACH)
        if start < 0 or first > stop + 1:
            if start >= 0:
                yield Span(start, stop, TOKEN, LINE)
            start = first
        stop = last
    if start >= 0:
        yield Span(start, stop, TOKEN, LINE)
