"""Pauses between attempts: short at first, doubling up to a ceiling, with jitter so that no two clients stay in step."""

from __future__ import annotations

import asyncio
import random

_FIRST = 0.2
_LONGEST = 30.0


class Backoff:
    """Each pause is about twice the one before, up to half a minute, until `reset` says that something succeeded."""

    def __init__(self) -> None:
        self._next = _FIRST

    def reset(self) -> None:
        self._next = _FIRST

    def length(self) -> float:
        """The seconds to wait now; the next answer is longer."""
        longest, self._next = self._next, min(self._next * 2, _LONGEST)
        return random.uniform(longest / 2, longest)  # noqa: S311

    async def wait(self, at_least: float = 0.0) -> None:
        await asyncio.sleep(max(at_least, self.length()))
