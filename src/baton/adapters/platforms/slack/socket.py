"""Socket Mode: envelopes are handled one after another, and each is acknowledged once it has been handled.

slack_sdk's own client handles envelopes concurrently and in no order, and never reports that a token was revoked.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

import aiohttp

from baton.adapters.platforms.json_fields import Json, parse_json, table, text
from baton.adapters.platforms.slack.api import Api
from baton.adapters.platforms.slack.place import NAME
from baton.core.errors import BadCredentials, SendLater, SendRefused
from baton.engine.aio import Backoff

Handle = Callable[[Json], Awaitable[None]]
Ready = Callable[[], Awaitable[None]]
_LOG = logging.getLogger("baton.platforms.slack")
_PING_SECONDS = 15
_WAITING = 1_000


class Socket:
    """`ready` is awaited on each new connection, before its first envelope is handled."""

    def __init__(self, api: Api, ready: Ready, handle: Handle) -> None:
        self._api = api
        self._ready = ready
        self._handle = handle

    async def run(self, first: str = "") -> None:
        """Receives until cancelled or `BadCredentials`. `first` is an address that is good for one connection."""
        backoff = Backoff()
        while True:
            try:
                address, first = first or await self._address(), ""
                await self._connection(address, backoff)
                await backoff.wait()
            except SendLater as error:
                await backoff.wait(error.after)
            except (aiohttp.ClientError, OSError, ValueError) as error:
                _LOG.info("slack: the connection was lost (%s)", type(error).__name__)
                await backoff.wait()

    async def _address(self) -> str:
        try:
            return await self._api.socket_address()
        except SendRefused as error:
            raise BadCredentials(platform=NAME, reason=error.facts.get("reason", "")) from None

    async def _connection(self, address: str, backoff: Backoff) -> None:
        timeout = aiohttp.ClientWSTimeout(ws_close=2.0)  # pyright: ignore[reportCallIssue]
        async with self._api.http.ws_connect(address, heartbeat=_PING_SECONDS, timeout=timeout) as socket:
            envelopes: asyncio.Queue[Json | None] = asyncio.Queue(_WAITING)
            reading = asyncio.create_task(_read(socket, envelopes))
            try:
                while (envelope := await envelopes.get()) is not None:
                    if envelope.get("type") == "hello":
                        await self._ready()
                        backoff.reset()
                    elif envelope.get("type") == "disconnect":
                        return
                    else:
                        await self._answer(socket, envelope)
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    async def _answer(self, socket: aiohttp.ClientWebSocketResponse, envelope: Json) -> None:
        await self._handle(envelope)
        if number := text(envelope.get("envelope_id")):
            await socket.send_str(json.dumps({"envelope_id": number}))


async def _read(socket: aiohttp.ClientWebSocketResponse, envelopes: asyncio.Queue[Json | None]) -> None:
    """Keeps reading while an envelope is handled, so that pings are answered. Puts None at the end."""
    try:
        async for frame in socket:
            if frame.type is aiohttp.WSMsgType.TEXT:
                await envelopes.put(table(parse_json(frame.data)))
    finally:
        with suppress(asyncio.QueueFull):
            envelopes.put_nowait(None)
