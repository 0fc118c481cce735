"""Chats and topics as places. Every place of this platform is made by `place`."""

from __future__ import annotations

import re

from baton.core.errors import BadPlace, SendRefused
from baton.core.ids import quote
from baton.core.transfer.place import Place

NAME = "telegram"

_GENERAL = 1
"""The topic of a forum that is the forum's own: it is written to without naming it."""

_CHAT = re.compile(r"-?[1-9][0-9]{0,17}")
_TOPIC = re.compile(r"[1-9][0-9]{0,17}")


def place(chat: int, topic: int | None = None) -> Place:
    return Place(NAME, str(chat), str(topic) if topic and topic != _GENERAL else "")


def room(text: str) -> Place:
    """The chat with this id; `BadPlace` for names, which can change hands."""
    if _CHAT.fullmatch(text) is None:
        raise BadPlace(
            value=quote(text), reason="a Telegram chat is named by its number, such as 777 or -1001234567890"
        )
    return place(int(text))


def chat_of(where: Place) -> int:
    if _CHAT.fullmatch(where.room) is None:
        raise SendRefused(platform=NAME, reason=f"{quote(where.room)} is not the id of a chat")
    return int(where.room)


def is_group(where: Place) -> bool:
    """Groups and channels have negative ids; a person's is positive."""
    return chat_of(where) < 0


def topic_of(where: Place) -> int | None:
    if not where.thread:
        return None
    if _TOPIC.fullmatch(where.thread) is None:
        raise SendRefused(platform=NAME, reason=f"{quote(where.thread)} is not the id of a topic")
    return int(where.thread)
