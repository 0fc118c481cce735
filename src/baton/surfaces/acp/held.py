"""A conversation that another process holds is waited for, within bounds, and the person is told once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

PATIENCE = 40.0
OFTEN = 0.25
HELD = "This conversation is held by {owner}: another Baton is at work on it, or died a moment ago. Waiting for it."


class Held:
    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._deadline = time.monotonic() + PATIENCE
        self._told = False

    async def worth_waiting(self, owner: str) -> bool:
        """Waits a moment; False once that has been tried long enough."""
        if time.monotonic() > self._deadline:
            return False
        if not self._told:
            self._say(HELD.format(owner=owner))
            self._told = True
        await asyncio.sleep(OFTEN)
        return True
