"""Values that standards and vendors print, which everybody has: they are no secrets wherever they stand."""

from __future__ import annotations

import re

from baton.adapters.redaction.rules_file import published_values
from baton.adapters.redaction.span import KNOWN, Span

_AROUND = b"\"'`=., \t"
_PREFIX = b"0x"
_IN_VALUE = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=-.")
_LONGEST = 300
_TIGER, _USER = b"tiger", 60
_SCOTT = re.compile(rb"(?i)\bscott\b")
"""The account that came with every Oracle, which the manuals of databases still show."""


def is_published(data: bytes, span: Span) -> bool:
    """Whether it is exactly such a value, signs around it aside, or a part of one. If made known, it is cut."""
    if span.layer == KNOWN:
        return False
    if data[span.start : span.end] == _TIGER and _SCOTT.search(data, max(0, span.start - _USER), span.end + _USER):
        return True
    value = data[span.start : span.end].strip(_AROUND).removeprefix(_PREFIX)
    if value in published_values() or value.lower() in published_values():
        return True
    first, last = span.start, span.end
    while first and data[first - 1] in _IN_VALUE and last - first < _LONGEST:
        first -= 1
    while last < len(data) and data[last] in _IN_VALUE and last - first < _LONGEST:
        last += 1
    return data[first:last].strip(_AROUND) in published_values()
