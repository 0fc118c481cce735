"""Slack's published rules for the calls we make, as far as the emulator does not know them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_ARGUMENTS: dict[str, frozenset[str]] = {
    "auth.test": frozenset(),
    "apps.connections.open": frozenset(),
    "chat.postMessage": frozenset({
        "channel", "text", "blocks", "metadata", "thread_ts", "unfurl_links", "unfurl_media",
    }),
    "chat.update": frozenset({"channel", "ts", "text", "blocks", "metadata"}),
    "conversations.history": frozenset({"channel", "oldest", "latest", "limit", "cursor", "include_all_metadata"}),
    "conversations.members": frozenset({"channel", "limit", "cursor"}),
    "conversations.replies": frozenset({
        "channel", "ts", "oldest", "latest", "limit", "cursor", "include_all_metadata",
    }),
    "files.getUploadURLExternal": frozenset({"filename", "length"}),
    "files.completeUploadExternal": frozenset({"files", "channel_id", "thread_ts", "initial_comment"}),
    "files.info": frozenset({"file"}),
    "assistant.threads.setStatus": frozenset({"channel_id", "thread_ts", "status"}),
}  # fmt: skip
_JSON = frozenset({
    "chat.postMessage", "chat.update", "files.completeUploadExternal", "assistant.threads.setStatus",
})  # fmt: skip
MARKDOWN, TEXT, HEADER, LABEL, VALUE, ELEMENTS, BLOCKS = 12_000, 40_000, 150, 75, 2_000, 25, 50


def broken(method: str, body: dict[str, Any], query: str, content_type: str) -> Iterator[str]:
    """Each rule that a call breaks, in words."""
    if method not in _ARGUMENTS:
        yield f"{method} is not a method we know"
        return
    if query:
        yield f"{method}: arguments in the address"
    if content_type == "application/json" and method not in _JSON:
        yield f"{method} takes no JSON"
    if extra := set(body) - _ARGUMENTS[method]:
        yield f"{method}: unknown arguments {sorted(extra)}"
    if len(str(body.get("text", ""))) > TEXT:
        yield f"{method}: text of {len(body['text'])} characters"


def bad_blocks(blocks: list[dict[str, Any]]) -> str:
    """Slack's error for these blocks, or an empty string."""
    if len(blocks) > BLOCKS:
        return "invalid_blocks"
    written = sum(len(str(block.get("text", ""))) for block in blocks if block.get("type") == "markdown")
    if written > MARKDOWN:
        return "msg_blocks_too_long"
    ids = [block["block_id"] for block in blocks if "block_id" in block]
    fine = len(ids) == len(set(ids)) and all(_is_fine(block) for block in blocks)
    return "" if fine else "invalid_blocks"


def _is_fine(block: dict[str, Any]) -> bool:
    match block:
        case {"type": "markdown", "text": str() as text}:
            return bool(text.strip())
        case {"type": "header", "text": {"type": "plain_text", "text": str() as text}}:
            return 0 < len(text) <= HEADER
        case {"type": "actions", "elements": [_, *_] as elements}:
            actions = {each.get("action_id") for each in elements}
            return len(elements) <= ELEMENTS and len(actions) == len(elements) and all(map(_is_button, elements))
        case _:
            return False


def _is_button(element: dict[str, Any]) -> bool:
    match element:
        case {
            "type": "button",
            "action_id": str(),
            "text": {"type": "plain_text", "text": str() as label},
            "value": str() as value,
        }:
            return 0 < len(label) <= LABEL and len(value) <= VALUE
        case _:
            return False
