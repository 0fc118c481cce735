"""Discord as a platform. Imports its library: the registry imports this module only if Discord is configured."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection
from pathlib import Path

from baton.adapters.platforms.absence import owner_absent
from baton.adapters.platforms.addresses import check_private
from baton.adapters.platforms.discord.api import NO_THREADS, NOT_A_MEMBER, THREAD_EXISTS, Refusal, Rest
from baton.adapters.platforms.discord.channels import Channels
from baton.adapters.platforms.discord.inbound import fetch_file
from baton.adapters.platforms.discord.outbound import (
    LIMIT,
    Sender,
    SentMessages,
    render_edit,
    render_thread,
    thread_name,
)
from baton.adapters.platforms.discord.place import NAME, Channel, channel_of, read_room, snowflake
from baton.adapters.platforms.discord.receiver import Receiver
from baton.adapters.platforms.json_fields import Fields, Malformed
from baton.config.platform_settings import DiscordSettings
from baton.core.errors import PlatformError, SendLater, SendRefused
from baton.core.transfer.place import Place
from baton.ports.platform import Abilities, File, Greeting, Outgoing, Platform, PlatformState, Sink

_ABILITIES = Abilities(
    limit=LIMIT, unit="chars", once="key", threads=True, edits=True, typing=True, files=True, buttons=True,
    fixed_chats=True,
)  # fmt: skip
_THREAD = 11


def open_platform(settings: DiscordSettings, state: PlatformState, home: Path) -> Platform:  # noqa: ARG001 - keeps no files
    """`BadCredentials` if an address is not encrypted. Nothing is sent before `connect`."""
    for url in (settings.api, f"http{settings.gateway.removeprefix('ws')}"):
        check_private(NAME, url, "anybody on the way could read the token")
    for library in ("discord", "httpx2", "httpcore2"):
        logging.getLogger(library).setLevel(logging.ERROR)
    return DiscordPlatform(settings, state)


class DiscordPlatform:
    """A bot account."""

    def __init__(self, settings: DiscordSettings, state: PlatformState, now: Callable[[], float] = time.time) -> None:
        self._settings = settings
        self._rest = Rest(settings.api, settings.token or "")
        self._channels = Channels(self._rest, state)
        self._sent = SentMessages(state, now)
        self._sender = Sender(self._rest, self._sent, now, lambda: self._me)
        self._now = now
        self._me = ""
        self._since = now()

    @property
    def name(self) -> str:
        return NAME

    @property
    def abilities(self) -> Abilities:
        return _ABILITIES

    def size(self, text: str) -> int:
        return len(text)

    def room(self, text: str) -> Place:
        """The channel with this id; for a known thread, the thread in its channel."""
        found, known = read_room(text), self._channels.get(text)
        return known.place if known else found

    async def connect(self, commands: Greeting) -> str:  # noqa: ARG002 - Discord lists no commands of plain text
        self._since = self._now()
        await self._channels.load()
        await self._sent.load()
        try:
            us = Fields(await self._rest.ask("users/@me"))
            self._me = snowflake(us, "id")
            return us.text("username")
        except (Malformed, SendRefused) as error:
            raise SendLater(platform=NAME, reason=f"it does not answer as Discord does: {error}", after=5.0) from None

    async def run(self, sink: Sink) -> None:
        await Receiver(self._rest, self._channels, sink, self._since).run(self._settings)

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        receipt = await self._sender.send(place, message, key)
        await self._follow(place, receipt)
        return receipt

    async def find(self, place: Place, key: str) -> str | None:
        return self._sender.receipt(place, key) or None

    async def edit(self, place: Place, receipt: str, message: Outgoing) -> None:
        if not receipt.isascii() or not receipt.isdigit():
            raise SendRefused(platform=NAME, reason="this is no message of Discord")
        await self._rest.tell("PATCH", f"channels/{channel_of(place)}/messages/{receipt}", render_edit(message))

    async def show_typing(self, place: Place) -> None:
        try:
            await self._rest.tell("POST", f"channels/{channel_of(place)}/typing")
        except SendLater:
            raise
        except PlatformError:
            return

    async def open_thread(self, room: Place, title: str, key: str) -> Place:
        """The same thread for the same key, because a thread begun from a message has the message's id."""
        channel = await self._channel(room.room)
        if not channel.has_threads:
            return room
        seed = await self._sender.send(channel.place, Outgoing(thread_name(title)), key)
        try:
            await self._rest.tell("POST", f"channels/{channel.id}/messages/{seed}/threads", render_thread(title))
        except Refusal as refusal:
            if refusal.number in NO_THREADS:
                return channel.place
            if refusal.number != THREAD_EXISTS:
                raise
        opened = Channel(seed, _THREAD, channel.id)
        await self._channels.mark_read(opened, seed)
        return opened.place

    async def check_reader(self, room: Place, people: Collection[str]) -> None:
        """Who has left the server sees none of its channels. Whether somebody may see one of them is not asked."""
        guild = Fields(await self._rest.ask(f"channels/{room.room}")).text("guild_id")
        for person in people if guild else ():
            try:
                await self._rest.ask(f"guilds/{guild}/members/{person.removeprefix(f'{NAME}:')}")
            except Refusal as refusal:
                if refusal.number in NOT_A_MEMBER:
                    continue
            return
        if guild:
            raise owner_absent(NAME)

    async def fetch(self, file: File) -> bytes:
        try:
            return await fetch_file(self._rest, self._settings.api, file)
        except Malformed as error:
            raise SendRefused(platform=NAME, reason=str(error)) from None

    async def close(self) -> None:
        await self._rest.close()

    async def _channel(self, channel_id: str) -> Channel:
        try:
            return await self._channels.find(channel_id)
        except Malformed as error:
            raise SendRefused(platform=NAME, reason=f"this is no channel: {error}") from None

    async def _follow(self, where: Place, receipt: str) -> None:
        """From now on answers in this channel are read, even those written while we are stopped."""
        if self._channels.follows(channel_of(where)):
            return
        try:
            await self._channels.mark_read(await self._channel(channel_of(where)), receipt)
        except PlatformError:
            return
