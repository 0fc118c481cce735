"""How closely a text is looked at: so many places, and what becomes of the others.

A close look takes some 50 µs, and a text can be made of nothing but places that want one. Ordinary text has a fifth of
what is allowed. Behind that, values go without a look and names stay: nothing slips through for lack of time, and what
is left still says what the text was about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from baton.adapters.redaction.span import UNREAD, UNSEEN, Span, new_span
from baton.adapters.redaction.thresholds import (
    BYTES_A_LOOK,
    LOOKS_ALIKE,
    MOST_LOOKS,
    SAME_LOOK_AHEAD,
    SAME_LOOK_BACK,
    UNREAD_BACK,
)


class Work:
    """The looks that a layer has left for one text. It asks before each, after it has left out what needs none.

    `looks` is how many it has at least. Once a place is unread, so is the rest of its line: nothing there is asked for
    again.
    """

    def __init__(self, data: bytes, unread: list[int], looks: int = MOST_LOOKS) -> None:
        self._data = data
        self._left = max(looks, len(data) // BYTES_A_LOOK)
        self._alike = self._left * LOOKS_ALIKE
        self._seen: set[bytes] = set()
        self._unread = unread
        self._from, self._to = 0, -1

    def allows(self, end: int) -> bool:
        """Whether the place that ends there may be looked at. The same words again count little."""
        if self._from <= end <= self._to:
            return False
        around = self._data[max(0, end - SAME_LOOK_BACK) : end + SAME_LOOK_AHEAD]
        if around in self._seen:
            self._alike -= 1
            if self._alike > 0:
                return True
        elif self._left > 0:
            self._left -= 1
            self._seen.add(around)
            return True
        self._leave(end)
        return False

    def gives_up(self, end: int) -> bool:
        """Whether all looks are used up and the place has to go unread: a quick answer, before anything is read."""
        return self._left <= 0 and not self.allows(end)

    def _leave(self, end: int) -> None:
        self._unread.append(end)
        line = self._data.find(b"\n", end)
        self._from, self._to = end, len(self._data) if line < 0 else line


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
_AROUND = b" \t\r\"'`,;{}[]()<>"


def unread_values(data: bytes, ends: Iterable[int]) -> Iterator[Span]:
    """All that is no name on the lines of these places, whole or from shortly before the place in a very long line."""
    stop = -1
    for end in sorted(ends):
        if end <= stop:
            continue
        line = data.rfind(b"\n", 0, end) + 1
        start = max(line, stop, end - UNREAD_BACK)
        stop = data.find(b"\n", end)
        stop = len(data) if stop < 0 else stop
        yield from _values(data, start, stop, is_line=start == line)


_ONE = re.compile(_FIRST.pattern + rb"""[ \t"'`]*+([^\s"'`,;&|<>(){}\[\]]++)["'`,;]*+[ \t\r]*+\Z""")
"""A line with one name and one word, as most are."""


def _values(data: bytes, start: int, stop: int, *, is_line: bool) -> Iterator[Span]:
    if is_line and (one := _ONE.match(data, start, stop)):
        yield new_span(Span, (*one.span(1), UNSEEN, UNREAD))
        return
    name = _FIRST.match(data, start, stop) if is_line else None
    at = name.end() if name else start
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
