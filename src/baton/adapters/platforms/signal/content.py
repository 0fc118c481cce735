"""What the daemon is given: a message's words with their styles, and a file as a data URI."""

from __future__ import annotations

import base64
from urllib.parse import quote

from baton.adapters.platforms.shapes import Json
from baton.adapters.platforms.signal.place import NAME, recipient
from baton.adapters.platforms.signal.styles import styled
from baton.core.errors import SendRefused
from baton.core.place import Place
from baton.ports.platform import Outgoing, Upload


def content(message: Outgoing) -> Json:
    words, ranges = styled(message.text)
    if not words.strip() and message.file is None:
        raise SendRefused(platform=NAME, reason="there is nothing to send")
    said: dict[str, object] = {"message": words}
    if ranges:
        said["textStyles"] = ranges
    if message.file is not None:
        said["attachments"] = [_data_uri(message.file)]
    return said


def _data_uri(upload: Upload) -> str:
    kind = upload.media_type.partition(";")[0].strip() or "application/octet-stream"
    name = quote(upload.name, safe="")
    return f"data:{kind};filename={name};base64,{base64.b64encode(upload.data).decode()}"


def source(where: Place) -> Json:
    named = recipient(where)
    return named if "groupId" in named else {"recipient": where.room}
