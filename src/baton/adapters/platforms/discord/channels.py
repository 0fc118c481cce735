"""The channels we know, how far each was read, and reading what was written in them.

Positions are kept in the platform's state, so that a restart continues from there.
"""

from __future__ import annotations

import asyncio
import json
from typing import cast

from baton.adapters.platforms.discord.api import Rest
from baton.adapters.platforms.discord.place import Channel, read_channel
from baton.adapters.platforms.json_fields import Fields, Malformed
from baton.engine.aio import in_thread
from baton.ports.platform import PlatformState

_MOST_CHANNELS = 200
_LIST = "channels"
PAGE_SIZE = 100
_EPOCH_MS = 1_420_070_400_000
_TIME_SHIFT = 22


class Channels:
    """At most two hundred channels; those in which nothing was read for longest are forgotten."""

    def __init__(self, rest: Rest, state: PlatformState) -> None:
        self._rest = rest
        self._state = state
        self._known: dict[str, Channel] = {}
        self._positions: dict[str, int] = {}
        self._state_lock = asyncio.Lock()

    async def load(self) -> None:
        """Loads what an earlier run kept; what cannot be read is skipped."""
        await in_thread(self._load)

    async def find(self, channel_id: str) -> Channel:
        """The channel with this id, asked for once; `Malformed` if the answer is not a channel."""
        if (known := self._known.get(channel_id)) is None:
            known = read_channel(Fields(await self._rest.ask(f"channels/{channel_id}")))
            self._known[channel_id] = known
        return known

    def get(self, channel_id: str) -> Channel | None:
        return self._known.get(channel_id)

    def list_followed(self) -> list[tuple[Channel, int]]:
        """The followed channels, each with the last message that was read; the most recent first."""
        return [(self._known[each], last) for each, last in sorted(self._positions.items(), key=lambda item: -item[1])]

    def follows(self, channel_id: str) -> bool:
        return channel_id in self._positions

    async def mark_read(self, channel: Channel, message_id: str) -> None:
        """Everything in this channel up to this message was read. A new channel is listed before its position is kept,
        so that no position is ever without its channel.
        """
        last, new = int(message_id), channel.id not in self._positions
        if last <= self._positions.get(channel.id, -1):
            return
        self._known[channel.id] = channel
        self._positions[channel.id] = last
        if new:
            await self._save_list()
        async with self._state_lock:
            await in_thread(self._state.put, f"read/{channel.id}", str(self._positions.get(channel.id, last)))

    async def forget(self, channel: Channel) -> None:
        """For a channel that is gone, or closed to us."""
        self._positions.pop(channel.id, None)
        self._known.pop(channel.id, None)
        await self._save_list()

    async def _save_list(self) -> None:
        while len(self._positions) > _MOST_CHANNELS:
            self._positions.pop(min(self._positions, key=self._positions.__getitem__))
        async with self._state_lock:
            kept = [self._known[each] for each in self._positions]
            body = [{"id": each.id, "type": each.kind, "parent_id": each.parent or None} for each in kept]
            await in_thread(self._state.put, _LIST, json.dumps({"channels": body}))

    def _load(self) -> None:
        try:
            kept = Fields(json.loads(self._state.get(_LIST) or "{}")).objects("channels")
        except ValueError:
            return
        for each in kept:
            self._load_channel(each)

    def _load_channel(self, kept: Fields) -> None:
        try:
            channel = read_channel(kept)
            self._positions[channel.id] = int(self._state.get(f"read/{channel.id}") or "")
        except ValueError:
            return
        self._known[channel.id] = channel


def id_at(at: float) -> int:
    """The id of this moment (Unix seconds): every later message has a higher one."""
    return max(int(at * 1000) - _EPOCH_MS, 0) << _TIME_SHIFT


async def read_page(rest: Rest, channel_id: str, after: int) -> list[Fields]:
    """The next hundred messages after this id, the oldest first; fewer only if there are no more."""
    answer = await rest.ask(f"channels/{channel_id}/messages", after=after, limit=PAGE_SIZE)
    if not isinstance(answer, list):
        raise Malformed("messages are not a list")
    return sorted((Fields(each) for each in cast("list[object]", answer)), key=age)


def age(message: Fields) -> int:
    """The sort key of a channel's messages; 0 for one without an id."""
    return _number(message.get("id"))


def newest_message(channel: Fields) -> int:
    """The id of a channel's last message; 0 if it has none."""
    return _number(channel.get("last_message_id"))


def _number(found: object) -> int:
    return int(found) if isinstance(found, str) and found.isascii() and found.isdigit() else 0
