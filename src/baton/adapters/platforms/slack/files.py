"""Files, both ways. What is sent is known by its id before anybody sees it, so it can be found again."""

from __future__ import annotations

from baton.adapters.platforms.json_fields import Json, table, tables, text
from baton.adapters.platforms.markup.mrkdwn import to_mrkdwn
from baton.adapters.platforms.slack.api import Api
from baton.adapters.platforms.slack.place import PLATFORM
from baton.core.errors import SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import File, Shelf, Upload

MOST = 20_000_000
UNSHARED = "file:"
"""Begins the receipt of a file that Slack took but has not shown yet."""


class Files:
    def __init__(self, api: Api, shelf: Shelf) -> None:
        self._api = api
        self._shelf = shelf

    async def send(self, place: Place, upload: Upload, caption: str, key: str) -> str:
        """The receipt: the time of the message with the file, or `UNSHARED` and its id."""
        name = upload.name or "file"
        asked = {"filename": name, "length": len(upload.data)}
        answer = await self._api.read("files.getUploadURLExternal", asked)
        number = text(answer.get("file_id"))
        await self._api.upload(text(answer.get("upload_url")), upload.data)
        self._shelf.put(_name(key), number)
        body: dict[str, object] = {"files": [{"id": number, "title": name}], "channel_id": place.room}
        if caption:
            body["initial_comment"] = to_mrkdwn(caption)
        if place.thread:
            body["thread_ts"] = place.thread
        done = await self._api.write("files.completeUploadExternal", body)
        shared = next(tables(done.get("files")), None)
        if shared is None:
            raise SendUnsure(platform=PLATFORM, reason="it was not said whether the file was shared")
        return _shared_at(shared, place) or f"{UNSHARED}{number}"

    def is_sent_as(self, message: Json, key: str) -> bool:
        """Whether this message shares the file sent with this key."""
        number = self._shelf.get(_name(key))
        return bool(number) and any(each.get("id") == number for each in tables(message.get("files")))

    async def fetch(self, file: File) -> bytes:
        if file.size > MOST:
            raise SendRefused(platform=PLATFORM, reason=f"the file has more than {MOST} bytes")
        known = table((await self._api.read("files.info", {"file": file.ref})).get("file"))
        address = text(known.get("url_private_download")) or text(known.get("url_private"))
        kind, data = await self._api.download(address, MOST)
        if kind == "text/html" and file.media_type != kind:
            raise SendRefused(
                platform=PLATFORM, reason="a page came instead of the file; the scope files:read is needed"
            )
        return data


def _shared_at(file: Json, place: Place) -> str:
    shares = table(file.get("shares"))
    for kind in ("public", "private"):
        for share in tables(table(shares.get(kind)).get(place.room)):
            return text(share.get("ts"))
    return ""


def _name(key: str) -> str:
    return f"file:{key}"
