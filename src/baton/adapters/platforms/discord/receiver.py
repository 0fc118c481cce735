"""From the gateway to the sink: in order, each message once, and none lost that was written while we were away."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from baton.adapters.platforms.deliver_inbound import deliver_inbound
from baton.adapters.platforms.discord.channels import Channels
from baton.adapters.platforms.discord.fields import Fields, Malformed, inner, listed, snowflake
from baton.adapters.platforms.discord.gateway import Events, listen
from baton.adapters.platforms.discord.history import PAGE, age, first_id, newest, page
from baton.adapters.platforms.discord.inbound import by_a_person, chosen, press, said
from baton.adapters.platforms.discord.place import Channel, read_channel
from baton.adapters.platforms.discord.rest import Rest
from baton.config.platform_settings import DiscordSettings
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused
from baton.engine.aio import Backoff, uncancelled
from baton.ports.platform import Inbound, Sink

_log = logging.getLogger("baton.platforms")

_RECENT = 2_000
_OLDEST = 7 * 24 * 3_600.0
"""Messages older than a week are not read back."""
_PAGES = 50
_SLACK = 10.0
"""Seconds by which our clock may be ahead of Discord's."""

T = TypeVar("T")


class Receiver:
    """`since` is when we came: what is written from then on in any channel of a server we are in is not missed."""

    def __init__(self, rest: Rest, channels: Channels, sink: Sink, since: float) -> None:
        self._rest = rest
        self._channels = channels
        self._sink = sink
        self._since = since
        self._me = ""
        self._expected: set[str] = set()
        self._recent: dict[str, None] = {}

    async def run(self, settings: DiscordSettings) -> None:
        """Until cancelled; ends only with `BadCredentials`."""
        events = Events()
        tasks = [asyncio.create_task(listen(settings, events)), asyncio.create_task(self._take(events))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in tasks:
                each.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
        raise next(each for each in ends if isinstance(each, Exception))

    async def _take(self, events: Events) -> None:
        while True:
            kind, data = await events.get()
            try:
                await self._event(kind, data)
            except BadCredentials:
                raise
            except Exception as error:  # noqa: BLE001 - an edge: one odd event does not end receiving
                said = str(error) if isinstance(error, Malformed) else type(error).__name__
                _log.warning("discord: an event was skipped: %s: %s", one_line(kind, 40), said)

    async def _event(self, kind: str, data: Fields) -> None:
        if kind == "READY":
            self._me = snowflake(inner(data, "user"), "id")
            self._expected = {snowflake(each, "id") for each in listed(data, "guilds")}
            await self._catch_up()
        elif kind == "GUILD_CREATE":
            await self._look_around(data)
        elif kind == "MESSAGE_CREATE":
            await self._message(data)
            self._since = time.time()
        elif kind == "INTERACTION_CREATE":
            await self._pressed(data)

    async def _message(self, message: Fields) -> None:
        """In a channel that is followed every message counts as read, also one that is not for us. What was kept counts
        as read before we stop.
        """
        message_id, channel_id = snowflake(message, "id"), snowflake(message, "channel_id")
        if message_id in self._recent:
            return
        for_us = by_a_person(message, self._me)
        if not for_us and not self._channels.follows(channel_id):
            return
        channel = await self._channel(channel_id)
        if channel is None:
            return
        if for_us:
            await self._hand_over(said(message, channel, self._me))
        await uncancelled(self._channels.read(channel, message_id))

    async def _pressed(self, interaction: Fields) -> None:
        pressed = press(interaction)
        if pressed is None or pressed.id in self._recent:
            return
        channel = await self._channel(pressed.channel)
        if channel is None:
            return
        await self._hand_over(chosen(interaction, channel))
        try:
            await self._rest.tell("POST", f"interactions/{pressed.id}/{pressed.token}/callback", {"type": 6})
        except PlatformError as error:
            _log.info("discord: a press could not be acknowledged: %s", type(error).__name__)

    async def _hand_over(self, inbound: Inbound) -> None:
        await deliver_inbound(self._sink, inbound)
        self._recent[inbound.id] = None
        if len(self._recent) > _RECENT:
            del self._recent[next(iter(self._recent))]

    async def _channel(self, channel_id: str) -> Channel | None:
        try:
            return await _insist(lambda: self._channels.find(channel_id))
        except SendRefused as error:
            _log.warning("discord: channel %s was skipped: %s", channel_id, error)
            return None

    async def _catch_up(self) -> None:
        """Reads on in every channel that is followed. What comes live meanwhile waits its turn."""
        for channel, last in self._channels.followed():
            try:
                await self._read_on(channel, max(last, first_id(time.time() - _OLDEST)))
            except SendRefused:
                await self._channels.forget(channel)
            except Malformed as error:
                _log.warning("discord: channel %s was not read on: %s", channel.id, error)

    async def _look_around(self, guild: Fields) -> None:
        """A session begins with the servers we are in. What was written there just before it would come to nobody."""
        if guild.get("id") not in self._expected:
            return
        self._expected.discard(snowflake(guild, "id"))
        since = first_id(self._since - _SLACK)
        for each in (*listed(guild, "channels"), *listed(guild, "threads")):
            if newest(each) > since and not self._channels.follows(snowflake(each, "id")):
                with suppress(SendRefused):
                    await self._read_on(read_channel(each), since)

    async def _read_on(self, channel: Channel, after: int) -> None:
        for _ in range(_PAGES):
            messages = await _insist(lambda after=after: page(self._rest, channel.id, after))
            for message in messages:
                await self._one(message)
            if len(messages) < PAGE:
                return
            after = age(messages[-1])
        _log.warning("discord: channel %s has more unread messages than are read back", channel.id)

    async def _one(self, message: Fields) -> None:
        try:
            await self._message(message)
        except Malformed as error:
            _log.warning("discord: a message was skipped: %s", error)


async def _insist(ask: Callable[[], Awaitable[T]]) -> T:
    """The answer, however long it takes to come."""
    backoff = Backoff()
    while True:
        try:
            return await ask()
        except SendLater as error:
            await backoff.wait(error.after)
