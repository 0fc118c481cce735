"""The channels we have met, and how far each was read: kept on the shelf, so that a restart goes on from there."""

from __future__ import annotations

import asyncio
import json

from baton.adapters.platforms.discord.fields import Fields, fields, listed
from baton.adapters.platforms.discord.place import Channel, read_channel
from baton.adapters.platforms.discord.rest import Rest
from baton.engine.aio import in_thread
from baton.ports.platform import Shelf

_MOST = 200
_LIST = "channels"


class Channels:
    """Of more than two hundred channels those are forgotten in which nothing was read for the longest time."""

    def __init__(self, rest: Rest, shelf: Shelf) -> None:
        self._rest = rest
        self._shelf = shelf
        self._met: dict[str, Channel] = {}
        self._read: dict[str, int] = {}
        self._shelving = asyncio.Lock()

    async def load(self) -> None:
        """What an earlier run kept. What cannot be understood is as if it were not there."""
        await in_thread(self._load)

    async def find(self, channel_id: str) -> Channel:
        """The channel with this id, asked for when it is met first; `Malformed` if the answer is not a channel."""
        if (known := self._met.get(channel_id)) is None:
            known = read_channel(fields(await self._rest.ask(f"channels/{channel_id}")))
            self._met[channel_id] = known
        return known

    def met(self, channel_id: str) -> Channel | None:
        return self._met.get(channel_id)

    def followed(self) -> list[tuple[Channel, int]]:
        """The channels to read on, each with the last message that was read, the liveliest first."""
        return [(self._met[each], last) for each, last in sorted(self._read.items(), key=lambda item: -item[1])]

    def follows(self, channel_id: str) -> bool:
        return channel_id in self._read

    async def read(self, channel: Channel, message_id: str) -> None:
        """Everything in this channel up to this message needs no more reading. A channel that is new is listed first:
        whoever finds the mark also finds the channel.
        """
        last, new = int(message_id), channel.id not in self._read
        if last <= self._read.get(channel.id, -1):
            return
        self._met[channel.id] = channel
        self._read[channel.id] = last
        if new:
            await self._keep_list()
        async with self._shelving:
            await in_thread(self._shelf.put, f"read/{channel.id}", str(self._read.get(channel.id, last)))

    async def forget(self, channel: Channel) -> None:
        """It is gone, or closed to us."""
        self._read.pop(channel.id, None)
        self._met.pop(channel.id, None)
        await self._keep_list()

    async def _keep_list(self) -> None:
        while len(self._read) > _MOST:
            self._read.pop(min(self._read, key=self._read.__getitem__))
        async with self._shelving:
            kept = [self._met[each] for each in self._read]
            body = [{"id": each.id, "type": each.kind, "parent_id": each.parent or None} for each in kept]
            await in_thread(self._shelf.put, _LIST, json.dumps({"channels": body}))

    def _load(self) -> None:
        try:
            kept = [*listed(fields(json.loads(self._shelf.get(_LIST) or "{}")), "channels")]
        except ValueError:
            return
        for each in kept:
            self._load_one(each)

    def _load_one(self, kept: Fields) -> None:
        try:
            channel = read_channel(kept)
            self._read[channel.id] = int(self._shelf.get(f"read/{channel.id}") or "")
        except ValueError:
            return
        self._met[channel.id] = channel
