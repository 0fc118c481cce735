"""What Graph is given for a message: text, text with buttons, or a document; and files to and from WhatsApp."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from baton.adapters.platforms.http_calls import read_call
from baton.adapters.platforms.json_fields import Json, parse_json, storable, table, text, whole
from baton.adapters.platforms.markup.delimited import to_whatsapp
from baton.adapters.platforms.whatsapp.api import Answer, Graph, explain
from baton.adapters.platforms.whatsapp.place import NAME
from baton.core.errors import SendLater, SendRefused, SendUnsure
from baton.ports.platform import Button, File, Outgoing, Upload

LONGEST = 4096
_LONGEST_BESIDE = 1024
"""The longest text beside buttons or a file."""

_BUTTONS, _TITLE = 3, 20
_ROWS, _ROW_TITLE = 10, 24
_OPEN = "Choose"
_EMPTY = "…"
_LARGEST = 20_000_000
_MEDIA_ID = re.compile(r"[A-Za-z0-9_-]{1,200}")
_HOSTS = (".fbcdn.net", ".fbsbx.com", ".whatsapp.net", ".facebook.com", ".whatsapp.com")
_OFFICE = "application/vnd.openxmlformats-officedocument"
_ACCEPTED = frozenset(
    f"""text/plain application/pdf application/msword application/vnd.ms-excel application/vnd.ms-powerpoint
    {_OFFICE}.wordprocessingml.document {_OFFICE}.spreadsheetml.sheet {_OFFICE}.presentationml.presentation
    image/jpeg image/png image/webp audio/aac audio/amr audio/mp4 audio/mpeg audio/ogg audio/opus
    video/3gpp video/mp4""".split()
)
"""The media types that Meta accepts; it refuses every other, however harmless."""


def render_message(message: Outgoing, media: str) -> Iterator[Json]:
    """One message, or two if the text is too long to stand beside buttons or a file."""
    words = render(message.text)
    if not words.strip() and not media:
        raise SendRefused(platform=NAME, reason="there is nothing to send")
    if len(words) > LONGEST:
        raise SendRefused(platform=NAME, reason=f"the text has {len(words)} characters, at most {LONGEST} are allowed")
    if not message.buttons and not media:
        yield _text(words)
        return
    if len(words) > _LONGEST_BESIDE:
        yield _text(words)
        words = ""
    if media and message.file is not None:
        document = {"id": media, "filename": message.file.name}
        yield {"type": "document", "document": {**document, "caption": words} if words else document}
    else:
        yield {"type": "interactive", "interactive": _interactive(words or _EMPTY, message.buttons)}


def render(markdown: str) -> str:
    """WhatsApp's own markup. A text of marks only is sent as written."""
    written = storable(markdown)
    return to_whatsapp(written) or written


def _text(words: str) -> Json:
    return {"type": "text", "text": {"body": words, "preview_url": False}}


def _interactive(words: str, buttons: Sequence[Button]) -> Json:
    if len(buttons) <= _BUTTONS:
        replies = [{"type": "reply", "reply": each} for each in _fit_titles(buttons, _TITLE)]
        return {"type": "button", "body": {"text": words}, "action": {"buttons": replies}}
    if len(buttons) > _ROWS:
        raise SendRefused(platform=NAME, reason=f"{len(buttons)} buttons are too many, at most {_ROWS} are allowed")
    rows = list(_fit_titles(buttons, _ROW_TITLE))
    action = {"button": _OPEN, "sections": [{"title": _OPEN, "rows": rows}]}
    return {"type": "list", "body": {"text": words}, "action": action}


def _fit_titles(buttons: Sequence[Button], longest: int) -> Iterator[Json]:
    """The choices, with titles that fit and differ from each other, as Meta demands."""
    taken: set[str] = set()
    for each in buttons:
        title = _cut(each.label.strip() or each.choice, longest)
        if title in taken:
            title = f"{_cut(title, longest - 3)} {len(taken) + 1}"
        taken.add(title)
        yield {"id": each.choice, "title": title}


def _cut(title: str, longest: int) -> str:
    return title if len(title) <= longest else f"{title[: longest - 1]}…"


async def upload_file(graph: Graph, upload: Upload) -> str:
    """The id of the uploaded file. Nobody has seen anything yet, so any failure may be retried."""
    async with read_call(NAME):
        answer = await graph.upload(upload, _media_type(upload))
    if answer.status != 200:
        raise _explain_retryable(answer)
    ident = text(table(parse_json(answer.content)).get("id"))
    if _MEDIA_ID.fullmatch(ident) is None:
        raise SendLater(platform=NAME, reason="the upload was answered without an id", after=5)
    return ident


async def fetch_file(graph: Graph, api: str, file: File) -> bytes:
    """`SendRefused` if it is gone, too large or kept on a host that is not Meta's."""
    if _MEDIA_ID.fullmatch(file.ref) is None:
        raise SendRefused(platform=NAME, reason="this is no file of WhatsApp's")
    async with read_call(NAME):
        about = await graph.media(file.ref)
    if about.status != 200:
        raise _explain_retryable(about)
    said = table(parse_json(about.content))
    if whole(said.get("file_size")) > _LARGEST:
        raise _too_large()
    url = text(said.get("url"))
    if not is_trusted_host(url, api):
        raise SendRefused(platform=NAME, reason="the file is kept on a host that is not WhatsApp's own")
    async with read_call(NAME):
        status, data = await graph.download(url, _LARGEST)
    if data is None:
        raise _too_large()
    if status != 200:
        raise _explain_retryable(Answer(status, data, {}))
    return data


def is_trusted_host(url: str, api: str) -> bool:
    """Whether a download may carry the token: only to Meta's own hosts over https, or to the configured API's host."""
    try:
        there, here = urlsplit(url), urlsplit(api)
        same = (there.scheme, there.hostname, there.port) == (here.scheme, here.hostname, here.port)
    except ValueError:
        return False
    own = there.scheme == "https" and there.port in (None, 443) and f".{there.hostname or ''}".endswith(_HOSTS)
    return there.username is None and (same or own)


def _media_type(upload: Upload) -> str:
    """The media type as Meta knows it: text of any kind is plain text."""
    kind = upload.media_type.partition(";")[0].strip().lower() or "application/octet-stream"
    if kind in _ACCEPTED:
        return kind
    if kind.startswith("text/"):
        return "text/plain"
    try:
        upload.data.decode()
    except UnicodeDecodeError:
        return kind
    return "text/plain"


def _explain_retryable(answer: Answer) -> Exception:
    error = explain(answer)
    return SendLater(**error.facts) if isinstance(error, SendUnsure) else error


def _too_large() -> SendRefused:
    return SendRefused(platform=NAME, reason=f"the file is larger than {_LARGEST // 1_000_000} MB")
