"""Rules of the Bot API that its schema only tells in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any
from urllib.parse import urlsplit

from tests.support.platforms.telegram.world import Chat, World

TEXT, CAPTION = 4096, 1024
_STYLES = {"bold", "italic", "underline", "strikethrough", "spoiler"}
_CODE = {"code", "pre"}
_COMMAND = re.compile(r"[a-z0-9_]{1,32}")


class Refusal(Exception):
    """An answer with `ok: false`."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters


def bad(reason: str) -> Refusal:
    return Refusal(400, f"Bad Request: {reason}")


def chat_of(world: World, given: Mapping[str, Any]) -> Chat:
    chat = world.chats.get(given.get("chat_id", 0))
    if chat is None:
        raise bad("chat not found")
    return chat


def topic_of(chat: Chat, given: Mapping[str, Any]) -> int | None:
    topic = given.get("message_thread_id")
    if topic is not None and topic not in chat.topics:
        raise bad("message thread not found")
    return topic


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def check_text(text: str, entities: list[dict[str, Any]], limit: int) -> None:
    if not text.strip():
        raise bad("message text is empty")
    if units(text) > limit:
        raise bad("message is too long" if limit == TEXT else "message caption is too long")
    for fault in entity_faults(text, entities):
        raise bad(f"wrong message entity: {fault}")


def entity_faults(text: str, entities: list[dict[str, Any]]) -> Iterator[str]:
    """The real server mends some of these silently; here they are faults."""
    total = units(text)
    inside = _halves(text)
    if len(entities) > 100:
        yield "more than 100 entities"
    for each in entities:
        start, end = each["offset"], each["offset"] + each["length"]
        if start < 0 or each["length"] < 1 or end > total:
            yield f"{each['type']} lies outside of the text"
        elif start in inside or end in inside:
            yield f"{each['type']} cuts a character in two"
        if each["type"] == "text_link" and not _web(each.get("url", "")):
            yield "URL host is empty or its protocol is not allowed"
    for one, other in combinations(entities, 2):
        yield from _pair(one, other)


def _halves(text: str) -> set[int]:
    """Positions in the middle of a surrogate pair."""
    found, at = set(), 0
    for character in text:
        if character > "\uffff":
            found.add(at + 1)
            at += 1
        at += 1
    return found


def _web(url: str) -> bool:
    parts = urlsplit(url)
    host = parts.hostname or ""
    return parts.scheme in ("http", "https", "tg") and ("." in host or ":" in host)


def _pair(one: dict[str, Any], other: dict[str, Any]) -> Iterator[str]:
    a, b = (one["offset"], one["offset"] + one["length"]), (other["offset"], other["offset"] + other["length"])
    if a[1] <= b[0] or b[1] <= a[0]:
        return
    kinds = {one["type"], other["type"]}
    if not ((a[0] <= b[0] and b[1] <= a[1]) or (b[0] <= a[0] and a[1] <= b[1])):
        yield f"{one['type']} and {other['type']} overlap"
    if one["type"] == other["type"]:
        yield f"{one['type']} lies within its like"
    if kinds & _CODE and kinds & (_STYLES | {"text_link"}):
        yield "code holds, or is part of, something else"


def check_keyboard(markup: Any) -> None:
    if markup is None:
        return
    rows = markup.get("inline_keyboard", [])
    for button in (each for row in rows for each in row):
        if not button.get("text"):
            raise bad("inline keyboard button text is empty")
        if not 1 <= len(button.get("callback_data", "").encode()) <= 64:
            raise bad("BUTTON_DATA_INVALID")
    if not rows or not all(rows) or any(len(row) > 8 for row in rows):
        raise bad("reply markup is wrong")


def check_commands(commands: list[dict[str, Any]]) -> None:
    if len(commands) > 100:
        raise bad("BOT_COMMANDS_TOO_MUCH")
    for each in commands:
        if _COMMAND.fullmatch(each["command"]) is None:
            raise bad("BOT_COMMAND_INVALID")
        if not 1 <= len(each["description"]) <= 256:
            raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
