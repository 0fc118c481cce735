"""Messages that hold another's, and whom a message calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_CALL = re.compile(r"<(?:!(?:channel|here|everyone|subteam\^)|@[UW][A-Z0-9])[^<>]*>")
_WRITTEN = ("text", "initial_comment")


def shared_message(channel: str, author: str, message: dict[str, Any]) -> dict[str, Any]:
    """A message of somebody as it hangs on the one that shares it."""
    address = f"https://emulate.slack.com/archives/{channel}/p{message['ts'].replace('.', '')}"
    block = {"type": "rich_text", "block_id": "q", "elements": [_section(message["text"])]}
    return {
        "is_msg_unfurl": True,
        "is_share": True,
        "channel_id": channel,
        "ts": message["ts"],
        "author_id": author,
        "author_name": "Mallory",
        "from_url": address,
        "original_url": address,
        "fallback": f"[today] mallory: {message['text']}",
        "text": message["text"],
        "message_blocks": [{"team": "T", "channel": channel, "ts": message["ts"], "message": {"blocks": [block]}}],
        "mrkdwn_in": ["text"],
    }


def _section(text: str) -> dict[str, Any]:
    return {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}


def called_by(method: str, body: dict[str, Any]) -> list[str]:
    """The references to people in whatever Slack reads references in: the text, and blocks but for plain ones."""
    if not method.startswith(("chat.", "files.complete")):
        return []
    return [call for text in _read(body) for call in _CALL.findall(text)]


def _read(body: dict[str, Any]) -> Iterator[str]:
    yield from (str(body.get(name) or "") for name in _WRITTEN)
    for block in body.get("blocks") or []:
        text = block.get("text", "")
        if isinstance(text, str):
            yield text
        elif text.get("type") == "mrkdwn":
            yield text["text"]
