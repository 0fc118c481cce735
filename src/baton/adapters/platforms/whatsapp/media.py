"""Files to and from WhatsApp."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from baton.adapters.platforms.http_calls import read_call
from baton.adapters.platforms.json_fields import parse_json, table, text, whole
from baton.adapters.platforms.whatsapp.errors import Answer, raised
from baton.adapters.platforms.whatsapp.graph import Graph
from baton.adapters.platforms.whatsapp.place import NAME
from baton.core.errors import SendLater, SendRefused, SendUnsure
from baton.ports.platform import File, Upload

LARGEST = 20_000_000
_ID = re.compile(r"[A-Za-z0-9_-]{1,200}")
_OURS = (".fbcdn.net", ".fbsbx.com", ".whatsapp.net", ".facebook.com", ".whatsapp.com")
_OFFICE = "application/vnd.openxmlformats-officedocument"
_TAKEN = frozenset(
    f"""text/plain application/pdf application/msword application/vnd.ms-excel application/vnd.ms-powerpoint
    {_OFFICE}.wordprocessingml.document {_OFFICE}.spreadsheetml.sheet {_OFFICE}.presentationml.presentation
    image/jpeg image/png image/webp audio/aac audio/amr audio/mp4 audio/mpeg audio/ogg audio/opus
    video/3gpp video/mp4""".split()
)
"""What Meta takes; it refuses every other kind, however harmless."""


async def put(graph: Graph, upload: Upload) -> str:
    """The id of the uploaded file. Nobody has seen anything yet, so whatever broke may be tried again."""
    async with read_call(NAME):
        answer = await graph.upload(upload, _kind(upload))
    if answer.status != 200:
        raise _again(answer)
    ident = text(table(parse_json(answer.content)).get("id"))
    if _ID.fullmatch(ident) is None:
        raise SendLater(platform=NAME, reason="the upload was answered without an id", after=5)
    return ident


async def get(graph: Graph, api: str, file: File) -> bytes:
    """`SendRefused` if it is gone, too large or kept on a host that is not Meta's."""
    if _ID.fullmatch(file.ref) is None:
        raise SendRefused(platform=NAME, reason="this is no file of WhatsApp's")
    async with read_call(NAME):
        about = await graph.media(file.ref)
    if about.status != 200:
        raise _again(about)
    said = table(parse_json(about.content))
    if whole(said.get("file_size")) > LARGEST:
        raise _too_large()
    url = text(said.get("url"))
    if not is_ours(url, api):
        raise SendRefused(platform=NAME, reason="the file is kept on a host that is not WhatsApp's own")
    async with read_call(NAME):
        status, data = await graph.download(url, LARGEST)
    if data is None:
        raise _too_large()
    if status != 200:
        raise _again(Answer(status, data, {}))
    return data


def is_ours(url: str, api: str) -> bool:
    """The token goes along with the download: only to Meta's own hosts over https, or to the configured API's."""
    try:
        there, here = urlsplit(url), urlsplit(api)
        same = (there.scheme, there.hostname, there.port) == (here.scheme, here.hostname, here.port)
    except ValueError:
        return False
    own = there.scheme == "https" and there.port in (None, 443) and f".{there.hostname or ''}".endswith(_OURS)
    return there.username is None and (same or own)


def _kind(upload: Upload) -> str:
    """The media type Meta is told: text of every kind is plain text to it."""
    kind = upload.media_type.partition(";")[0].strip().lower() or "application/octet-stream"
    if kind in _TAKEN:
        return kind
    if kind.startswith("text/"):
        return "text/plain"
    try:
        upload.data.decode()
    except UnicodeDecodeError:
        return kind
    return "text/plain"


def _again(answer: Answer) -> Exception:
    error = raised(answer)
    return SendLater(**error.facts) if isinstance(error, SendUnsure) else error


def _too_large() -> SendRefused:
    return SendRefused(platform=NAME, reason=f"the file is larger than {LARGEST // 1_000_000} MB")
