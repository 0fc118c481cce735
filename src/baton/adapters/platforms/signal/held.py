"""Events that were read and not kept yet, put aside for the next run: the daemon would not bring them again."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence

from baton.adapters.platforms.shapes import parsed, table
from baton.core.errors import StoreError
from baton.ports.platform import Shelf

_log = logging.getLogger("baton.platforms")
_NAME = "held"


class Held:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._any = True

    async def take(self) -> list[bytes]:
        """What the last run put aside, in order; it stays there until `clear`."""
        found = table(parsed(await asyncio.to_thread(self._shelf.get, _NAME) or "")).get("events")
        return [str(each).encode() for each in found] if isinstance(found, list) else []  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]

    async def put(self, events: Sequence[bytes]) -> None:
        """As well as can be: where nothing can be kept, this cannot either."""
        self.put_now(events)

    def put_now(self, events: Sequence[bytes]) -> None:
        self._any = True
        try:
            self._shelf.put(_NAME, json.dumps({"events": [each.decode("utf-8", "replace") for each in events]}))
        except (StoreError, OSError) as error:
            _log.warning("signal: %d messages could not be put aside: %s", len(events), type(error).__name__)

    async def clear(self) -> None:
        if self._any:
            await asyncio.to_thread(self._shelf.put, _NAME, "{}")
            self._any = False
