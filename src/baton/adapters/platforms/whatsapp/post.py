"""What comes through the webhook, one call after another: messages for the sink, and reports about ours."""

from __future__ import annotations

import logging
import time

from baton.adapters.platforms.json_fields import Json, tables
from baton.adapters.platforms.whatsapp.errors import CLOSED
from baton.adapters.platforms.whatsapp.inbound import Arrival, Report, arrival, changes, report
from baton.adapters.platforms.whatsapp.people import People
from baton.adapters.platforms.whatsapp.recent import Recent
from baton.adapters.platforms.whatsapp.window import Window
from baton.core.display import one_line
from baton.engine.aio import in_thread
from baton.ports.platform import Shelf, Sink

_log = logging.getLogger("baton.platforms")
_OLDEST = 8 * 24 * 3600
_MOST = 300


class Post:
    def __init__(self, shelf: Shelf, number_id: str) -> None:
        self._number_id = number_id
        self._people = People(shelf)
        self._sent = Recent(shelf, "sent", _MOST)
        self.window = Window(shelf)

    def receipt(self, key: str) -> str | None:
        """Of a message whose status came back with this key."""
        return self._sent.get(key) or None

    async def take(self, body: object, sink: Sink) -> None:
        """Returns when everything in the call is kept; a malformed part is passed over, an unknown one too."""
        for change in changes(body, self._number_id):
            for status in tables(change.get("statuses")):
                if found := report(status):
                    await in_thread(self._note, found)
            for message in tables(change.get("messages")):
                if found := await in_thread(self._read, message, change):
                    await sink(found.inbound)
                    heard = self.window.heard
                    await in_thread(heard, found.inbound.place.room, found.inbound.id, found.sent)

    def _read(self, message: Json, change: Json) -> Arrival | None:
        try:
            found = arrival(message, change, self._people)
        except ValueError as error:
            _log.warning("whatsapp: a message was passed over: %s", one_line(str(error), 200))
            return None
        if found is not None and found.sent < time.time() - _OLDEST:
            _log.warning("whatsapp: a message older than eight days was passed over")
            return None
        return found

    def _note(self, found: Report) -> None:
        if found.status == "failed":
            _log.warning("whatsapp: a message was not delivered: %s (%d)", found.reason, found.code)
            if found.code in CLOSED:
                self.window.closed(found.room)
        elif found.key:
            self._sent.put(found.key, found.id)
