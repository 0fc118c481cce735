"""HTTP connections that the models of one process share.

Loading certificates takes tens of milliseconds and half a megabyte, and so does each first handshake with a provider: a
process that speaks for a thousand conversations does it once.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from baton.adapters.models.background import Background
from baton.adapters.models.loading import load_plain

if TYPE_CHECKING:
    from baton.adapters.models.plain.line import Line


def open_line(timeout: float) -> Line:
    """Blocks while the HTTP library is imported."""
    load_plain().result()
    from baton.adapters.models.plain.line import Line

    return Line(timeout)


class Lines:
    """Used from one event loop. Whoever made it closes it, after all models that were opened with it."""

    def __init__(self) -> None:
        self._made: dict[float, Background[Line]] = {}

    def of(self, timeout: float) -> Background[Line]:
        if timeout not in self._made:
            self._made[timeout] = Background(partial(open_line, timeout))
        return self._made[timeout]

    async def close(self) -> None:
        for each in self._made.values():
            if line := each.take():
                await line.close()
