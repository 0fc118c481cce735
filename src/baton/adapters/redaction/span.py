"""Spans of bytes to be cut out, and the placeholders they leave."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, cast

from baton.adapters.redaction.thresholds import CUT_AROUND, LONGEST_UNREAD_NAME

TOKEN, KNOWN, CONTEXT, PERSONAL, UNSEEN = range(5)
"""Layers, the surest first: where spans overlap, the kind of the surest is shown."""

LINE = "line"
"""The kind of whole lines that are cut because cutting found no end."""
UNREAD = "value"
"""The kind of values that are cut without a look because the text has too many of them."""
UNLEARNT = "kubernetes-name"
"""The kind of what stands among secrets and names somebody: cut there, and looked for nowhere else."""

_PLACEHOLDER = re.compile(rb"\[redacted: ([a-z0-9-]{1,48})\]")
_OPENING = b"[redacted: "


class Span(NamedTuple):
    start: int
    end: int
    layer: int
    kind: str


new_span = cast("Callable[[type[Span], tuple[int, int, int, str]], Span]", tuple.__new__)
"""`Span(…)` in half the time, for what there may be a hundred thousand of."""


def unseen(span: Span) -> Span:
    """The same place, cut without a look: it is looked for nowhere else."""
    return new_span(Span, (span[0], span[1], UNSEEN, UNREAD))


@lru_cache(maxsize=1024)
def placeholder(kind: str) -> bytes:
    return b"[redacted: %b]" % kind.encode("ascii")


def find_placeholders(data: bytes, kinds: Collection[bytes]) -> list[tuple[int, int]]:
    """Where placeholders of these kinds already are. Others are text like any other, and may hide a secret."""
    if _OPENING not in data:
        return []
    return [found.span() for found in _PLACEHOLDER.finditer(data) if found[1] in kinds]


def mask(data: bytes, kept: Sequence[tuple[int, int]]) -> bytes:
    """The same length, with `kept` blanked out: the words of a placeholder say nothing about its neighbour."""
    pieces: list[bytes] = []
    at = 0
    for start, end in kept:
        pieces += (data[at:start], (b"[" + b"*" * (end - start - 2) + b"]")[: end - start])
        at = end
    return b"".join((*pieces, data[at:])) if kept else data


def stretches_unread(data: bytes, spans: Iterable[Span]) -> list[tuple[int, int]]:
    """Where values are cut without a look, together with the names between them on a line."""
    found: list[tuple[int, int]] = []
    for start, end in sorted((span.start, span.end) for span in spans if span.layer == UNSEEN):
        last = found[-1][1] if found else 0
        if found and start - last <= LONGEST_UNREAD_NAME and data.find(b"\n", last, start) < 0:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def subtract(spans: Iterable[Span], kept: Sequence[tuple[int, int]]) -> list[Span]:
    """The parts of `spans` that do not touch `kept`, both in order of their start."""
    if not kept:
        return list(spans)
    parts: list[Span] = []
    first = 0
    for start, end, layer, kind in spans:
        while first < len(kept) and kept[first][1] <= start:
            first += 1
        number, at = first, start
        while number < len(kept) and kept[number][0] < end:
            if at < kept[number][0]:
                parts.append(Span(at, kept[number][0], layer, kind))
            at = max(at, kept[number][1])
            number += 1
        if at < end:
            parts.append(Span(at, end, layer, kind))
    return parts


def merge(spans: Iterable[Span]) -> list[Span]:
    """Overlapping spans as one, with the kind of the surest layer; of equals the longest, then the first."""
    ordered = iter(sorted(spans))
    best = next(ordered, None)
    if best is None:
        return []
    together: list[Span] = []
    whole = best
    for each in ordered:
        if each.start >= whole.end:
            together.append(whole)
            best = whole = each
            continue
        if (each.layer, best.end - best.start) < (best.layer, each.end - each.start):
            best = each
        whole = Span(whole.start, max(whole.end, each.end), best.layer, best.kind)
    together.append(whole)
    return together


_GOES_ON = re.compile(rb"""(?:\\[nr])*["'`]?[ \t]*[+.]?[ \t]*\\?\r?\n[ \t]*["'`]?[ \t]*""")
_ARE_STRINGS = re.compile(rb"""(?:\\[nr])*(["'`]).*\1[ \t]*\Z""", re.S)
"""Between two lines of one value; strings that a comma parts are two."""


def join_lines(data: bytes, spans: Sequence[Span], kinds: Collection[str], further: Collection[str] = ()) -> list[Span]:
    """As one span what goes on over several lines, of these kinds, or over several strings, of any kind. `further` is
    what a later line is called that has no name of its own.
    """
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last is not None and span.kind in (last.kind, *further) and span.start - last.end <= CUT_AROUND:
            between = data[last.end : span.start]
            if _GOES_ON.fullmatch(between) and (span.kind in kinds or _ARE_STRINGS.match(between)):
                joined[-1] = last._replace(end=span.end)
                continue
        joined.append(span)
    return joined


def grow_to_whole_characters(data: bytes, spans: Iterable[Span]) -> list[Span]:
    """The spans, grown wherever they would split a UTF-8 character."""
    if data.isascii():
        return [each for each in spans if each.start < each.end]
    grown: list[Span] = []
    for start, end, layer, kind in spans:
        while start > 0 and start < len(data) and data[start] & 0xC0 == 0x80:
            start -= 1
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end += 1
        if start < end:
            grown.append(Span(start, end, layer, kind))
    return grown


def line_at(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Where the lines that contain these bytes begin and end."""
    last = data.find(b"\n", end)
    return data.rfind(b"\n", 0, start) + 1, len(data) if last < 0 else last


def cut(data: bytes, spans: Sequence[Span]) -> tuple[bytes, list[int]]:
    """`data` with a placeholder for each span, and where the placeholders are. Spans are in order, without overlap."""
    pieces: list[bytes] = []
    places: list[int] = []
    at = length = 0
    for start, end, _, kind in spans:
        sign = placeholder(kind)
        places.append(length + start - at)
        length += start - at + len(sign)
        pieces += (data[at:start], sign)
        at = end
    pieces.append(data[at:])
    return b"".join(pieces), places


def windows(data: bytes, places: Iterable[int]) -> list[tuple[int, int]]:
    """Stretches around the places, in whole lines unless lines are too long; those that meet become one."""
    found: list[tuple[int, int]] = []
    for place in places:
        start, end = max(0, place - CUT_AROUND), min(len(data), place + CUT_AROUND)
        if found and start <= found[-1][1] + CUT_AROUND:
            start = found.pop()[0]
        elif start:
            start = max(start, data.find(b"\n", start, place) + 1)
        line = data.rfind(b"\n", place, end)
        found.append((start, line + 1 if line > 0 and end < len(data) else end))
    return found
