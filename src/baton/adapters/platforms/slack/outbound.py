"""Messages as Slack takes them: Markdown, the same in Slack's own markup where Markdown is not shown, and files.

A file is known by its id before anybody sees it, so that a send whose answer got lost can be found again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from baton.adapters.platforms.json_fields import Json, storable, table, tables, text
from baton.adapters.platforms.markup.delimited import escape_mrkdwn, to_mrkdwn
from baton.adapters.platforms.markup.spans import utf16
from baton.adapters.platforms.slack.api import Api
from baton.adapters.platforms.slack.inbound import BLOCK
from baton.adapters.platforms.slack.place import NAME
from baton.core.errors import SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Button, File, Outgoing, PlatformState, Upload

LIMIT = 10_000
"""Slack documents 12,000 characters, but refuses some texts beyond 10,000 once it has translated them."""

_TITLE, _LABEL, _BUTTONS = 150, 75, 25
_EVENT = "baton"
_MENTION = re.compile(r"<(?=!(?:channel|here|everyone|subteam\^)|@[UW][A-Z0-9])")
_INVISIBLE = "\u200b"
_LARGEST = 20_000_000
UNSHARED = "file:"
"""Prefix of the receipt of a file that Slack accepted but has not shown yet."""


def size(markdown: str) -> int:
    return utf16(without_mentions(markdown))


def address(place: Place) -> dict[str, object]:
    return {"channel": place.room, **({"thread_ts": place.thread} if place.thread else {})}


def render(message: Outgoing) -> dict[str, object]:
    """`text` is what notifications and old clients show. `SendRefused` beyond the limit."""
    if size(message.text) > LIMIT:
        raise SendRefused(platform=NAME, reason=f"a message has at most {LIMIT} characters")
    blocks: list[dict[str, object]] = [{"type": "markdown", "text": without_mentions(storable(message.text))}]
    if message.buttons:
        blocks.append({"type": "actions", "block_id": BLOCK, "elements": _render_buttons(message.buttons)})
    return {"text": to_mrkdwn(storable(message.text)), "blocks": blocks}


def render_without_blocks(message: Outgoing) -> dict[str, object]:
    """For a text that Slack cannot turn into blocks."""
    return {"text": to_mrkdwn(storable(message.text)), "blocks": []}


def render_title(title: str) -> dict[str, object]:
    """The first message of a thread."""
    line = " ".join(title.split())[:_TITLE] or "Baton"
    header = {"type": "header", "text": {"type": "plain_text", "text": line, "emoji": False}}
    return {"text": f"*{escape_mrkdwn(line)}*", "blocks": [header]}


def mark_with_key(key: str) -> dict[str, object]:
    """Metadata by which `has_key` recognises the message; people do not see it."""
    return {"metadata": {"event_type": _EVENT, "event_payload": {"key": key}}}


def has_key(metadata: Json, key: str) -> bool:
    return metadata.get("event_type") == _EVENT and metadata.get("event_payload") == {"key": key}


def _render_buttons(buttons: Sequence[Button]) -> list[dict[str, object]]:
    return [
        {
            "type": "button",
            "action_id": f"{BLOCK}-{number}",
            "text": {"type": "plain_text", "text": button.label[:_LABEL], "emoji": True},
            "value": button.choice,
        }
        for number, button in enumerate(buttons[:_BUTTONS])
    ]


def without_mentions(markdown: str) -> str:
    """The same Markdown, notifying nobody: an invisible character breaks what Slack would read as a mention."""
    return _MENTION.sub(f"<{_INVISIBLE}", markdown)


class FileTransfer:
    """Uploads and fetches files."""

    def __init__(self, api: Api, state: PlatformState) -> None:
        self._api = api
        self._state = state

    async def send(self, place: Place, upload: Upload, caption: str, key: str) -> str:
        """The receipt: the time of the message with the file, or `UNSHARED` and its id."""
        name = upload.name or "file"
        asked = {"filename": name, "length": len(upload.data)}
        answer = await self._api.read("files.getUploadURLExternal", asked)
        number = text(answer.get("file_id"))
        await self._api.upload(text(answer.get("upload_url")), upload.data)
        self._state.put(_state_key(key), number)
        body: dict[str, object] = {"files": [{"id": number, "title": name}], "channel_id": place.room}
        if caption:
            body["initial_comment"] = to_mrkdwn(caption)
        if place.thread:
            body["thread_ts"] = place.thread
        done = await self._api.write("files.completeUploadExternal", body)
        shared = next(tables(done.get("files")), None)
        if shared is None:
            raise SendUnsure(platform=NAME, reason="it was not said whether the file was shared")
        return _shared_ts(shared, place) or f"{UNSHARED}{number}"

    def is_sent_as(self, message: Json, key: str) -> bool:
        """Whether this message shares the file sent with this key."""
        number = self._state.get(_state_key(key))
        return bool(number) and any(each.get("id") == number for each in tables(message.get("files")))

    async def fetch(self, file: File) -> bytes:
        if file.size > _LARGEST:
            raise SendRefused(platform=NAME, reason=f"the file has more than {_LARGEST} bytes")
        known = table((await self._api.read("files.info", {"file": file.ref})).get("file"))
        address = text(known.get("url_private_download")) or text(known.get("url_private"))
        kind, data = await self._api.download(address, _LARGEST)
        if kind == "text/html" and file.media_type != kind:
            raise SendRefused(
                platform=NAME, reason="Slack sent a page instead of the file; the scope files:read is needed"
            )
        return data


def _shared_ts(file: Json, place: Place) -> str:
    shares = table(file.get("shares"))
    for kind in ("public", "private"):
        for share in tables(table(shares.get(kind)).get(place.room)):
            return text(share.get("ts"))
    return ""


def _state_key(key: str) -> str:
    return f"file:{key}"
