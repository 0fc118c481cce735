"""Takes events from the gateway to the sink: in order, each once, including what was written while we were away."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from baton.adapters.platforms.deliver_inbound import deliver_inbound
from baton.adapters.platforms.discord.api import Rest
from baton.adapters.platforms.discord.channels import PAGE_SIZE, Channels, age, id_at, newest_message, read_page
from baton.adapters.platforms.discord.gateway import Events, listen
from baton.adapters.platforms.discord.inbound import (
    is_from_person,
    read_press,
    translate,
    translate_edit,
    translate_press,
)
from baton.adapters.platforms.discord.place import Channel, read_channel, snowflake
from baton.adapters.platforms.json_fields import Fields, Malformed
from baton.config.platform_settings import DiscordSettings
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused
from baton.engine.aio import Backoff, uncancelled
from baton.ports.platform import Inbound, Sink

_log = logging.getLogger("baton.platforms")
_MOST_DELIVERED = 2_000
_OLDEST = 7 * 24 * 3_600.0
"""Messages older than a week are not read back."""

_PAGES = 50
_CLOCK_SLACK = 10.0
"""Seconds by which our clock may be ahead of Discord's."""

T = TypeVar("T")


class Receiver:
    """`since` is when we connected: nothing written after it, in any channel of our servers, is missed."""

    def __init__(self, rest: Rest, channels: Channels, sink: Sink, since: float) -> None:
        self._rest = rest
        self._channels = channels
        self._sink = sink
        self._since = since
        self._me = ""
        self._expected: set[str] = set()
        self._delivered: dict[str, None] = {}

    async def run(self, settings: DiscordSettings) -> None:
        """Receives until cancelled; ends only with `BadCredentials`."""
        events = Events()
        tasks = [asyncio.create_task(listen(settings, events)), asyncio.create_task(self._handle_events(events))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in tasks:
                each.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
        raise next(each for each in ends if isinstance(each, Exception))

    async def _handle_events(self, events: Events) -> None:
        while True:
            kind, data = await events.get()
            try:
                await self._handle_event(kind, data)
            except BadCredentials:
                raise
            except Exception as error:  # noqa: BLE001 - an edge: one bad event does not end receiving
                said = str(error) if isinstance(error, Malformed) else type(error).__name__
                _log.warning("discord: an event was skipped: %s: %s", one_line(kind, 40), said)

    async def _handle_event(self, kind: str, data: Fields) -> None:
        if kind == "READY":
            self._me = snowflake(data.inner("user"), "id")
            self._expected = {snowflake(each, "id") for each in data.objects("guilds")}
            await self._catch_up()
        elif kind == "GUILD_CREATE":
            await self._read_new_channels(data)
        elif kind == "MESSAGE_CREATE":
            await self._handle_message(data)
            self._since = time.time()
        elif kind == "MESSAGE_UPDATE":
            await self._handle_edit(data)
        elif kind == "INTERACTION_CREATE":
            await self._handle_press(data)

    async def _handle_message(self, message: Fields) -> None:
        """In a followed channel every message counts as read, even one that is not for us. What was kept is marked as
        read even if we are cancelled.
        """
        message_id, channel_id = snowflake(message, "id"), snowflake(message, "channel_id")
        if message_id in self._delivered:
            return
        for_us = is_from_person(message, self._me)
        if not for_us and not self._channels.follows(channel_id):
            return
        channel = await self._channel(channel_id)
        if channel is None:
            return
        if for_us:
            await self._deliver(translate(message, channel, self._me))
        await uncancelled(self._channels.mark_read(channel, message_id))

    async def _handle_edit(self, message: Fields) -> None:
        if not message.get("edited_timestamp"):
            return
        channel = await self._channel(snowflake(message, "channel_id"))
        inbound = translate_edit(message, channel, self._me) if channel else None
        if inbound is not None and inbound.id not in self._delivered:
            await self._deliver(inbound)

    async def _handle_press(self, interaction: Fields) -> None:
        pressed = read_press(interaction)
        if pressed is None or pressed.id in self._delivered:
            return
        channel = await self._channel(pressed.channel)
        if channel is None:
            return
        await self._deliver(translate_press(interaction, channel))
        try:
            await self._rest.tell("POST", f"interactions/{pressed.id}/{pressed.token}/callback", {"type": 6})
        except PlatformError as error:
            _log.info("discord: a press could not be acknowledged: %s", type(error).__name__)

    async def _deliver(self, inbound: Inbound) -> None:
        await deliver_inbound(self._sink, inbound)
        self._delivered[inbound.id] = None
        if len(self._delivered) > _MOST_DELIVERED:
            del self._delivered[next(iter(self._delivered))]

    async def _channel(self, channel_id: str) -> Channel | None:
        try:
            return await _retry_later(lambda: self._channels.find(channel_id))
        except SendRefused as error:
            _log.warning("discord: channel %s was skipped: %s", channel_id, error)
            return None

    async def _catch_up(self) -> None:
        """Reads every followed channel from its position on. Live events wait meanwhile."""
        for channel, last in self._channels.list_followed():
            try:
                await self._read_on(channel, max(last, id_at(time.time() - _OLDEST)))
            except SendRefused:
                await self._channels.forget(channel)
            except Malformed as error:
                _log.warning("discord: channel %s was not read on: %s", channel.id, error)

    async def _read_new_channels(self, guild: Fields) -> None:
        """A new session lists our servers. What was written in them just before it would otherwise be lost."""
        if guild.get("id") not in self._expected:
            return
        self._expected.discard(snowflake(guild, "id"))
        since = id_at(self._since - _CLOCK_SLACK)
        for each in (*guild.objects("channels"), *guild.objects("threads")):
            if newest_message(each) > since and not self._channels.follows(snowflake(each, "id")):
                with suppress(SendRefused):
                    await self._read_on(read_channel(each), since)

    async def _read_on(self, channel: Channel, after: int) -> None:
        for _ in range(_PAGES):
            messages = await _retry_later(lambda after=after: read_page(self._rest, channel.id, after))
            for message in messages:
                await self._handle_past(message)
            if len(messages) < PAGE_SIZE:
                return
            after = age(messages[-1])
        _log.warning("discord: channel %s has more unread messages than are read back", channel.id)

    async def _handle_past(self, message: Fields) -> None:
        try:
            await self._handle_message(message)
        except Malformed as error:
            _log.warning("discord: a message was skipped: %s", error)


async def _retry_later(ask: Callable[[], Awaitable[T]]) -> T:
    """The answer, however often we are told to wait."""
    backoff = Backoff()
    while True:
        try:
            return await ask()
        except SendLater as error:
            await backoff.wait(error.after)
