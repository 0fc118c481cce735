"""HTTP connections that the models of one process share.

Loading certificates takes tens of milliseconds and half a megabyte, and so does each first handshake with a provider: a
process that speaks for a thousand conversations does it once.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from baton.adapters.models.background import Background
from baton.adapters.models.loading import import_alone, load_plain

if TYPE_CHECKING:
    from baton.adapters.models.failure import Case
    from baton.adapters.models.plain.dialect import Ask, Dialect


class Line(Protocol):
    """The HTTP connections of one model, or of many. Used from one event loop."""

    def ask(self, dialect: Dialect, ask: Ask, case: Case) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        """The body of the answer as it comes; leaving the block ends the request. Raises `Refused`, or a `ModelError`
        for what the network did.
        """
        ...

    async def close(self) -> None: ...


def open_line(timeout: float) -> Line:
    """Blocks while the HTTP library is imported."""
    load_plain().result()
    from baton.adapters.models.plain import line

    return line.Line(timeout)


def open_shared_line(timeout: float) -> Line:
    """One that is cheaper for each request, where the library for that is installed and no proxy is in the way. Blocks
    while both libraries are imported.
    """
    from urllib.request import getproxies

    if getproxies() or find_spec("aiohttp") is None:
        return open_line(timeout)
    load_plain().result()
    with import_alone():
        from baton.adapters.models.plain.line import trusted_certificates
        from baton.adapters.models.plain.shared_line import SharedLine

    return SharedLine(timeout, trusted_certificates())


class Lines:
    """Used from one event loop. Whoever made it closes it, after all models that were opened with it."""

    def __init__(self) -> None:
        self._made: dict[float, Background[Line]] = {}

    def of(self, timeout: float) -> Background[Line]:
        if timeout not in self._made:
            self._made[timeout] = Background(partial(open_shared_line, timeout))
        return self._made[timeout]

    async def close(self) -> None:
        for each in self._made.values():
            if line := each.take():
                await line.close()
