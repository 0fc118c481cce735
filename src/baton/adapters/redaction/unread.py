"""The places of a text that nobody looks at because it has too many: what goes there, and what need not be asked for.

Values go without a look and names stay: nothing slips through for lack of time, and what is left still says what the
text was about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.span import UNREAD, UNSEEN, Span, new_span
from baton.adapters.redaction.thresholds import CARRIER_AHEAD, LONGEST_TYPED, SHORTEST_ANYWHERE, UNREAD_BACK


class UnreadPlaces:
    """Of one text: each with where it ends and how far its value may reach. What layers leave unread comes together
    here, so that none asks for a line that goes anyway.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.places: list[tuple[int, int]] = []
        self._covered = bytearray()

    def add(self, end: int, stop: int) -> None:
        if not self._covered:
            self._covered = bytearray(len(self._data) + 1)
        back = max(0, end - UNREAD_BACK)
        start = max(back, self._data.rfind(b"\n", back, max(0, end - 1)) + 1)
        self._covered[start:stop] = b"\1" * (stop - start)
        self.places.append((end, stop))

    def without_covered(self, hits: Sequence[tuple[int, int]], below: int) -> Sequence[tuple[int, int]]:
        """The hits but for those on lines that go anyway, with the next line too where a value may stand `below`."""
        covered = self._covered
        if not covered:
            return hits
        if not below:
            return [hit for hit in hits if not covered[hit[1]]]
        find, near = self._data.find, CARRIER_AHEAD
        return [
            hit
            for hit in hits
            if not (covered[end := hit[1]] and ((line := find(b"\n", end, end + near)) < 0 or covered[line + 1]))
        ]

    def stops(self) -> dict[int, int]:
        """Where lines end that go unread, and the first place on them."""
        return {stop: end for end, stop in reversed(self.places)}

    def values(self) -> list[Span]:
        """All that is no name on the lines of these places, whole or from shortly before the place in a very long
        line.
        """
        data = self._data
        found: list[Span] = []
        done = -1
        for end, stop in sorted(self.places):
            if stop <= done:
                continue
            line = data.rfind(b"\n", 0, max(0, end - 1)) + 1
            start = max(line, done, end - UNREAD_BACK)
            while start < stop:
                last = data.find(b"\n", start, stop)
                last = stop if last < 0 else last
                one = _ONE.match(data, start, last) if start == line else None
                if one and not _IS_MIXED.match(data, start, last):
                    found.append(new_span(Span, (*one.span(1), UNSEEN, UNREAD)))
                else:
                    found += _values(data, start, last, is_line=start == line)
                start = line = last + 1
            done = stop
        return found


_AROUND = b" \t\r\"'`,;{}[]()<>"
_STRONG = (
    rb"(?:pass(?:w(?:or)?d|wd|phrase|code)?|pwd|secret|token|(?:api|access|private)[_ -]?key|key|credentials?|auth)"
)
_FIRST = re.compile(
    rb"""[ \t]*+(?:[-*+>#;/]{1,3}+[ \t]++)*+(?:(?:export|ENV|set)[ \t]++)?+["'`{<\[]{0,3}+[A-Za-z_][\w.$-]{0,60}+"""
    rb"""["'`\]]{0,2}+[ \t]*+(?:=>|:=|[=:>])(?=[ \t]*+[^\s=])"""
)
"""The name at the beginning of a line; not a value that only ends like one, as base64 does."""
_LATER = re.compile(
    rb"""(?i)(?<=[\s,;{&?(|>])(?:["'`<]{0,2}[\w.-]{0,40}"""
    + _STRONG
    + rb"""[\w.-]{0,40}["'`\]]{0,2}[ \t]{0,4}(?:=>|:=|[=:>]|%3[AaDd])|-{1,2}[\w-]{0,24}"""
    + _STRONG
    + rb"""[ \t]|"""
    + _STRONG
    + rb"(?=[ \t]))"
)
_WORD = re.compile(rb"""[ \t"'`]*+[^\s,;&|]++""")
_IS_MIXED = re.compile(rb"(?=\S{0,60}[0-9])(?=\S{0,60}[A-Z])(?=\S{0,60}[a-z])[\w.$-]{24}")
"""A token before an equals sign, and no name."""
_ONE = re.compile(_FIRST.pattern + rb"""[ \t"'`]*+([^\s"'`,;&|<>(){}\[\]]++)["'`,;]*+[ \t\r]*+\Z""")
"""A line with one name and one word, as most are."""


def unread_again(data: bytes, spans: Iterable[Span]) -> Iterator[Span]:
    """Where else random words stand that were cut without a look: as whole words, for nothing else is known of them."""
    unread = [data[start:end] for start, end, layer, _ in spans if layer == UNSEEN and end - start <= LONGEST_TYPED]
    values = {value for value in {*unread} if len(value) >= SHORTEST_ANYWHERE and _WORDS.fullmatch(value)}
    words = data.translate(_APART).split() if values else []
    if sum(map(values.__contains__, words)) <= sum(map(values.__contains__, unread)):
        return
    again = Counter(filter(values.__contains__, words)) - Counter(unread)
    values = {value for value in again if _SHOWN.fullmatch(value)}
    for found in _WORDS.finditer(data) if values else ():
        if found.group() in values:
            yield new_span(Span, (*found.span(), UNSEEN, UNREAD))


_BETWEEN = b" \t\r\n\x0b\x0c\"'`,;:=<>(){}[]|&"
_APART = bytes(0x20 if byte in _BETWEEN else byte for byte in range(256))
_SHOWN = re.compile(rb"(?=[^0-9]*+[0-9])(?=[^A-Za-z]*+[A-Za-z])[^./\\-]++")
"""Letters and digits in one piece: no host, path or name of several words."""
_WORDS = re.compile(rb"[^%b]++" % re.escape(_BETWEEN))


def _values(data: bytes, start: int, stop: int, *, is_line: bool) -> Iterator[Span]:
    name = _FIRST.match(data, start, stop) if is_line else None
    at = name.end() if name and not _IS_MIXED.match(name.group()) else start
    while at < stop:
        word = _WORD.match(data, at, stop)
        name = _LATER.search(data, word.end() if word else at, stop)
        last = name.start() if name else stop
        span = _trimmed(data, at, last)
        if span is not None:
            yield span
        at = name.end() if name else stop


def _trimmed(data: bytes, start: int, end: int) -> Span | None:
    """Without the blanks, quotes and brackets around it; None if nothing else is there."""
    while start < end and data[start] in _AROUND:
        start += 1
    while end > start and data[end - 1] in _AROUND:
        end -= 1
    return new_span(Span, (start, end, UNSEEN, UNREAD)) if end > start else None
