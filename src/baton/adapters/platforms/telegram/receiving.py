"""The loop that receives: each question for updates acknowledges what was kept of the answer before.

The offset does not outlive its work, least of all over a restart: after a quiet week the server counts from another
number, and an old offset would throw new messages away. What was kept but not acknowledged before a restart comes again
and is passed over by its number.
"""

from __future__ import annotations

import logging
from time import monotonic

from baton.adapters.platforms.json_fields import Fields, Malformed
from baton.adapters.platforms.telegram.bot import MOST, Api
from baton.adapters.platforms.telegram.inbound import KINDS, Me, callback_of, translated
from baton.core.errors import BadCredentials, BadPlace, PlatformError, SendLater, SomebodyElse
from baton.engine.aio import Backoff
from baton.ports.platform import Shelf, Sink

_log = logging.getLogger("baton.platforms.telegram")
_ANSWER_WITHIN = 5.0
_AT_ONCE = 1.0
"""Seconds. A server that has nothing, and says so sooner than this, is not asked again without a pause."""

_KEPT = "kept"
"""Where the number of the last update that was kept stands on the shelf."""


class Receiver:
    def __init__(self, api: Api, me: Me, sink: Sink, shelf: Shelf) -> None:
        self._api = api
        self._me = me
        self._sink = sink
        self._shelf = shelf
        self._before = _noted(shelf.get(_KEPT))
        self._offset: int | None = None
        self._backoff = Backoff()

    async def run(self) -> None:
        """Until cancelled, or `BadCredentials`, or `SomebodyElse`."""
        while True:
            asked = monotonic()
            try:
                updates = await self._api.updates(self._offset, KINDS)
            except (BadCredentials, SomebodyElse):
                raise
            except PlatformError as error:
                await self._backoff.wait(error.after if isinstance(error, SendLater) else 0.0)
                continue
            self._offset = None
            went_well = await self._keep(updates)
            if self._offset is not None:
                self._shelf.put(_KEPT, str(self._offset - 1))
            if went_well and (updates or monotonic() - asked > _AT_ONCE):
                self._backoff.reset()
            else:
                await self._backoff.wait()

    async def _keep(self, updates: list[object]) -> bool:
        """In order, up to the first that is not kept; whether there was none such."""
        for update in updates:
            number = _number(update)
            if number is None:
                continue
            try:
                if not self._before - MOST < number <= self._before:
                    await self._hand_over(update)
            except Exception as error:  # noqa: BLE001, the edge of the platform: what was not kept comes again
                _log.warning("telegram: a message could not be kept (%s), it will come again", type(error).__name__)
                return False
            self._offset = number + 1
        return not updates or self._offset is not None

    async def _hand_over(self, update: object) -> None:
        try:
            inbound, callback = translated(update, self._me), callback_of(update)
        except (Malformed, BadPlace) as error:
            _log.warning("telegram: an update was skipped: %s", error)
            return
        if inbound is not None:
            await self._sink(inbound)
        if callback:
            await self._answer(callback)

    async def _answer(self, callback: str) -> None:
        """Ends the waiting that the button shows. An old press cannot be answered any more, which harms nobody."""
        try:
            await self._api.ask(self._api.answer_callback_query(callback), within=_ANSWER_WITHIN)
        except PlatformError as error:
            _log.info("telegram: a press on a button was not answered: %s", error)


def _noted(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and text.isascii() else 0


def _number(update: object) -> int | None:
    try:
        return Fields(update).number("update_id")
    except Malformed as error:
        _log.warning("telegram: an update was skipped: %s", error)
        return None
