"""Which of the person's messages a compression keeps, and how much of each.

All of them whole, if they fit. If not, the newest are whole, as far as half of the room allows; the rest of it is
shared by those before, so that one pasted log does not cost ten short wishes: the longest are shortened first, to their
beginning and end. What would be left with too little goes, oldest first, and is counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from baton.core.agent.message import UserMessage
from baton.core.agent.tokens import estimate
from baton.core.log.context import size
from baton.core.log.kept import KeptMessage
from baton.core.value import replace

SHARE = 0.2
"""Of the window, for messages from before the tail. Together with a tail that gives way to them (30 % down to 20 %) and
the longest summary (22 %) this stays under the threshold of 80 %; what people type in a whole session is seldom more.
"""
_WHOLE = 0.5
_LEAST = 60
"""Tokens below which a shortened message says too little to be worth its place."""


def count_tokens(message: KeptMessage) -> int:
    return size(UserMessage(message.words, message.images))


def choose(messages: Sequence[KeptMessage], room: int) -> list[KeptMessage | None]:
    """Each message as it is kept, in the same order; None for one that is not."""
    sizes = [count_tokens(each) for each in messages]
    if sum(sizes) <= room:
        return list(messages)
    start = _first_whole(sizes, int(room * _WHOLE))
    return _share(messages[:start], sizes[:start], room - sum(sizes[start:])) + list(messages[start:])


def _first_whole(sizes: Sequence[int], room: int) -> int:
    """Where the newest messages begin that fit whole."""
    spent = 0
    for index in reversed(range(len(sizes))):
        spent += sizes[index]
        if spent > room:
            return index + 1
    return 0


def _share(messages: Sequence[KeptMessage], sizes: Sequence[int], room: int) -> list[KeptMessage | None]:
    dropped = _count_dropped(sizes, room)
    level = _level(sizes[dropped:], room)
    kept = [
        each if tokens <= level else shorten(each, level)
        for each, tokens in zip(messages[dropped:], sizes[dropped:], strict=True)
    ]
    return [None] * dropped + kept


def _count_dropped(sizes: Sequence[int], room: int) -> int:
    """How many of the oldest have to go so that each of the others gets at least a little."""
    spent = 0
    for index in reversed(range(len(sizes))):
        spent += min(sizes[index], _LEAST)
        if spent > room:
            return index + 1
    return 0


def _level(sizes: Sequence[int], room: int) -> int:
    """The most tokens that any of these may have if all of them are to fit."""
    left = room
    for index, tokens in enumerate(sorted(sizes)):
        level = left // (len(sizes) - index)
        if tokens > level:
            return level
        left -= tokens
    return max(sizes, default=0)


def shorten(message: KeptMessage, tokens: int) -> KeptMessage:
    """Beginning and end of a message, in about so many tokens; as it is if it is no longer than that."""
    if count_tokens(message) <= tokens:
        return message
    text = message.text + message.end
    half = max(8, int(len(text) * tokens / max(1, estimate(text)) / 2))
    while True:
        head, end = _head(message, half), _end(message, half)
        left_out = message.left_out + len(text) - len(head) - len(end)
        made = replace(message, text=head, left_out=left_out, end=end)
        if half <= 8 or count_tokens(made) <= tokens:
            return made
        half = half * 3 // 4


def _head(message: KeptMessage, half: int) -> str:
    return message.text[:half]


def _end(message: KeptMessage, half: int) -> str:
    """The last characters; a message that was cut before has them apart."""
    return message.end[-half:] if message.end else message.text[max(half, len(message.text) - half) :]
