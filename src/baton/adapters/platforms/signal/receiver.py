"""Listening to the daemon. Imports httpx2: only `platform` imports this."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from urllib.parse import quote

import httpx2

from baton.adapters.platforms.calls import CONNECT
from baton.adapters.platforms.handing import hand
from baton.adapters.platforms.pauses import Pauses
from baton.adapters.platforms.shapes import parsed, table
from baton.adapters.platforms.signal.events import Events
from baton.adapters.platforms.signal.held import Held
from baton.adapters.platforms.signal.inbound import inbound
from baton.adapters.platforms.signal.place import NAME
from baton.adapters.platforms.signal.revisions import Revisions
from baton.core.display import one_line
from baton.core.errors import BadCredentials
from baton.core.value import replace
from baton.ports.platform import Inbound, Shelf, Sink

_log = logging.getLogger("baton.platforms")
_QUIET = 45.0
"""The daemon says something every 15 s; silence for three times as long is a dead connection."""


class Receiver:
    def __init__(self, http: httpx2.AsyncClient, daemon: str, account: str, shelf: Shelf) -> None:
        self._http = http
        self._url = f"{daemon}/api/v1/events?account={quote(account, safe='')}"
        self._account = account
        self._held = Held(shelf)
        self.revisions = Revisions()

    async def run(self, sink: Sink) -> None:
        """First what an earlier run could not keep, then what comes, through any number of lost connections."""
        await self._take(sink, await asyncio.to_thread(self._held.get))
        pauses = Pauses()
        while True:
            try:
                await self._listen(sink, pauses)
            except (httpx2.HTTPError, OSError) as error:
                _log.info("signal: the daemon's stream ended (%s)", type(error).__name__)
            await pauses.wait()

    async def _listen(self, sink: Sink, pauses: Pauses) -> None:
        async with self._http.stream("GET", self._url, timeout=httpx2.Timeout(_QUIET, connect=CONNECT)) as stream:
            if stream.status_code in (400, 404):
                reason = "the daemon does not have this account" if stream.status_code == 400 else "there is no daemon"
                raise BadCredentials(platform=NAME, reason=f"{reason} (HTTP {stream.status_code})")
            if stream.status_code != 200:
                return
            events = Events()
            async for piece in stream.aiter_bytes():
                pauses.reset()
                await self._take(sink, events.feed(piece))

    async def _take(self, sink: Sink, events: Sequence[bytes]) -> None:
        """Each in order. What is left when one cannot be kept, or when we are stopped, is put aside."""
        for at, event in enumerate(events):
            if (found := self._read(event)) is None:
                continue
            try:
                await hand(sink, found, lambda left=events[at:]: asyncio.to_thread(self._held.put, left))
            except asyncio.CancelledError:
                self._held.put(events[at:])
                raise
        if events:
            await asyncio.to_thread(self._held.clear)

    def _read(self, event: bytes) -> Inbound | None:
        try:
            found = inbound(table(parsed(event)), self._account)
        except Exception as error:  # noqa: BLE001 - one of the edges: what a stranger sent ends nothing
            _log.warning("signal: an event was passed over: %s", one_line(f"{type(error).__name__}: {error}", 200))
            return None
        return found and replace(found, quotes=self.revisions.receipt(found.quotes))
