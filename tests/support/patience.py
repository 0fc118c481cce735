"""How long tests wait: for what must come, and for a test to end. A machine with much else to do must not trip it.

Nothing here makes a passing test slower: who waits goes on as soon as it comes. What a test promises about time stays
in the test.
"""

from __future__ import annotations

PATIENCE = 300.0
"""Seconds to wait for what must come: less than most tests may take, so that the wait fails and says what for."""

_TIMES = 10
_LONGER = 900.0


def limit(seconds: float) -> float:
    """How long a test may take on a busy machine that takes less than `seconds` on an idle one; 0 is for ever."""
    return min(_TIMES * seconds, seconds + _LONGER)
