"""A note behind the word for a password: `Password: ask Ann`, `Пароль: у Димы`, `密码：问张伟要；账号：test01`."""

from __future__ import annotations

import re
from functools import lru_cache

from baton.adapters.redaction.rules_file import note_parts, note_words
from baton.adapters.redaction.span import CONTEXT, Span

_KIND = "password"
_LABELLED = re.compile(rb"(?:[:=]|\xef\xbc[\x9a\x9d])[ \t]{0,4}\Z")
_WIDE_ENDS = re.compile(b"|".join(sign.encode() for sign in "；，。、」』】）\u3000") + rb"|[;,](?=[\xe3-\xed])")
"""Narrow ones too where a wide letter follows: so readers see wide ones."""
_WIDE_OPENS = tuple(sign.encode() for sign in "「『【（")
_WIDE = re.compile(rb"(?:[\xe3-\xed][\x80-\xbf]{2})")
_FIRST = re.compile(rb"\S++")
_GOES_ON = re.compile(rb"[ \t]++[^\s]")


def without_note(data: bytes, span: Span) -> Span | None:
    """The span without the wide signs around it and what follows them; None if a note stands there."""
    if span.layer != CONTEXT or span.kind != _KIND:
        return span
    value = data[span.start : span.end]
    if not value.isascii():
        span = _within_wide_signs(data, span)
        value = data[span.start : span.end]
        if not value:
            return None
    if _LABELLED.search(data, max(0, span.start - 8), span.start) is None:
        return span
    return None if is_note(value, data[span.end : span.end + 48]) else span


@lru_cache(maxsize=4096)
def is_note(value: bytes, after: bytes = b"") -> bool:
    """Whether it begins as a note does and goes on, or says so in a script that parts no words."""
    first = _FIRST.match(value)
    if first is not None and (first.end() < len(value) or _GOES_ON.match(after)):
        word = first.group().decode("utf-8", "replace").lower().rstrip(".,;:!")
        if word in note_words():
            return True
    if value.isascii() or not _WIDE.match(value):
        return False
    said = value + after.split(b"\n", 1)[0]
    return any(part in said for part in note_parts()) and not any(0x30 <= byte <= 0x39 for byte in value)


def _within_wide_signs(data: bytes, span: Span) -> Span:
    start, end = span.start, span.end
    while data[start:end].startswith(_WIDE_OPENS):
        start += 3
    found = _WIDE_ENDS.search(data, start, end)
    return span._replace(start=start, end=found.start() if found else end)
