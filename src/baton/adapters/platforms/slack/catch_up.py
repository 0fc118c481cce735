"""Messages that people wrote while we were not connected: how far each place was read, and its history since."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import cast

from baton.adapters.platforms.json_fields import Json, parse_json, table, tables, text
from baton.adapters.platforms.slack.api import GONE, Api, error_code
from baton.adapters.platforms.slack.inbound import Me, translate_message
from baton.adapters.platforms.slack.place import age
from baton.core.errors import BadPlace, SendLater, SendRefused
from baton.core.transfer.place import Place, parse_place
from baton.ports.platform import Inbound, PlatformState

Deliver = Callable[[Inbound], Awaitable[None]]
_AT_ONCE = 5
_LOG = logging.getLogger("baton.platforms.slack")
_PAGE, _PAGES = 200, 10
_INDEX = "places"
_MOST_PLACES = 40
"""Each costs a call on every new connection, and Slack allows about 50 a minute."""


class CatchUp:
    """Reads what was missed. Slack repeats what was not acknowledged, but not for long, and nothing that was written
    while there was no connection.
    """

    def __init__(self, api: Api, positions: ReadPositions, me: Me) -> None:
        self._api = api
        self._positions = positions
        self._me = me

    async def run(self, deliver: Deliver) -> None:
        """Reads every known place from its last position on, however often Slack makes us wait."""
        few = asyncio.Semaphore(_AT_ONCE)
        reading = (self._read_limited(place, since, few) for place, since in tuple(self._positions.places()))
        for missed in await asyncio.gather(*reading):
            for inbound in missed:
                await deliver(inbound)

    async def _read_limited(self, place: Place, since: str, few: asyncio.Semaphore) -> list[Inbound]:
        async with few:
            return await self._read(place, since)

    async def _read(self, place: Place, since: str) -> list[Inbound]:
        while True:
            try:
                found = [self._inbound(place, each) async for each in read_history(self._api, place, since)]
            except SendLater as later:
                await asyncio.sleep(later.after)
            except SendRefused as refused:
                if error_code(refused) in GONE:
                    self._positions.forget(place)
                _LOG.info("slack: a place cannot be read: %s", refused.facts.get("reason", ""))
                return []
            else:
                missed = [each for each in found if each is not None and each.place == place]
                return sorted(missed, key=lambda each: age(each.id.rpartition(":")[2]))

    def _inbound(self, place: Place, said: Json) -> Inbound | None:
        try:
            return translate_message(said, place.room, self._me)
        except BadPlace:
            return None


async def read_history(api: Api, place: Place, oldest: str) -> AsyncIterator[Json]:
    """The messages after `oldest`, at most 2,000: in a room the newest first, in a thread the oldest first.

    `SendRefused` if we may not read there.
    """
    method, form = "conversations.history", {"channel": place.room, "oldest": oldest, "limit": str(_PAGE)}
    form["include_all_metadata"] = "1"
    if place.thread:
        method, form["ts"] = "conversations.replies", place.thread
    for _ in range(_PAGES):
        answer = await api.read(method, form)
        for each in tables(answer.get("messages")):
            yield each
        form["cursor"] = text(table(answer.get("response_metadata")).get("next_cursor"))
        if not form["cursor"]:
            return


class ReadPositions:
    """How far each place was read, kept between runs. Of more than 40 places those silent for longest are forgotten."""

    def __init__(self, state: PlatformState) -> None:
        self._state = state
        self._keys: list[str] | None = None

    def places(self) -> Iterator[tuple[Place, str]]:
        """Each place with the time of the last message known to be kept."""
        for key in tuple(self._index()):
            if ts := self._state.get(_state_key(key)):
                try:
                    yield parse_place(key), ts
                except BadPlace:
                    continue

    def begin(self, place: Place, ts: str) -> None:
        """Follows this place from this message on, unless it is followed already."""
        if place.key not in self._index():
            self._advance(place.key, ts)

    def mark(self, place: Place, ts: str) -> None:
        """Everything up to this message is kept."""
        before = self._state.get(_state_key(place.key)) if place.key in self._index() else None
        if before is None or age(before) < age(ts):
            self._advance(place.key, ts)

    def forget(self, place: Place) -> None:
        self._save([key for key in self._index() if key != place.key])

    def _advance(self, key: str, ts: str) -> None:
        self._state.put(_state_key(key), ts)
        if self._index()[-1:] != [key]:
            self._save([*(other for other in self._index() if other != key), key][-_MOST_PLACES:])

    def _index(self) -> list[str]:
        if self._keys is None:
            self._keys = _parse_keys(self._state.get(_INDEX) or "[]")
        return self._keys

    def _save(self, keys: list[str]) -> None:
        self._state.put(_INDEX, json.dumps(keys))
        self._keys = keys


def _parse_keys(text: str) -> list[str]:
    kept = parse_json(text)
    return [key for key in cast("list[object]", kept) if isinstance(key, str)] if isinstance(kept, list) else []


def _state_key(key: str) -> str:
    return f"seen:{key}"
