"""Events that were read and not kept yet, put aside for the next run: the daemon would not bring them again."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import cast

from baton.adapters.platforms.shapes import parsed, table, text
from baton.core.errors import BatonError
from baton.ports.platform import Shelf

_log = logging.getLogger("baton.platforms")
_NAME = "held"


class Held:
    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._is_empty = False

    def get(self) -> list[bytes]:
        """What an earlier run put aside, in order; it stays there until `clear`."""
        found = table(parsed(self._shelf.get(_NAME) or "")).get("events")
        events = cast("list[object]", found) if isinstance(found, list) else []
        self._is_empty = not events
        return [text(each).encode() for each in events]

    def put(self, events: Sequence[bytes]) -> None:
        """As well as can be: where nothing can be kept, this cannot either."""
        self._is_empty = False
        try:
            self._shelf.put(_NAME, json.dumps({"events": [each.decode("utf-8", "replace") for each in events]}))
        except (BatonError, OSError) as error:
            _log.warning("signal: %d messages could not be put aside (%s)", len(events), type(error).__name__)

    def clear(self) -> None:
        if not self._is_empty:
            self._shelf.put(_NAME, "{}")
            self._is_empty = True
