"""Delivers a message to the sink where the platform cannot be asked to send it again."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from baton.core.display import one_line
from baton.engine.aio import Backoff
from baton.ports.platform import Inbound, Sink

_log = logging.getLogger("baton.platforms")


async def deliver_inbound(sink: Sink, inbound: Inbound, not_kept: Callable[[], Awaitable[None]] | None = None) -> None:
    """Returns once the sink has kept the message, however many attempts that takes. Later messages wait behind it, so
    the order stays.

    `not_kept` is called once, after the first failure.
    """
    backoff, told = Backoff(), False
    while True:
        try:
            await sink(inbound)
        except Exception as error:  # noqa: BLE001 - one of the edges: a failure to keep a message must not lose it
            said = one_line(f"{type(error).__name__}: {error}", 200)
            _log.warning("%s: a message could not be kept yet: %s", inbound.place.platform, said)
            if not_kept is not None and not told:
                told = True
                await not_kept()
            await backoff.wait()
        else:
            return
