"""What the daemon is given to send: words with their styles, a file as a data URI, and the message an edit names."""

from __future__ import annotations

import base64
from urllib.parse import quote

from baton.adapters.platforms.json_fields import Json, storable
from baton.adapters.platforms.markup.spans import to_spans
from baton.adapters.platforms.signal.place import NAME, recipient
from baton.core.errors import SendRefused
from baton.core.transfer.place import Place
from baton.ports.platform import Outgoing, Upload

_STYLES = {
    "bold": "BOLD",
    "italic": "ITALIC",
    "strike": "STRIKETHROUGH",
    "code": "MONOSPACE",
    "pre": "MONOSPACE",
    "quote": "ITALIC",
}
_MOST_REVISIONS = 500


def render_message(message: Outgoing) -> Json:
    words, ranges = render(message.text)
    if not words.strip() and message.file is None:
        raise SendRefused(platform=NAME, reason="there is nothing to send")
    said: dict[str, object] = {"message": words}
    if ranges:
        said["textStyles"] = ranges
    if message.file is not None:
        said["attachments"] = [_data_uri(message.file)]
    return said


def render(markdown: str) -> tuple[str, list[str]]:
    """The text, and `start:length:STYLE` in UTF-16 units for each range. A text of marks only is sent as written."""
    written = storable(markdown)
    found = to_spans(written, links=False)
    ranges = [f"{span.start}:{span.length}:{_STYLES[span.kind]}" for span in found.spans if span.kind in _STYLES]
    return found.text or written, ranges


def _data_uri(upload: Upload) -> str:
    kind = upload.media_type.partition(";")[0].strip() or "application/octet-stream"
    name = quote(upload.name, safe="")
    return f"data:{kind};filename={name};base64,{base64.b64encode(upload.data).decode()}"


def source(where: Place) -> Json:
    named = recipient(where)
    return named if "groupId" in named else {"recipient": where.room}


class Revisions:
    """The newest revision of each message edited by this process: apps drop an edit that names an older one.

    After a restart the first edit names the message itself, as it must.
    """

    def __init__(self) -> None:
        self._newest: dict[str, str] = {}
        self._first: dict[str, str] = {}

    def newest(self, receipt: str) -> str:
        return self._newest.get(receipt, receipt)

    def receipt(self, revision: str) -> str:
        """The receipt of the message that this is a revision of."""
        return self._first.get(revision, revision)

    def add(self, receipt: str, revision: str) -> None:
        self._newest[receipt] = revision
        self._first[revision] = receipt
        for kept in (self._newest, self._first):
            while len(kept) > _MOST_REVISIONS:
                del kept[next(iter(kept))]
