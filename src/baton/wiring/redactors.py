"""Redactors for a process that lives long: secrets that come to a workspace later are known soon."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from baton.ports.redactor import Redactor

FRESH = 10.0
"""Seconds after which `.env` files are read again."""


class Redactors:
    """One for each workspace, made anew by `make` when it is no longer fresh."""

    def __init__(self, make: Callable[[str], Redactor], clock: Callable[[], float] = time.monotonic) -> None:
        self._make = make
        self._clock = clock
        self._made: dict[str, tuple[float, Redactor]] = {}

    def of(self, workspace: str) -> Redactor:
        at, found = self._made.get(workspace, (0.0, None))
        if found is None or self._clock() - at > FRESH:
            found = self._make(workspace)
            self._made[workspace] = self._clock(), found
        return found
