"""Views: the same text without what hides a secret from a pattern, and the way back to the original bytes.

Terminal escapes, invisible characters and lookalikes (full-width letters) are undone; matching happens in the view
and the original bytes are cut.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping

from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.thresholds import VIEW_AROUND, WRAPPED_HEAD, WRAPPED_TAIL

_ESCAPES = (
    rb"\x1b\[[0-?]*+[ -/]*+[@-~]"
    rb"|\x1b[\]PX^_][^\x07\x1b\n]*+(?:\x07|\x1b\\)?"
    rb"|\x1b[ -/]*+[0-~]?"
    rb"|\xc2\x9b[0-?]*+[ -/]*+[@-~]"
    rb"|[\x00-\x08\x0e-\x1f\x7f]++"
)
"""Each stops at the next escape and never backtracks: linear, and faster than google-re2 for so many matches."""
_WIDE = rb"((?:[\t\n\r -~]\x00){4,}+)"
_CONTROLS = bytes([*range(9), *range(14, 32), 127])
_INVISIBLE = (
    frozenset("\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u3164\ufeff\uffa0")
    | frozenset(map(chr, range(0x200B, 0x2010)))
    | frozenset(map(chr, range(0x202A, 0x202F)))
    | frozenset(map(chr, range(0x2060, 0x2070)))
    | frozenset(map(chr, range(0xFE00, 0xFE10)))
    | frozenset(map(chr, range(0xE0000, 0xE01F0)))
)
_BREAKS = Expression(r"[ \t]*(?:\\\r?\n|\r?\n|\\r\\n|\\n)[ \t]*")
_JOINT = rb"""(?<=[^\s"']["'])[ \t]*+(?:\.\.|[+.&])?+[ \t]*+\\?+(?:\r?\n)?+[ \t]*+[+>|-]?+[ \t]*+["'](?=[^\s"'])"""
_JOINTS = (re.compile(b'"' + _JOINT), re.compile(b"'" + _JOINT), re.compile(rb"\n[+>|-][ \t]*+"))
"""Between two literals that are put together, and where a diff or a quotation breaks a line."""
_RUN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=$.-")
_ASCII = bytes(range(128))
_BLANKS = b" \t\r\n\\"
_JOINING = _BLANKS + b"\"'+.&>|-"
"""All that a joint can be made of."""


_Origin = tuple[int, int, int, int, int]
"""Where a stretch comes from: `start`, `unit`, `gap`, `many`, `of`. Each `of` of its bytes, `many` times, stand for
`unit` original ones from `start` on, of which the last `gap` part it from its neighbour. Every word may have one.
"""


class View:
    """Bytes to match in. `origin(start, end)` is the span of the original bytes behind a span of them."""

    def __init__(self, data: bytes, starts: list[int], origins: list[_Origin]) -> None:
        self.data = data
        self._starts = starts
        self._origins = origins

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """All original bytes behind the first byte and the last: one each, or as many as its character had."""
        starts = self._starts
        number = bisect_right(starts, start) - 1
        first, unit, _, many, of = self._origins[number]
        begin = first + (start - starts[number]) * many // of * unit
        number = bisect_right(starts, end - 1) - 1
        first, unit, gap, many, of = self._origins[number]
        return begin, first - (-(end - starts[number]) * many // of) * unit - gap


_APART = b"\n" * 320
"""Between views: further than a layer looks around a value, so that none speaks for its neighbour."""


class ViewsTogether(View):
    """Several views as one, far apart."""

    def __init__(self, views: list[View]) -> None:
        starts: list[int] = []
        length = 0
        for view in views:
            starts.append(length)
            length += len(view.data) + len(_APART)
        super().__init__(_APART.join(view.data for view in views), starts, [])
        self._views = views

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Of a span that reaches into the next view, its part in the first."""
        number = bisect_right(self._starts, start) - 1
        view, first = self._views[number], self._starts[number]
        size = len(view.data)
        start, end = min(start - first, size - 1), min(end - first, size)
        return view.origin(start, max(start + 1, end))


class ShrunkView(View):
    """A stretch in which each unit of three bytes is one. Places are worked out when asked for: units are many."""

    def __init__(
        self, data: bytes, start: int, end: int, unit: re.Pattern[bytes], shown: Callable[[re.Match[bytes]], bytes]
    ) -> None:
        stretch = data[start:end]
        starts = [found.start() - 2 * number for number, found in enumerate(unit.finditer(stretch))]
        super().__init__(unit.sub(shown, stretch), starts, [])
        self._first = start

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Two more bytes for each unit before the first byte, which may be one itself, and before the end."""
        starts = self._starts
        number = bisect_right(starts, start)
        is_unit = number > 0 and starts[number - 1] == start
        last = bisect_right(starts, end - 1)
        return self._first + start + 2 * (number - is_unit), self._first + end + 2 * last


class ViewBuilder:
    """Copies stretches of the original and rewrites others, one byte for each character."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._pieces: list[bytes] = []
        self._starts: list[int] = []
        self._origins: list[_Origin] = []
        self._length = 0

    def copy(self, start: int, end: int) -> None:
        if start < end:
            self._pieces.append(self._source[start:end])
            self._starts.append(self._length)
            self._origins.append((start, 1, 0, 1, 1))
            self._length += end - start

    def write(self, piece: bytes, start: int, stride: int, gap: int = 0) -> None:
        """Writes `piece` for the original from `start` on; each of its bytes stands for `stride` original ones, the
        last `gap` of which are not its own.
        """
        self._write(piece, (start, stride, gap, 1, 1))

    def write_groups(self, piece: bytes, start: int, end: int, many: int) -> None:
        """Writes `piece` for base64: three bytes, of which a letter has `many`, stand for four characters; the last
        ones for what is left.
        """
        whole = len(piece) * many // 3 * 3 // many
        self._write(piece[:whole], (start, 4, 0, many, 3))
        if whole < len(piece):
            rest = start + whole * many // 3 * 4
            self._write(piece[whole:], (rest, end - rest, 0, 1, len(piece) - whole))

    def _write(self, piece: bytes, origin: _Origin) -> None:
        self._pieces.append(piece)
        self._starts.append(self._length)
        self._origins.append(origin)
        self._length += len(piece)

    def build(self) -> View:
        return View(b"".join(self._pieces), self._starts, self._origins)


def readable_views(data: bytes) -> list[View]:
    """UTF-8 text as a reader sees it: a view of each place where that differs, with its surroundings."""
    odd = {} if data.isascii() else _odd(data.translate(None, _ASCII).decode("utf-8", "surrogatepass"))
    if not odd and len(data) == len(data.translate(None, _CONTROLS)):
        return []
    usual = str.maketrans(odd)
    wide = b"\0" in data
    views: list[View] = []
    builder, at = ViewBuilder(data), 0
    for match in _hiding_pattern(odd, wide=wide).finditer(data):
        start, end = match.span()
        if start - at > 2 * VIEW_AROUND:
            if at:
                builder.copy(at, at + VIEW_AROUND)
                views.append(builder.build())
            builder, at = ViewBuilder(data), start - VIEW_AROUND
        if at < start:
            builder.copy(at, start)
        if wide and match.lastindex == 1:
            builder.write(data[start:end:2], start, 2, gap=1)
        elif match.lastindex:
            shown = data[start:end].decode("utf-8", "surrogatepass").translate(usual).encode("ascii")
            builder.write(shown, start, (end - start) // len(shown))
        at = end
    builder.copy(at, min(len(data), at + VIEW_AROUND))
    return [*views, builder.build()]


def _hiding_pattern(odd: Mapping[str, str], *, wide: bool) -> re.Pattern[bytes]:
    """What a view leaves out, and in groups what it rewrites: runs of characters of one length, first those of two
    bytes, as UTF-16 has them.
    """
    unseen = [character for character, usual in odd.items() if not usual]
    parts = [_ESCAPES, _run(unseen)] if unseen else [_ESCAPES]
    for length in (2, 3, 4):
        shown = [character for character, usual in odd.items() if usual and len(character.encode()) == length]
        parts += [b"(" + _run(shown) + b")"] if shown else []
    return re.compile(b"|".join([_WIDE, *parts] if wide else parts))


def _run(characters: Iterable[str]) -> bytes:
    return b"(?:" + b"|".join(re.escape(each.encode()) for each in characters) + b")++"


def join_lines(data: bytes, start: int, end: int) -> View:
    """The stretch with its line breaks taken out, indentation included."""
    return _without_breaks(data, start, end, [match.span() for match in _BREAKS.finditer(data, start, end)])


def joined_views(data: bytes) -> list[View]:
    """The text as a program that puts its literals together reads it; nothing if it is the text itself."""
    joints = sorted(match.span() for form in _JOINTS for match in form.finditer(data))
    return [_without_breaks(data, 0, len(data), joints)] if joints else []


def join_tokens(data: bytes, start: int, first: int, end: int, most: int = 0) -> View:
    """The same, but only from `first` on, and only breaks between two long runs of letters and digits; `most` of them
    if it is not 0.
    """
    spans = [
        span for span in (match.span() for match in _BREAKS.finditer(data, first, end)) if _parts_a_run(data, *span)
    ]
    return _without_breaks(data, start, end, spans[:most] if most else spans)


def _without_breaks(data: bytes, start: int, end: int, breaks: list[tuple[int, int]]) -> View:
    builder = ViewBuilder(data)
    at = start
    for before, after in breaks:
        while before > at and data[before - 1] in _BLANKS:
            before -= 1
        builder.copy(at, before)
        at = max(at, after)
    builder.copy(at, end)
    return builder.build()


def _parts_a_run(data: bytes, before: int, after: int) -> bool:
    around = data[max(0, before - WRAPPED_TAIL) : before] + data[after : after + WRAPPED_HEAD]
    return len(around) == WRAPPED_TAIL + WRAPPED_HEAD and _RUN.issuperset(around)


def squeeze(data: bytes) -> bytes:
    """The text without blanks, line breaks and backslashes: for a quick search that no line break can mislead."""
    return data.translate(None, _BLANKS)


def crush(data: bytes) -> bytes:
    """The text without anything that `squeeze` or `joined_views` may leave out: what it does not hold, crushed, is in
    none of these forms.
    """
    return data.translate(None, _JOINING)


def unsqueeze(data: bytes, positions: list[int]) -> list[int]:
    """Where the bytes at these positions of `squeeze(data)`, in rising order, are in `data`."""
    answer: list[int] = []
    size, at, before = 512, 0, 0
    block = squeeze(data[:size])
    for position in positions:
        while position >= before + len(block):
            before += len(block)
            at += size
            block = squeeze(data[at : at + size])
        left = position - before
        for offset in range(at, at + size):
            if data[offset] in _BLANKS:
                continue
            if left == 0:
                answer.append(offset)
                break
            left -= 1
    return answer


def _odd(text: str) -> dict[str, str]:
    """The characters of the text that are invisible or look like others, and what a reader takes them for."""
    odd: dict[str, str] = {}
    for character in sorted(set(text)):
        if character in _INVISIBLE:
            odd[character] = ""
        elif (usual := unicodedata.normalize("NFKC", character)) != character and _visible(usual):
            odd[character] = usual
    return odd


def _visible(usual: str) -> bool:
    return len(usual) == 1 and usual.isascii() and not usual.isspace()
