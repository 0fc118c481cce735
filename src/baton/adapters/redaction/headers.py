# ruff: noqa: E501 (a pattern is easier to read in one line)
"""What headers of HTTP and of mail hold that everybody may see: ids of requests, tags of what was answered, boundaries.

Recorded answers have a header's name on one line and its value on the next. Asked only about spans that a rule wants to
cut, so that ordinary text pays nothing.
"""

from __future__ import annotations

import re

from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import BOUNDARY_BACK, LABEL_BACK

_ABOVE = re.compile(
    rb"(?i)(?:^|[\s\"'{,])(?:e-?tag|if-(?:none-)?match|x-amz-id-2|x-amz-cf-id|cf-ray|x-served-by|x-fb-debug|content-md5|x-amz-version-id"
    rb"|(?:[a-z0-9]+-)*(?:request|trace|correlation|transaction|operation|invocation|activity|span)-?id(?:-2)?)[\"']?:[ \t]*"
    rb"(?:\r?\n[ \t]*-[ \t]*(?:!!binary[ \t]*\|[ \t]*\r?\n[ \t]*)?|\[[ \t]*)?[\"']{0,2}(?:W/)?\\?[\"']?\Z"
)
"""The name, and its value on the line below or in a list, as tools write it that record what a server answered."""
_SAYS_BOUNDARY = rb"(?i:\bboundary)=\\?[\"']?-*"
_BOUNDARY = re.compile(_SAYS_BOUNDARY + rb"\Z")
_BETWEEN_PARTS = re.compile(rb"-*+WebKitFormBoundary[A-Za-z0-9]{16}(?:--)?")
_PART = re.compile(rb"(?:^|\n|\\n)-*\Z")
_BACK = 24
_UNNAMED = "token"
_SIZED = re.compile(rb"[0-9a-f]{1,8}-[A-Za-z0-9+/]{27}")
"""As servers in JavaScript tag what they answer: its length and its hash."""


def is_of_header(data: bytes, span: Span) -> bool:
    """Whether it is one of those, by the header's name or as the line that parts a message."""
    if span.layer != CONTEXT:
        return False
    start, value = span.start, data[span.start : span.end]
    if span.kind == _UNNAMED and _SIZED.fullmatch(value):
        return True
    if _BETWEEN_PARTS.fullmatch(value) or _BOUNDARY.search(data, max(0, start - _BACK), start):
        return True
    first = max(0, start - BOUNDARY_BACK)
    if _PART.search(data, max(0, start - _BACK), start) and data.find(b"oundary=", first, start) >= 0:
        core = value.strip(b"-")
        if core and re.search(_SAYS_BOUNDARY + re.escape(core), data[first:start]):
            return True
    return _ABOVE.search(data, max(0, start - LABEL_BACK), start) is not None
