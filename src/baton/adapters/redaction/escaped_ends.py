"""Where a value ends in a string: at the escaped end of a line, behind which another text begins.

`{"log": "password=hunter77\\nnext line"}` holds the same as two lines of a file.
"""

from __future__ import annotations

import re

from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import SETTING_BACK, SHORTEST_SECRET

_ESCAPED_END = re.compile(rb"\\{1,2}r\\{1,2}n|\\{1,2}n(?=[A-Z\\\[<{(>$#*-]|[a-z_-]+(?:[ \t,.:;=\\]|\Z)|\Z)")
"""A sign behind the letter `n` that a word or a line begins with: a password may have `\\n` too."""


def without_next_line(data: bytes, span: Span) -> Span:
    """The span up to the first escaped end of a line, if a quote before it opens a string."""
    if span.layer != CONTEXT:
        return span
    return span._replace(end=line_end(data, span.start, span.end))


def line_end(data: bytes, start: int, end: int) -> int:
    if data.find(b"\\", start, end) < 0:
        return end
    found = _ESCAPED_END.search(data, start + SHORTEST_SECRET, end)
    if found is None:
        return end
    first = max(0, start - SETTING_BACK)
    first = max(first, data.rfind(b"\n", first, start) + 1)
    told = b"r" in found.group() or data.find(b'"', first, start) >= 0 or data.find(b"'", first, start) >= 0
    return found.start() if told else end
