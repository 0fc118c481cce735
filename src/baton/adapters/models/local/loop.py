"""A small model that has lost the thread says the same thing over and over; this notices."""

from __future__ import annotations

_TIMES = 8
_LEAST = 400
_LONGEST = 120
_TAIL = max(_LEAST, _TIMES * _LONGEST)
_EVERY = 40


class Loop:
    """Feed it what a model writes. It is a loop once the same characters came eight times in a row and are, together,
    more than any table or rule would have.

    The alternative, to make repeated words less likely, was measured: it also takes away the words that a call or a
    copied line of code has to repeat.
    """

    def __init__(self) -> None:
        self._tail = ""
        self._new = 0

    def feed(self, text: str) -> bool:
        """True if the model goes round in circles."""
        self._tail = (self._tail + text)[-_TAIL:]
        self._new += len(text)
        if self._new < _EVERY or len(self._tail) < _LEAST:
            return False
        self._new = 0
        return any(self._repeats(length) for length in range(1, _LONGEST + 1))

    def _repeats(self, length: int) -> bool:
        times = max(_TIMES, -(-_LEAST // length))
        return self._tail.endswith(self._tail[-length:] * times)
