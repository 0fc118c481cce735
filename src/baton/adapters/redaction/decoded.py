"""Views of what is written in another way: escapes, entities, hexadecimal, percent signs, base64, strings in pieces.

A view is read once; what is encoded inside it is not decoded again, so that no nesting can make it slow. Stretches that
lie near each other are one view, so that all views together are about as long as the text.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping

from baton.adapters.redaction.views import ShrunkView, View, ViewBuilder, ViewsTogether

_NEAR = 80
"""How much of the plain text around it is shown: the name beside a value."""
_FAR = 480
"""Between two stretches: beyond it, two views cost less than one with all that stands between them."""
_LONGEST_LINK = 512
"""Behind a percent sign that tells of a value: as long as a password in a link may be."""


def decoded_views(data: bytes) -> list[View]:
    """All of them one below the other, in one view: however many there are, they are read once."""
    views = [*_views_of_runs(data), *_views_of_percents(data)]
    return [ViewsTogether(views)] if views else []


_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")
_TELLING = re.compile(rb"%(?:3[AaDd]|40)")
"""Colons, equals signs and ats: what parts a name from a value."""


def _views_of_percents(data: bytes) -> Iterator[View]:
    """Links in which a sign that parts names from values is encoded, and what else is encoded near it."""
    first = last = -1
    for found in _TELLING.finditer(data) if b"%" in data else ():
        if first >= 0 and found.start() - last > _LONGEST_LINK + _FAR:
            yield _without_percents(data, first, last)
            first = -1
        first, last = found.start() if first < 0 else first, found.start()
    if first >= 0:
        yield _without_percents(data, first, last)


def _without_percents(data: bytes, first: int, last: int) -> View:
    start, end = max(0, first - _NEAR), min(len(data), last + _LONGEST_LINK)
    return ShrunkView(data, start, end, _PERCENT, _byte)


_BYTES = {form % byte: bytes([byte]) for byte in range(256) for form in (b"%02x", b"%02X")}


def _byte(unit: re.Match[bytes]) -> bytes:
    digits = unit[1]
    return _BYTES.get(digits) or bytes([int(digits, 16)])


_RUNS = bytes(0x61 if (chr(byte).isalnum() and byte < 128) or byte in b"+/" else 0x20 for byte in range(256))
_PAIRS = bytes(0x68 if byte in b"0123456789abcdefABCDEF" else byte if byte == 0x20 else 0x2E for byte in range(256))
_SHORTEST_RUN, _SHORTEST_PAIRS = b"a" * 32, b"hh " * 11
_LEADS = bytes(0x61 if byte in b"AIJKLMNOPQRSTUVWXYZabcdef" else 0x20 for byte in range(256))
_LED = b"a" * 8
"""What the base64 of a letter or a digit begins with, as often in a row as it takes."""
_BYTES_A_RUN = 2_000
"""Fewer runs than one in so many bytes are searched one by one. Measured: four passes over a text take as long."""
_BASE64 = re.compile(rb"(?:[AI-Za-f][A-Za-z0-9+/]{3}){8,}+[A-Za-z0-9+/]{0,3}={0,2}")
_SPACED = re.compile(rb"(?:[0-9a-f]{2} ){11,}+[0-9a-f]{2}|(?:[0-9A-F]{2} ){11,}+[0-9A-F]{2}")
_UNITS: Mapping[str, re.Pattern[bytes]] = {
    "escapes": re.compile(rb"\\x[0-9A-Fa-f]{2}(?:\\x[0-9A-Fa-f]{2}){5,}+"),
    "points": re.compile(rb"\\u00[0-9A-Fa-f]{2}(?:\\u00[0-9A-Fa-f]{2}){5,}+"),
    "joint": re.compile(rb"""\"[ \t]*+[+.&][ \t]*+(?:\r?\n[ \t]*+)?["'](?=[A-Za-z0-9_.-]{3})"""),
    "single joint": re.compile(rb"""'[ \t]*+[+.&][ \t]*+(?:\r?\n[ \t]*+)?["'](?=[A-Za-z0-9_.-]{3})"""),
}
_SIGNS = {"escapes": b"\\", "points": b"\\", "joint": b'"', "single joint": b"'"}
"""Each begins with a plain sign, which the library looks for as fast as memory is read; twenty times as fast if it is
asked for nothing else."""
_ENTITIES = re.compile(rb"&#(?:[xX][0-9A-Fa-f]{2,4}|[0-9]{2,3});(?:&#(?:[xX][0-9A-Fa-f]{2,4}|[0-9]{2,3});){5,}+")
_ENTITY = re.compile(rb"(?:&#[0-9]{2};)++|(?:&#[0-9]{3};)++|(?:&#[xX][0-9A-Fa-f]{2};)++|&#[xX]?[0-9A-Fa-f]++;")
"""Units of one length in a row, so that they are decoded at once."""
_DIFF = re.compile(rb"\n[+-][ \t]*+(?=[A-Za-z0-9]{6}[A-Za-z0-9_+/=.-]*+(?!:))")
_BEFORE_JOINT, _BEFORE_DIFF = re.compile(rb"[A-Za-z0-9_.-]{3}"), re.compile(rb"[A-Za-z0-9_-]{12}")

Run = tuple[int, int, str]
"""Where something encoded begins and ends, and how it is encoded."""


def _runs(data: bytes) -> Iterator[Run]:
    """Ordinary text is searched for plain bytes only, which is ten times as fast as any expression."""
    for kind, form in _UNITS.items():
        for found in form.finditer(data) if _SIGNS[kind] in data else ():
            start, end = found.span()
            if not kind.endswith("joint"):
                yield start, end, kind
            elif _BEFORE_JOINT.fullmatch(data, max(0, start - 3), start):
                yield start, end, "joint"
    for found in _ENTITIES.finditer(data) if b"&" in data else ():
        yield from ((*each.span(), "entities") for each in _ENTITY.finditer(data, *found.span()))
    for found in _DIFF.finditer(data) if b"\n+" in data or b"\n-" in data else ():
        start, end = found.span()
        start -= data[start - 1 : start] == b"\r"
        if _BEFORE_DIFF.fullmatch(data, max(0, start - 12), start) and not _is_in_data(data, start):
            yield start, end, "joint"
    yield from _runs_in_stretches(data)


_LONGEST_OF_DATA = 121


def _is_in_data(data: bytes, at: int) -> bool:
    """Whether the line that ends there belongs to no diff: a rule of dashes, or base64 whose next line happens to begin
    with a plus and is as long.
    """
    if data[at - 3 : at] == b"---":
        return True
    first = data.rfind(b"\n", max(0, at - _LONGEST_OF_DATA), at) + 1
    begin = data.find(b"\n", at) + 1
    last = data.find(b"\n", begin, begin + _LONGEST_OF_DATA)
    return data[first : first + 1] not in (b"+", b"-") and at - first == last - begin


def _runs_in_stretches(data: bytes) -> Iterator[Run]:
    for start, end in _stretches(data.translate(_PAIRS), _SHORTEST_PAIRS, b"."):
        yield from ((*found.span(), "spaced") for found in _SPACED.finditer(data, start, end))
    drawn = data.translate(_RUNS)
    many = drawn.count(_SHORTEST_RUN) * _BYTES_A_RUN > len(data)
    for start, end in sorted(_led_stretches(data, drawn)) if many else _stretches(drawn, _SHORTEST_RUN, b" "):
        yield from ((*found.span(), "base64") for found in _BASE64.finditer(data, start, end))


def _stretches(drawn: bytes, sign: bytes, other: bytes) -> Iterator[tuple[int, int]]:
    """What the sign begins in a text with one letter for each class, up to the other letter and one more."""
    at = drawn.find(sign)
    while at >= 0:
        end = drawn.find(other, at)
        end = len(drawn) if end < 0 else end
        yield at, min(len(drawn), end + 2)
        at = drawn.find(sign, end)


def _led_stretches(data: bytes, drawn: bytes) -> set[tuple[int, int]]:
    """The stretches in which enough characters that text can begin with stand four apart, as in hashes they hardly ever
    do. Found in four passes over the text, however many stretches it has.
    """
    leads = data.translate(_LEADS)
    found: set[tuple[int, int]] = set()
    for phase in range(4):
        every_fourth = leads[phase::4]
        at = every_fourth.find(_LED)
        while at >= 0:
            place = phase + 4 * at
            begin = drawn.find(_SHORTEST_RUN, drawn.rfind(b" ", 0, place) + 1)
            if begin < 0:
                break
            if begin <= place:
                end = drawn.find(b" ", place)
                end = len(drawn) if end < 0 else end
                found.add((begin, min(len(drawn), end + 2)))
                begin = end
            at = every_fourth.find(_LED, (begin - phase + 3) // 4)
    return found


def _views_of_runs(data: bytes) -> Iterator[View]:
    reading: _Reading | None = None
    for start, end, kind in sorted(_runs(data)):
        if reading is None or start - reading.end > _FAR:
            if reading is not None:
                yield from reading.views()
            reading = _Reading(data, start)
        if start >= reading.end:
            reading.write(start, end, kind)
    if reading is not None:
        yield from reading.views()


class _Reading:
    """One view that is being built, from its first run on. `end` is how far the text is read."""

    def __init__(self, data: bytes, first: int) -> None:
        self._data = data
        self._builder = ViewBuilder(data)
        self._differs = False
        self._in_base64 = False
        self.end = max(0, first - _NEAR)

    def views(self) -> Iterator[View]:
        """The view, with what stands behind it; none if it is the text itself."""
        if self._differs:
            self._copy_to(min(len(self._data), self.end + _NEAR))
            yield self._builder.build()

    def write(self, start: int, end: int, kind: str) -> None:
        """Writes what a run stands for."""
        if kind == "base64":
            self._write_base64(start, end)
            return
        self._copy_to(start)
        if kind == "spaced":
            self._builder.write(bytes.fromhex(self._data[start:end].decode("ascii")), start, 3, gap=1)
        elif kind != "joint":
            plain = _DECODERS[kind](self._data[start:end])
            self._builder.write(plain, start, (end - start) // len(plain))
        self.end = end
        self._differs = True

    def _write_base64(self, start: int, end: int) -> None:
        """On lines of its own: what stands around it is not said in it. Lines in a row are one text."""
        decoded = _text_of(self._data[start:end])
        if decoded is None:
            return
        plain, wide = decoded
        if not self._goes_on(start):
            self._copy_to(start)
            self._builder.write(b"\n\n", start, 0, gap=-1)
        self._builder.write_groups(plain, start, end, many=2 if wide else 1)
        self.end = end
        self._differs = self._in_base64 = True

    def _goes_on(self, start: int) -> bool:
        """Whether the base64 before was broken off by the end of its line."""
        between = self._data[self.end : start]
        whole = self._data[self.end - 1 : self.end] != b"="
        return self._in_base64 and whole and between.count(b"\n") == 1 and not between.strip()

    def _copy_to(self, start: int) -> None:
        if self._in_base64:
            self._builder.write(b"\n\n", self.end - 1, 0, gap=-1)
            self._in_base64 = False
        self._builder.copy(self.end, start)


def _escapes(run: bytes) -> bytes:
    return bytes.fromhex(run.replace(b"\\x", b"").decode("ascii"))


def _points(run: bytes) -> bytes:
    return bytes.fromhex(run.replace(b"\\u00", b"").decode("ascii"))


def _entities(run: bytes) -> bytes:
    return b"".join(_character(each) for each in run[2:-1].split(b";&#"))


_DECODERS: Mapping[str, Callable[[bytes], bytes]] = {"escapes": _escapes, "points": _points, "entities": _entities}


def _character(written: bytes) -> bytes:
    """One byte for each unit, whatever it stands for."""
    point = int(written[1:], 16) if written[:1] in b"xX" else int(written)
    return bytes([point]) if point < 128 else b"?"


def _text_of(coded: bytes) -> tuple[bytes, bool] | None:
    """What base64 stands for, and whether that was UTF-16; None unless it is text."""
    written = coded.rstrip(b"=")
    try:
        plain = base64.b64decode(written + b"=" * (-len(written) % 4) if len(written) % 4 != 1 else written[:-1])
    except binascii.Error:
        return None
    wide = plain[1:32:2] == b"\0" * len(plain[1:32:2])
    text = plain[::2] if wide else plain
    return (text, wide) if _is_text(text) else None


_OF_TEXT = bytes([9, 10, 13, *range(32, 127)])


def _is_text(text: bytes) -> bool:
    return not text.translate(None, _OF_TEXT)
