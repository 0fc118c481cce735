"""Reading what was written in a channel, and times as Discord's ids hold them."""

from __future__ import annotations

from typing import cast

from baton.adapters.platforms.discord.fields import Fields, Malformed, fields
from baton.adapters.platforms.discord.rest import Rest

PAGE = 100
_EPOCH_MS = 1_420_070_400_000
_TIME_SHIFT = 22


def first_id(at: float) -> int:
    """An id as old as this moment (Unix seconds): every later message has a higher one."""
    return max(int(at * 1000) - _EPOCH_MS, 0) << _TIME_SHIFT


async def page(rest: Rest, channel_id: str, after: int) -> list[Fields]:
    """At most a hundred of the messages after this id, the oldest first; fewer only if there are no more."""
    answer = await rest.ask(f"channels/{channel_id}/messages", after=after, limit=PAGE)
    if not isinstance(answer, list):
        raise Malformed("messages are not a list")
    return sorted((fields(each) for each in cast("list[object]", answer)), key=age)


def age(message: Fields) -> int:
    """What messages of a channel are ordered by; 0 for one without an id."""
    return _number(message.get("id"))


def newest(channel: Fields) -> int:
    """The last message of a channel; 0 if it has none."""
    return _number(channel.get("last_message_id"))


def _number(found: object) -> int:
    return int(found) if isinstance(found, str) and found.isascii() and found.isdigit() else 0
