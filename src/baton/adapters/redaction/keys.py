"""Private keys between `BEGIN` and `END` lines, also those cut off or written on one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.anchor import Anchor, Hit
from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.span import TOKEN, Span

KIND = "private-key"
_LONGEST = 65_536
_BEGIN = r"-{2,5} ?BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE|SECRET) KEY(?: BLOCK)?[A-Z0-9 ]{0,20} ?-{2,5}"
_END = r"-{2,5} ?END [A-Z0-9 ]{0,40}(?:PRIVATE|SECRET) KEY(?: BLOCK)?[A-Z0-9 ]{0,20} ?-{2,5}"
_BODY = finder(r"""(?:[A-Za-z0-9+/=\s]|\\[nrt]|[A-Za-z-]{4,20}: [^\n]{1,80}|["',>|&;#*%-])*""")


class KeyLayer:
    """Begins and ends are found in one pass and paired, so that a thousand begins cost what one does."""

    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(_BEGIN), Anchor(_END)]

    def kinds(self) -> Iterable[str]:
        return (KIND,)

    def spans(self, data: bytes, hits: Sequence[Hit]) -> Iterator[Span]:
        marks = sorted({(end, number) for number, end in hits})
        done = 0
        for index, (at, number) in enumerate(marks):
            if number != 0 or at <= done:
                continue
            end = self._end(data, at, marks, index)
            while end < len(data) and data[end] == 0x2D:
                end += 1
            done = end
            if _holds_a_key(data[at : min(end, at + 400)]):
                yield Span(_begin(data, at), end, TOKEN, KIND)

    def _end(self, data: bytes, at: int, marks: Sequence[tuple[int, int]], index: int) -> int:
        """The end line's end, or that of what still looks like a key; the same begin may be reported several times."""
        for later, number in marks[index + 1 : index + 8]:
            if number == 1 and later - at <= _LONGEST:
                return later
            if number == 0 and later - at > 12:
                break
        until = next((later - 20 for later, _ in marks[index + 1 : index + 8] if later - at > 40), len(data))
        body = _BODY.match(data, at, max(at, min(until, at + _LONGEST)))
        return at if body is None else body.end()


def _begin(data: bytes, at: int) -> int:
    start = data.rfind(b"BEGIN", max(0, at - 120), at)
    while start > 0 and data[start - 1] in b"- ":
        start -= 1
    return start


def _holds_a_key(body: bytes) -> bool:
    """More than the words around one."""
    return sum(byte > 0x20 and byte not in b'-\\nr"' for byte in body) >= 16
