"""Whom a message calls: the server finds names in a text by itself, except in code and in addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.support.platforms.telegram.world import PEOPLE, Json

_NAME = re.compile(r"(?<!\w)@(\w{2,32})", re.ASCII)
_ADDRESS = re.compile(r"https?://\S+")
_CODE = ("code", "pre")


def called_by(message: Json) -> list[str]:
    text = message.get("text") or message.get("caption") or ""
    entities: list[Json] = message.get("entities") or message.get("caption_entities") or []
    known = {person["username"].casefold() for person in PEOPLE.values() if "username" in person}
    linked = [each["type"] for each in entities if each["type"] == "text_mention" or _person(each)]
    return [name for name in _names(text, entities) if name.casefold() in known] + linked


def _person(entity: Json) -> bool:
    return str(entity.get("url", "")).startswith("tg:")


def _names(text: str, entities: list[Json]) -> Iterator[str]:
    code = [range(each["offset"], each["offset"] + each["length"]) for each in entities if each["type"] in _CODE]
    for name in _NAME.finditer(_ADDRESS.sub(lambda found: " " * len(found[0]), text)):
        at = len(text[: name.start()].encode("utf-16-le")) // 2
        if not any(at in each for each in code):
            yield name[1]
