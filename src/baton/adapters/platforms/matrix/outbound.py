"""What we put into rooms: a plain body with HTML beside it, threads, edits and files.

In an encrypted room everything is encrypted, never plain. Where a file is and the key to it are both in `File.ref`.
"""

# pyright: reportMissingTypeStubs=false
from __future__ import annotations

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import Mapping
from hashlib import sha256

from baton.adapters.platforms.json_fields import Json, parse_json, table, text
from baton.adapters.platforms.markup.html import to_html
from baton.adapters.platforms.markup.spans import to_plain
from baton.adapters.platforms.matrix.api import MEDIA, MEDIA_OF_OTHERS, Api, path, refusal, send_later
from baton.adapters.platforms.matrix.encryption import Machine
from baton.adapters.platforms.matrix.place import NAME
from baton.core.errors import SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Upload

LIMIT = 40_000
"""An event has at most 65 536 bytes. Encrypted, a text of this size takes 53 000, and an edit repeats some of it."""

_FALLBACK = 500
_KINDS = {"image": "m.image", "audio": "m.audio", "video": "m.video"}
_LARGEST = 20_000_000
_ADDRESS = re.compile(r"mxc://([A-Za-z0-9.:\[\]-]{1,255})/([A-Za-z0-9_-]{1,255})")


class Sender:
    """Puts events into rooms: encrypted if the room is, and never in plain text there."""

    def __init__(self, api: Api, machine: Machine) -> None:
        self._api = api
        self._machine = machine
        self._sharing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def is_encrypted(self, room_id: str) -> bool:
        """Asks the server unless `/sync` has told us: a room may have become encrypted while we were away.
        `SendRefused` if we are not in the room.
        """
        room = self._machine.rooms.get(room_id)
        if room is not None and room.encrypted:
            return True
        try:
            await self._api.ask(path("rooms", room_id, "state", "m.room.encryption"))
        except SendRefused as error:
            if error.facts.get("errcode") == "M_NOT_FOUND":
                return False
            raise
        if room is None:
            raise send_later("the room is encrypted, and its members are not known yet")
        self._machine.mark_encrypted(room_id)
        return True

    async def put(self, room_id: str, content: dict[str, object], transaction: str) -> str:
        """The id of the event. The same transaction yields the same event."""
        kind = "m.room.message"
        if await self.is_encrypted(room_id):
            async with self._sharing[room_id]:
                await self._machine.share_key(room_id)
            kind, content = "m.room.encrypted", self._machine.seal(room_id, content)
        answer = await self._api.tell("PUT", path("rooms", room_id, "send", kind, transaction), content)
        if not (identity := text(answer.get("event_id"))):
            raise SendUnsure(platform=NAME, reason="the server did not name the event")
        return identity


def size(markdown: str) -> int:
    """The bytes of body and HTML, escaped as they are before encryption."""
    return len(json.dumps(to_plain(markdown))) + len(json.dumps(to_html(markdown)))


def transaction_id(key: str) -> str:
    """The same for the same key: a homeserver accepts each only once."""
    return f"baton-{sha256(key.encode('utf-8', 'replace')).hexdigest()[:40]}"


def render_text(markdown: str) -> dict[str, object]:
    """A text message; a name that happens to be in it notifies nobody."""
    return {"msgtype": "m.text", "m.mentions": {}, **_render_bodies(markdown)}


def render_file(upload: Upload, markdown: str, where: Mapping[str, object]) -> dict[str, object]:
    """A file with its caption; `where` is its `url`, or the `file` that says how to decrypt it."""
    caption = _render_bodies(markdown) if markdown else {"body": upload.name}
    return {
        "msgtype": _KINDS.get(upload.media_type.partition("/")[0], "m.file"),
        "m.mentions": {},
        "filename": upload.name,
        "info": {"mimetype": upload.media_type, "size": len(upload.data)},
        **where,
        **caption,
    }


def put_in_thread(place: Place, content: Json) -> dict[str, object]:
    """The content, placed in the thread that the place names."""
    if not place.thread:
        return dict(content)
    root = {"event_id": place.thread}
    relation = {"rel_type": "m.thread", "is_falling_back": True, "m.in_reply_to": root, **root}
    return {**content, "m.relates_to": relation}


def render_edit(receipt: str, content: Json) -> dict[str, object]:
    """An edit; clients without edits show the beginning of the new text."""
    body = f"* {content['body']}"
    fallback = body if len(body) <= _FALLBACK else f"{body[:_FALLBACK]}…"
    relation = {"rel_type": "m.replace", "event_id": receipt}
    return {
        "msgtype": content["msgtype"],
        "body": fallback,
        "m.mentions": {},
        "m.new_content": content,
        "m.relates_to": relation,
    }


def _render_bodies(markdown: str) -> dict[str, object]:
    html = to_html(markdown)
    return {"body": to_plain(markdown), "format": "org.matrix.custom.html", "formatted_body": html}


def file_reference(content: Json) -> str:
    """Where the file of a message is and how it is decrypted; empty if it is not on Matrix."""
    sealed = table(content.get("file"))
    address = text(sealed.get("url")) if sealed else text(content.get("url"))
    if _ADDRESS.fullmatch(address) is None:
        return ""
    if not sealed:
        return address
    key, hashes = table(sealed.get("key")), table(sealed.get("hashes"))
    parts = {"k": text(key.get("k")), "iv": text(sealed.get("iv")), "sha256": text(hashes.get("sha256"))}
    return json.dumps({"url": address, **parts}) if all(parts.values()) else ""


async def fetch_file(api: Api, ref: str) -> bytes:
    """Only from our own homeserver, which fetches what other servers keep."""
    sealed = table(parse_json(ref) if ref.startswith("{") else None)
    found = _ADDRESS.fullmatch(text(sealed.get("url")) if sealed else ref)
    if found is None:
        raise refusal("that is no file on Matrix")
    data = await api.load(path("download", *found.groups(), under=MEDIA_OF_OTHERS), _LARGEST)
    return _decrypt(data, sealed) if sealed else data


async def upload_file(api: Api, file: Upload, *, seal: bool) -> dict[str, object]:
    """The fields that name the file: its address, or with `seal` the address and key of its encrypted form."""
    if not seal:
        media_type = file.media_type if file.media_type.isascii() and file.media_type.isprintable() else ""
        return {"url": await _upload(api, file.data, media_type or "application/octet-stream")}
    from nio.crypto.attachments import encrypt_attachment

    data, keys = encrypt_attachment(file.data)
    return {"file": {**keys, "url": await _upload(api, data, "application/octet-stream")}}


async def _upload(api: Api, data: bytes, media_type: str) -> str:
    address = text((await api.put("POST", path("upload", under=MEDIA), data, media_type)).get("content_uri"))
    if _ADDRESS.fullmatch(address) is None:
        raise refusal("the server did not say where it keeps the file")
    return address


def _decrypt(data: bytes, sealed: Json) -> bytes:
    from nio.crypto.attachments import decrypt_attachment
    from nio.exceptions import EncryptionError

    try:
        return decrypt_attachment(data, *(text(sealed.get(name)) for name in ("k", "sha256", "iv")))
    except (EncryptionError, ValueError):
        raise refusal("the file cannot be decrypted: its key does not fit") from None
