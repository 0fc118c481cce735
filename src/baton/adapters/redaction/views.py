"""Views: the same text without what hides a secret from a pattern, and the way back to the original bytes.

Terminal escapes, characters nobody sees and lookalikes (full-width letters) are undone; matching happens in the view
and the original bytes are cut.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right

from baton.adapters.redaction.expression import Expression

_ESCAPES = (
    r"\x1b\[[0-?]*[ -/]*[@-~]"
    r"|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?"
    r"|\x1b[ -/]*[0-~]?"
    r"|\xc2\x9b[0-?]*[ -/]*[@-~]"
    r"|[\x00-\x08\x0e-\x1f\x7f]+"
)
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
_AROUND = 2048
_RUN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.-")
_TAIL, _HEAD = 12, 6
_ASCII = bytes(range(128))
_BLANKS = b" \t\r\n\\"


class View:
    """Bytes to match in. `origin(start, end)` is the span of the original bytes behind a span of them."""

    def __init__(self, data: bytes, starts: list[int] | None = None, origins: list[tuple[int, int]] | None = None):
        self.data = data
        self._starts = starts
        self._origins = origins or []

    def origin(self, start: int, end: int) -> tuple[int, int]:
        if self._starts is None:
            return start, end
        return self._place(start)[0], self._place(end - 1)[1]

    def _place(self, at: int) -> tuple[int, int]:
        """The original bytes behind one byte: itself, or the whole of what was rewritten."""
        assert self._starts is not None
        number = bisect_right(self._starts, at) - 1
        first, last = self._origins[number]
        if last >= 0:
            return first, last
        moved = first + at - self._starts[number]
        return moved, moved + 1


class _Builder:
    """Copies stretches of the original and writes others anew."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._pieces: list[bytes] = []
        self._starts: list[int] = []
        self._origins: list[tuple[int, int]] = []
        self._length = 0

    def copy(self, start: int, end: int) -> None:
        if start < end:
            self._add(self._source[start:end], (start, -1))

    def write(self, new: bytes, start: int, end: int) -> None:
        if new:
            self._add(new, (start, end))

    def done(self) -> View:
        return View(b"".join(self._pieces), self._starts, self._origins)

    def _add(self, piece: bytes, origin: tuple[int, int]) -> None:
        self._pieces.append(piece)
        self._starts.append(self._length)
        self._origins.append(origin)
        self._length += len(piece)


def plain(data: bytes) -> list[View]:
    """UTF-8 text as a reader sees it, wherever that differs: a view of each place with what is around it."""
    odd = {} if data.isascii() else _odd(data.translate(None, _ASCII).decode("utf-8", "surrogatepass"))
    if not odd and len(data) == len(data.translate(None, _CONTROLS)):
        return []
    found = Expression("|".join([_ESCAPES, *(_escaped(character) for character in odd)]))
    renderings = {character.encode("utf-8", "surrogatepass"): new for character, new in odd.items()}
    views: list[View] = []
    builder, at = _Builder(data), 0
    for match in found.finditer(data):
        start, end = match.span()
        if start - at > 2 * _AROUND:
            if at:
                builder.copy(at, at + _AROUND)
                views.append(builder.done())
            builder, at = _Builder(data), start - _AROUND
        builder.copy(at, start)
        builder.write(renderings.get(data[start:end], b""), start, end)
        at = end
    builder.copy(at, at + _AROUND)
    return [*views, builder.done()]


def joined(data: bytes, start: int, end: int) -> View:
    """The stretch with its line breaks taken out, indentation included."""
    return _joined(data, start, end, [match.span() for match in _BREAKS.finditer(data, start, end)])


def joined_tokens(data: bytes, start: int, first: int, end: int) -> View:
    """The same, but only from `first` on and where a break parts a long run of letters and digits from another."""
    spans = (match.span() for match in _BREAKS.finditer(data, first, end))
    return _joined(data, start, end, [span for span in spans if _parts_a_run(data, *span)])


def _joined(data: bytes, start: int, end: int, breaks: list[tuple[int, int]]) -> View:
    builder = _Builder(data)
    at = start
    for before, after in breaks:
        builder.copy(at, before)
        at = after
    builder.copy(at, end)
    return builder.done()


def _parts_a_run(data: bytes, before: int, after: int) -> bool:
    around = data[max(0, before - _TAIL) : before] + data[after : after + _HEAD]
    return len(around) == _TAIL + _HEAD and _RUN.issuperset(around)


def squeezed(data: bytes) -> bytes:
    """Without blanks, line breaks and backslashes, for a quick look: nothing is hidden by where lines break."""
    return data.translate(None, _BLANKS)


def unsqueezed(data: bytes, positions: list[int]) -> list[int]:
    """Where the bytes at these positions of `squeezed(data)`, in rising order, are in `data`."""
    answer: list[int] = []
    size, at, before = 512, 0, 0
    block = squeezed(data[:size])
    for position in positions:
        while position >= before + len(block):
            before += len(block)
            at += size
            block = squeezed(data[at : at + size])
        left = position - before
        for offset in range(at, at + size):
            if data[offset] in _BLANKS:
                continue
            if left == 0:
                answer.append(offset)
                break
            left -= 1
    return answer


def _odd(text: str) -> dict[str, bytes]:
    """The characters of the text that are invisible or stand for others, and what a reader takes them for."""
    odd: dict[str, bytes] = {}
    for character in set(text):
        if character in _INVISIBLE:
            odd[character] = b""
        elif (usual := unicodedata.normalize("NFKC", character)) != character and _visible(usual):
            odd[character] = usual.encode("ascii")
    return dict(sorted(odd.items()))


def _escaped(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogatepass"))


def _visible(usual: str) -> bool:
    return len(usual) == 1 and usual.isascii() and not usual.isspace()
