"""Text of Slack read, and text for Slack made harmless."""

from __future__ import annotations

import re

_REFERENCE = re.compile(r"<(?:([@#!])([^<>|\s]+)|([a-z][a-z0-9+.-]*:[^<>|\s]+))(?:\|([^<>\n]*))?>")
_MENTION = re.compile(r"<(?=!(?:channel|here|everyone|subteam\^)|@[UW][A-Z0-9])")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
_INVISIBLE = "\u200b"


def readable(text: str, me: str) -> str:
    """What a person typed: addresses and names instead of references, and no mention of us in front."""
    text = re.sub(rf"^\s*<@{re.escape(me)}(?:\|[^<>]*)?>[\s:,]*", "", text)
    text = _REFERENCE.sub(_reference, text)
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return text


def _reference(found: re.Match[str]) -> str:
    kind, target, label = found[1], found[2] or found[3], found[4]
    if kind == "!":
        return label or f"@{target.partition('^')[0]}"
    if kind:
        return f"{kind}{label or target}"
    if not label or label in (target, target.partition("://")[2], target.removeprefix("mailto:")):
        return target.removeprefix("mailto:") if target.startswith("mailto:") else target
    return f"{label} ({target})"


def harmless(markdown: str) -> str:
    """The same Markdown, calling nobody: what Slack would read as a mention has an invisible character in it."""
    return _MENTION.sub(f"<{_INVISIBLE}", markdown)


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
