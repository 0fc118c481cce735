"""How closely a text is looked at: so much work, and what becomes of the places behind it.

A close look takes some 50 µs, and a text can be made of nothing but places that want one. All layers and passes draw
from one budget, which only texts of very many secrets spend. Behind it, values go without a look and names stay:
nothing slips through for lack of time, and what is left still says what the text was about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from baton.adapters.redaction.span import UNREAD, UNSEEN, Span, new_span
from baton.adapters.redaction.thresholds import (
    CARRIER_AHEAD,
    FIND,
    LONGEST_TYPED,
    MEGABYTE,
    MOST_EMPTY_LINES,
    MOST_FINDS,
    MOST_WORK,
    SHORTEST_ANYWHERE,
    UNREAD_BACK,
)


class Budget:
    """What one text may cost: all layers and passes draw from it. It is counted: the same text is cut the same way."""

    def __init__(self, size: int) -> None:
        share = max(1.0, size / MEGABYTE)
        self._left = int(MOST_WORK * share)
        self._finds = int(MOST_FINDS * share)
        self.is_spent = False

    def takes(self, price: int) -> bool:
        """Whether there is enough left, which is spent then. What is spent once stays so."""
        self._left -= price
        self.is_spent = self._left < 0
        return not self.is_spent

    def judges(self) -> bool:
        """Whether what a layer found is looked at once more, and looked for elsewhere."""
        self._finds -= 1
        self.takes(FIND)
        return self._finds >= 0


Unread = tuple[int, int]
"""Where a place ends that goes without a look, and how far its value may reach."""


class Work:
    """A layer's looks at one text. It asks before each, after it has left out what needs none.

    Once a place is unread, so is the rest of its line and what a value may stand on below: nothing there is asked for
    again.
    """

    def __init__(self, data: bytes, unread: list[Unread], budget: Budget, price: int, found: Sequence[Span]) -> None:
        """`price` is what a look costs, `found` what other layers found before."""
        self._data = data
        self._budget = budget
        self._price = price
        self._found = found
        self._unread = unread
        self._from, self._to = 0, -1

    def allows(self, end: int, lines: int = 0) -> bool:
        """Whether the place that ends there may be looked at. `lines` with something on them, from the place on, may
        have its value: none says that nothing below the place has.
        """
        if self.is_unread(end):
            return False
        if self._budget.takes(self._price):
            return True
        self._from, self._to = end, _end_of(self._data, end, lines)
        self._unread.append((end, self._to))
        return False

    def is_unread(self, end: int) -> bool:
        return self._from <= end <= self._to

    def gives_up(self, end: int, lines: int = 0) -> bool:
        """Whether all is spent and the place has to go unread: a quick answer, before anything is read."""
        return self._budget.is_spent and not self.allows(end, lines)

    def judges(self) -> bool:
        """Whether a value may be judged whose place is known: if not, it goes without."""
        return self._budget.takes(self._price)

    def leaves_unread(self, start: int, end: int) -> bool:
        """Whether all lines there go unread because of other layers' places."""
        if not self._budget.is_spent:
            return False
        while start < end:
            line = self._data.find(b"\n", start)
            line = len(self._data) if line < 0 else line
            place = self._stops.get(line)
            if place is None or start < place - UNREAD_BACK:
                return False
            start = line + 1
        return True

    @cached_property
    def _stops(self) -> dict[int, int]:
        """Where lines end that go unread, and the first place on them."""
        return {stop: end for end, stop in reversed(self._unread)}

    def has_found(self, start: int, end: int) -> bool:
        """Whether another layer found that, up to the same end."""
        return self._starts.get(end, end) <= start

    @cached_property
    def _starts(self) -> dict[int, int]:
        return {span.end: span.start for span in self._found}


_AROUND = b" \t\r\"'`,;{}[]()<>"
_OPENING = b" \t\r\"'`{[(<|>\\"
"""What may stand on a line whose value comes below."""


def _end_of(data: bytes, at: int, lines: int) -> int:
    """The end of the line, or of as many as have something on them and begin near by; of empty ones only a few are
    passed over.
    """
    near = at + CARRIER_AHEAD
    for _ in range(lines + MOST_EMPTY_LINES):
        end = data.find(b"\n", at)
        if end < 0:
            return len(data)
        lines -= data[at:end].strip(_OPENING) != b""
        if lines <= 0 or end > near:
            return end
        at = end + 1
    return at - 1


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


def unread_values(data: bytes, places: Iterable[Unread]) -> list[Span]:
    """All that is no name on the lines of these places, whole or from shortly before the place in a very long line."""
    found: list[Span] = []
    done = -1
    for end, stop in sorted(places):
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
