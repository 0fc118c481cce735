"""What our messages look like on Matrix: a plain body, HTML beside it, and what they hang on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

from baton.adapters.platforms.json_fields import Json
from baton.adapters.platforms.markup.html import to_html
from baton.adapters.platforms.markup.plain import to_plain
from baton.core.transfer.place import Place
from baton.ports.platform import Upload

LIMIT = 40_000
"""An event has at most 65 536 bytes. Encrypted, a text of this size takes 53 000, and an edit repeats some of it."""

_FALLBACK = 500
_KINDS = {"image": "m.image", "audio": "m.audio", "video": "m.video"}


def size(markdown: str) -> int:
    """The bytes of body and HTML, escaped as they are before encryption."""
    return len(json.dumps(to_plain(markdown))) + len(json.dumps(to_html(markdown)))


def transaction(key: str) -> str:
    """The same for the same key: a homeserver accepts each once."""
    return f"baton-{sha256(key.encode('utf-8', 'replace')).hexdigest()[:40]}"


def words(markdown: str) -> dict[str, object]:
    """A text message; nobody is notified by a name that happens to be in it."""
    return {"msgtype": "m.text", "m.mentions": {}, **_both(markdown)}


def attachment(upload: Upload, markdown: str, where: Mapping[str, object]) -> dict[str, object]:
    """A file with its caption; `where` is its `url`, or the `file` that says how to decrypt it."""
    caption = _both(markdown) if markdown else {"body": upload.name}
    return {
        "msgtype": _KINDS.get(upload.media_type.partition("/")[0], "m.file"),
        "m.mentions": {},
        "filename": upload.name,
        "info": {"mimetype": upload.media_type, "size": len(upload.data)},
        **where,
        **caption,
    }


def within(place: Place, content: Json) -> dict[str, object]:
    """The content, in the thread the place names."""
    if not place.thread:
        return dict(content)
    root = {"event_id": place.thread}
    relation = {"rel_type": "m.thread", "is_falling_back": True, "m.in_reply_to": root, **root}
    return {**content, "m.relates_to": relation}


def replacing(receipt: str, content: Json) -> dict[str, object]:
    """An edit; clients that know none show the beginning of the new text."""
    body = f"* {content['body']}"
    shown = body if len(body) <= _FALLBACK else f"{body[:_FALLBACK]}…"
    relation = {"rel_type": "m.replace", "event_id": receipt}
    return {
        "msgtype": content["msgtype"],
        "body": shown,
        "m.mentions": {},
        "m.new_content": content,
        "m.relates_to": relation,
    }


def _both(markdown: str) -> dict[str, object]:
    html = to_html(markdown)
    return {"body": to_plain(markdown), "format": "org.matrix.custom.html", "formatted_body": html}
