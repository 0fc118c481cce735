"""What makes a message acceptable, by the rules that are only written in Discord's prose."""

from __future__ import annotations

import re

from tests.support.platforms.discord.shapes import Json
from tests.support.platforms.discord.world import Refuse

_LIMIT = 2000
_MENTIONS = {
    "everyone": re.compile(r"@everyone|@here"),
    "users": re.compile(r"<@!?\d+>"),
    "roles": re.compile(r"<@&\d+>"),
}
_SETTABLE_FLAGS = (1 << 2) | (1 << 12) | (1 << 15)


def check(body: Json, *, has_files: bool = False) -> None:
    """Raises what Discord would answer."""
    content = body.get("content") or ""
    if len(content) > _LIMIT:
        raise invalid("content: Must be 2000 or fewer in length")
    if not content.strip() and not has_files and not body.get("embeds") and "content" in body:
        raise Refuse(400, 50006, "Cannot send an empty message")
    if int(body.get("flags") or 0) & ~_SETTABLE_FLAGS:
        raise invalid("flags: cannot be set")
    nonce = body.get("nonce")
    if nonce is not None and len(str(nonce)) > 25:
        raise invalid("nonce: Must be 25 or fewer in length")
    _components(body.get("components") or [])


def called(body: Json) -> list[str]:
    """Whom a message with this body notifies; without `allowed_mentions`, everybody it names."""
    content, allowed = body.get("content") or "", body.get("allowed_mentions") or {"parse": list(_MENTIONS)}
    found = [call for kind in allowed.get("parse", []) for call in _MENTIONS[kind].findall(content)]
    return found + [user for user in allowed.get("users", []) if f"<@{user}>" in content]


def invalid(reason: str) -> Refuse:
    return Refuse(400, 50035, f"Invalid Form Body: {reason}")


def as_kept(components: list[Json]) -> list[Json]:
    """Discord gives every component a number."""
    kept, number = [], 0
    for row in components:
        number += 1
        made = {"type": 1, "id": number, "components": []}
        for each in row["components"]:
            number += 1
            made["components"].append({**each, "id": number})
        kept.append(made)
    return kept


def _components(rows: list[Json]) -> None:
    if len(rows) > 5:
        raise invalid("components: Must be 5 or fewer in length")
    seen: set[str] = set()
    for row in rows:
        buttons = row.get("components")
        if row.get("type") != 1 or not isinstance(buttons, list) or not 1 <= len(buttons) <= 5:
            raise invalid("components: an action row has 1 to 5 components")
        for each in buttons:
            _button(each, seen)


def _button(button: Json, seen: set[str]) -> None:
    name = button.get("custom_id")
    if button.get("type") != 2 or button.get("style") not in (1, 2, 3, 4):
        raise invalid("components: not a button")
    if not isinstance(name, str) or not 1 <= len(name) <= 100:
        raise invalid("components: custom_id: Must be between 1 and 100 in length")
    if name in seen:
        raise invalid("components: Component custom id cannot be duplicated")
    if not 1 <= len(button.get("label") or "") <= 80:
        raise invalid("components: label: Must be between 1 and 80 in length")
    seen.add(name)
