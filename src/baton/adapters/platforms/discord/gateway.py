"""The connection that events arrive on: discord.py's, with our own back-off between attempts."""

from __future__ import annotations

import asyncio
import json
import logging
import warnings
from typing import Any, NoReturn, cast

import aiohttp
import yarl

from baton.adapters.platforms.discord.place import NAME
from baton.adapters.platforms.json_fields import Fields, Malformed
from baton.config.platform_settings import DiscordSettings
from baton.core.errors import BadCredentials
from baton.engine.aio import Backoff

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # discord.py imports audioop, for voices we never hear
    import discord
    from discord.gateway import DiscordWebSocket, ReconnectWebSocket
    from discord.http import Route

_log = logging.getLogger("baton.platforms")
_BEGIN = 30.0
_LOST = (OSError, aiohttp.ClientError, TimeoutError, discord.DiscordException)
_FATAL = {
    4004: "the token is not valid",
    4013: "the intents are not valid",
    4014: "the message content intent is not enabled for this bot, see the developer portal",
}
Event = tuple[str, Fields]
Events = asyncio.Queue[Event]


async def listen(settings: DiscordSettings, events: Events) -> NoReturn:
    """Puts every event into the queue, through any number of lost connections; ends only with `BadCredentials`.

    A session is resumed if possible, and Discord then repeats what was missed. A new session begins with READY.
    """
    backoff = Backoff()
    while True:
        client = Gateway(settings, events, backoff)
        try:
            async with asyncio.timeout(_BEGIN):
                await client.login(settings.token or "")
            await client.connect()
        except discord.LoginFailure:
            raise BadCredentials(platform=NAME, reason=_FATAL[4004]) from None
        except BadCredentials:
            raise
        except Exception as error:  # noqa: BLE001 - an edge: whatever discord.py raised, the next attempt begins anew
            _log.warning("discord: the gateway is lost: %s", type(error).__name__)
        finally:
            await client.close()
        await backoff.wait()


class Gateway(discord.Client):
    """One session after another. Only the JSON of events is used, not discord.py's own objects.

    discord.py keeps Discord's addresses for the whole process, so those of the client opened last hold.
    """

    def __init__(self, settings: DiscordSettings, events: Events, backoff: Backoff) -> None:
        intents = discord.Intents.none()
        intents.guilds = intents.guild_messages = intents.dm_messages = intents.message_content = True
        super().__init__(
            intents=intents,
            enable_debug_events=True,
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
        )
        self._events = events
        self._backoff = backoff
        self._home = yarl.URL(settings.gateway)
        Route.BASE = settings.api.rstrip("/")
        DiscordWebSocket.DEFAULT_GATEWAY = self._home

    async def on_socket_raw_receive(self, message: str) -> None:
        """discord.py calls this for every frame, in order."""
        try:
            frame = Fields(json.loads(message), "frame")
            kind = frame.get("t")
            if isinstance(kind, str):
                self._backoff.reset()
                self._events.put_nowait((kind, Fields(frame.get("d"), "d")))
        except (ValueError, RecursionError) as error:
            said = str(error) if isinstance(error, Malformed) else type(error).__name__
            _log.warning("discord: an event was skipped: %s", said)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Runs until the client is closed; `BadCredentials` if Discord says that no further attempt can succeed."""
        how: dict[str, Any] = {"initial": True, "gateway": self._home}
        while not self.is_closed():
            resume = True
            try:
                async with asyncio.timeout(_BEGIN):
                    self.ws = await DiscordWebSocket.from_client(self, **how)
                while True:
                    await self._poll()
            except ReconnectWebSocket as again:
                resume = again.resume
            except discord.ConnectionClosed as error:
                if error.code in _FATAL:
                    raise BadCredentials(platform=NAME, reason=_FATAL[error.code]) from None
            except _LOST as error:
                _log.info("discord: no connection to the gateway: %s", type(error).__name__)
            if not reconnect:
                return
            await self._backoff.wait()
            how = self._next(resume)

    async def _poll(self) -> None:
        """One frame. What discord.py cannot understand does not end the connection."""
        try:
            await self.ws.poll_event()
        except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
            _log.warning("discord: an event was not understood: %s", type(error).__name__)

    def _next(self, resume: bool) -> dict[str, Any]:
        last = cast("DiscordWebSocket | None", self.ws)
        if last is None or last.session_id is None or not resume:
            return {"gateway": self._home}
        return {"gateway": last.gateway, "resume": True, "session": last.session_id, "sequence": last.sequence}
