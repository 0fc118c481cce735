"""Giving a message to the sink where the platform cannot be asked to deliver it again."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from baton.adapters.platforms.pauses import Pauses
from baton.core.display import one_line
from baton.ports.platform import Inbound, Sink

_log = logging.getLogger("baton.platforms")


async def hand(sink: Sink, inbound: Inbound, not_kept: Callable[[], Awaitable[None]] | None = None) -> None:
    """Returns when the sink has kept it, however often that takes: those behind it wait, so the order stays.

    `not_kept` is called after the first failure.
    """
    pauses, told = Pauses(), False
    while True:
        try:
            await sink(inbound)
        except Exception as error:  # noqa: BLE001 - one of the edges: a message is not lost because keeping it failed
            said = one_line(f"{type(error).__name__}: {error}", 200)
            _log.warning("%s: a message could not be kept yet: %s", inbound.place.platform, said)
            if not_kept is not None and not told:
                told = True
                await not_kept()
            await pauses.wait()
        else:
            return
