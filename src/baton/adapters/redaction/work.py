"""How closely a text is looked at: so much work, and no more.

A close look takes some 50 µs, and a text can be made of nothing but places that want one. All layers and passes draw
from one budget, which only texts of very many secrets spend. What becomes of the places behind it: `unread`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from baton.adapters.redaction.span import Span
from baton.adapters.redaction.thresholds import (
    CARRIER_AHEAD,
    FIND,
    MEGABYTE,
    MOST_EMPTY_LINES,
    MOST_FINDS,
    MOST_WORK,
    UNREAD_BACK,
)
from baton.adapters.redaction.unread import UnreadPlaces


class Budget:
    """What one text may cost: all layers and passes draw from it. It is counted: the same text is cut the same way."""

    def __init__(self, size: int, finds: int = MOST_FINDS) -> None:
        """`finds`: how many are looked at once more; of what is to be remembered, more than of what is only cut, and
        their price with them.
        """
        share = max(1.0, size / MEGABYTE)
        self._left = int((MOST_WORK + FIND * (finds - MOST_FINDS)) * share)
        self._finds = int(finds * share)
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


class Work:
    """A layer's looks at one text. It asks before each, after it has left out what needs none.

    Once a place is unread, so is the rest of its line and what a value may stand on below: nothing there is asked for
    again.
    """

    def __init__(self, data: bytes, unread: UnreadPlaces, budget: Budget, price: int, found: Sequence[Span]) -> None:
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
        self._leave(end, lines)
        return False

    @property
    def is_spent(self) -> bool:
        return self._budget.is_spent

    def leave(self, ends: Iterable[int], lines: int = 0) -> None:
        """All these places go unread, in order: what `allows` says of each once all is spent, for less."""
        for end in ends:
            if not self._from <= end <= self._to:
                self._leave(end, lines)

    def _leave(self, end: int, lines: int) -> None:
        self._from, self._to = end, _end_of(self._data, end, lines)
        self._unread.add(end, self._to)

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
        return self._unread.stops()

    def has_found(self, start: int, end: int) -> bool:
        """Whether another layer found that, up to the same end."""
        return self._starts.get(end, end) <= start

    @cached_property
    def _starts(self) -> dict[int, int]:
        return {span.end: span.start for span in self._found}


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
