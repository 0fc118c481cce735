"""Messages that people wrote while we were not connected."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from baton.adapters.platforms.json_fields import Json
from baton.adapters.platforms.slack.api import Api
from baton.adapters.platforms.slack.errors import GONE, code
from baton.adapters.platforms.slack.history import messages
from baton.adapters.platforms.slack.inbound import Me, message
from baton.adapters.platforms.slack.place import age
from baton.adapters.platforms.slack.seen import Seen
from baton.core.errors import BadPlace, SendLater, SendRefused
from baton.core.transfer.place import Place
from baton.ports.platform import Inbound

Deliver = Callable[[Inbound], Awaitable[None]]
_AT_ONCE = 5
_LOG = logging.getLogger("baton.platforms.slack")


class CatchUp:
    """Slack brings again what we did not acknowledge, but not for long, and nothing of a time without connection."""

    def __init__(self, api: Api, seen: Seen, me: Me) -> None:
        self._api = api
        self._seen = seen
        self._me = me

    async def up(self, deliver: Deliver) -> None:
        """Reads every place we know from where we were, however often Slack makes us wait."""
        few = asyncio.Semaphore(_AT_ONCE)
        reading = (self._missed(place, since, few) for place, since in tuple(self._seen.places()))
        for missed in await asyncio.gather(*reading):
            for inbound in missed:
                await deliver(inbound)

    async def _missed(self, place: Place, since: str, few: asyncio.Semaphore) -> list[Inbound]:
        async with few:
            return await self._read(place, since)

    async def _read(self, place: Place, since: str) -> list[Inbound]:
        while True:
            try:
                found = [self._inbound(place, each) async for each in messages(self._api, place, since)]
            except SendLater as later:
                await asyncio.sleep(later.after)
            except SendRefused as refused:
                if code(refused) in GONE:
                    self._seen.forget(place)
                _LOG.info("slack: a place cannot be read: %s", refused.facts.get("reason", ""))
                return []
            else:
                missed = [each for each in found if each is not None and each.place == place]
                return sorted(missed, key=lambda each: age(each.id.rpartition(":")[2]))

    def _inbound(self, place: Place, said: Json) -> Inbound | None:
        try:
            return message(said, place.room, self._me)
        except BadPlace:
            return None
