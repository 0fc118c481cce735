# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Views of what is written in another way: escapes, entities, hexadecimal, percent signs, base64, strings in pieces.

A view is read once; what is encoded inside it is not decoded again, so that no nesting can make it slow.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from html import unescape

from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.thresholds import MOST_DECODED, MOST_DECODED_VIEWS, VIEW_AROUND
from baton.adapters.redaction.views import View, ViewBuilder

_NEAR = 80
"""How much of the plain text around it is shown: the name beside a value."""
_TRIGGER = Expression(
    r"(?:\\x[0-9A-Fa-f]{2}){6}|(?:\\u00[0-9A-Fa-f]{2}){6}|(?:&#[xX]?[0-9A-Fa-f]{2,4};){6}|%(?:3[AaDd]|40)"
    r"|(?:[0-9a-f]{2} ){11}|(?:[0-9A-F]{2} ){11}|(?:[AI-Za-f][A-Za-z0-9+/]{3}){8}"
    r"|[A-Za-z0-9_.-]{4}[\"'][ \t]{0,4}[+.&][ \t]{0,4}(?:\r?\n[ \t]{0,40})?[\"'][A-Za-z0-9_.-]{4}"
    r"|[A-Za-z0-9_-]{12}\r?\n[+-][ \t]{0,8}[A-Za-z0-9]{6}"
)
"""Where to look closer; linear, and ten times as fast as the forms below."""
_ESCAPED = re.compile(
    rb"(?:\\x[0-9A-Fa-f]{2}){6,}+|(?:\\u00[0-9A-Fa-f]{2}){6,}+|(?:&#(?:[xX][0-9A-Fa-f]{2,4}|[0-9]{2,3});){6,}+"
)
_LINK = re.compile(rb"[\w.~+/?=&%-]++")
_TOKEN = re.compile(rb"[A-Za-z0-9_.~+/?=&%-]*+\Z")
_UNIT = re.compile(rb"\\x[0-9A-Fa-f]{2}|\\u00[0-9A-Fa-f]{2}|&#[xX]?[0-9A-Fa-f]+;|%[0-9A-Fa-f]{2}|.", re.S)
_SPACED = re.compile(rb"(?:[0-9a-f]{2} ){11,}+[0-9a-f]{2}|(?:[0-9A-F]{2} ){11,}+[0-9A-F]{2}")
_BASE64 = re.compile(rb"(?:[AI-Za-f][A-Za-z0-9+/]{3}){8,}+[A-Za-z0-9+/]{0,3}={0,2}")
_PIECES = re.compile(
    rb"""[A-Za-z0-9_.-]{4,}+(?:["'][ \t]*+[+.&][ \t]*+(?:\r?\n[ \t]*+)?["'][A-Za-z0-9_.-]{4,}+)++|[A-Za-z0-9_-]{12,}+(?:\r?\n[+-][ \t]*+[A-Za-z0-9][A-Za-z0-9_-]{5,}+)++"""
)
_JOINT = re.compile(rb"""["'][ \t]*+[+.&][ \t]*+(?:\r?\n[ \t]*+)?["']|\r?\n[+-][ \t]*+""")


def decoded_views(data: bytes) -> Iterator[View]:
    """Bounded in number and in size."""
    left = MOST_DECODED_VIEWS
    for view in _views(data):
        left -= 1
        if left < 0:
            return
        yield view


def _views(data: bytes) -> Iterator[View]:
    done = 0
    for trigger in _TRIGGER.finditer(data):
        at = trigger.start()
        if at < done:
            continue
        view, done = _view(data, at, done)
        if view is not None:
            yield view


def _view(data: bytes, at: int, done: int) -> tuple[View | None, int]:
    """What begins at a trigger, and where it ends."""
    if found := _ESCAPED.match(data, at):
        return _decode_units(data, *found.span()), found.end()
    if found := _SPACED.match(data, at):
        return _decode_spaced(data, *found.span()), found.end()
    before = _TOKEN.search(data[max(done, at - _NEAR) : at])
    start = at - len(before.group() if before else b"")
    if data[at] == 0x25:
        link = _LINK.match(data, start, at + MOST_DECODED)
        end = link.end() if link else at + 1
        return _decode_units(data, start, end), end
    if found := _PIECES.match(data, start):
        return _join(data, *found.span()), found.end()
    if found := _BASE64.match(data, at):
        return _decode_base64(data, *found.span()), found.end()
    return None, at + 1


def _around(data: bytes, start: int, end: int, write: Callable[[ViewBuilder], None]) -> View:
    builder = ViewBuilder(data)
    builder.copy(max(0, start - _NEAR), start)
    write(builder)
    builder.copy(end, min(len(data), end + _NEAR))
    return builder.build()


def _decode_units(data: bytes, start: int, end: int) -> View:
    def write(builder: ViewBuilder) -> None:
        for unit in _UNIT.finditer(data, start, min(end, start + MOST_DECODED)):
            builder.write(_character(unit.group()), unit.start(), unit.end() - unit.start())

    return _around(data, start, end, write)


def _character(unit: bytes) -> bytes:
    """One byte for each unit, whatever it stands for."""
    if unit[:2] == b"&#":
        return unescape(unit.decode("ascii")).encode("utf-8")[:1] or b"?"
    return bytes([int(unit[-2:], 16)]) if len(unit) > 1 else unit


def _decode_spaced(data: bytes, start: int, end: int) -> View:
    def write(builder: ViewBuilder) -> None:
        for at in range(start, min(end, start + MOST_DECODED), 3):
            builder.write(bytes([int(data[at : at + 2], 16)]), at, 2)

    return _around(data, start, end, write)


def _join(data: bytes, start: int, end: int) -> View:
    def write(builder: ViewBuilder) -> None:
        at = start
        for joint in _JOINT.finditer(data, start, end):
            builder.copy(at, joint.start())
            at = joint.end()
        builder.copy(at, end)

    return _around(data, start, min(end, start + VIEW_AROUND), write)


class _Base64View(View):
    """Three bytes for four characters; `wide`: two bytes for each letter, as UTF-16 has them."""

    def __init__(self, text: bytes, start: int, *, wide: bool) -> None:
        super().__init__(text, [0], [(start, 1)])
        self._start, self._wide = start, 2 if wide else 1

    def origin(self, start: int, end: int) -> tuple[int, int]:
        first, last = start * self._wide, end * self._wide
        return self._start + first // 3 * 4, self._start + -(-last // 3) * 4


def _decode_base64(data: bytes, start: int, end: int) -> View | None:
    """None unless it is text."""
    written = data[start : min(end, start + MOST_DECODED)].rstrip(b"=")
    try:
        plain = base64.b64decode(written[: len(written) // 4 * 4])
    except binascii.Error:
        return None
    wide = plain[1:32:2] == b"\0" * len(plain[1:32:2])
    text = plain[::2] if wide else plain
    return _Base64View(text, start, wide=wide) if _is_text(text) else None


def _is_text(text: bytes) -> bool:
    return not text.translate(None, bytes([9, 10, 13, *range(32, 127)]))
