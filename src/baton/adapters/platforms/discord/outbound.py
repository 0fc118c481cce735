"""A message as Discord wants it. Its Markdown is Discord's own, nearly; nobody is ever notified by what it mentions."""

from __future__ import annotations

import base64
import hashlib
import os.path
from collections.abc import Mapping

from baton.adapters.platforms.discord.place import NAME
from baton.adapters.platforms.json_fields import storable
from baton.core.errors import SendRefused
from baton.core.transfer.place import Place
from baton.ports.platform import Button, Outgoing, Upload

LIMIT = 2_000
TITLE_LIMIT = 100

_NO_PREVIEWS = 4
"""Discord fetches the pages that a message links to, to show them; what a model wrote must not make it do so."""

_ROW, _BUTTON, _PLAIN_STYLE = 1, 2, 2
_IN_A_ROW, _ROWS, _LABEL_LIMIT = 5, 5, 80
_WEEK = 10_080


def nonce(where: Place, key: str) -> str:
    """What Discord knows a message's key by: the same for the same key and place, 24 characters."""
    digest = hashlib.sha256(f"{where.key}\n{key}".encode(errors="surrogatepass")).digest()
    return base64.urlsafe_b64encode(digest[:18]).decode()


def fresh(message: Outgoing, once: str) -> dict[str, object]:
    """A new message. Another with the same `once` within a few minutes makes Discord give back the first."""
    body = {**changed(message), "nonce": once, "enforce_nonce": True}
    if message.file is not None:
        body["attachments"] = [{"id": "0", "filename": file_name(message.file)}]
    return body


def changed(message: Outgoing) -> dict[str, object]:
    """What an edit replaces: the text and the buttons. `SendRefused` for a text that Discord would not take."""
    if len(message.text) > LIMIT:
        raise SendRefused(platform=NAME, reason=f"{len(message.text)} characters are more than the {LIMIT} allowed")
    return {
        "content": storable(message.text),
        "flags": _NO_PREVIEWS,
        "allowed_mentions": {"parse": []},
        "components": _rows(message.buttons),
    }


def thread(title: str) -> Mapping[str, object]:
    return {"name": thread_name(title), "auto_archive_duration": _WEEK}


def thread_name(title: str) -> str:
    """One line, neither empty nor too long."""
    line = " ".join(storable(title).split())
    return (line if len(line) <= TITLE_LIMIT else f"{line[: TITLE_LIMIT - 1]}…") or "Baton"


def file_name(file: Upload) -> str:
    return os.path.basename(file.name) or "file"


def _rows(buttons: tuple[Button, ...]) -> list[object]:
    rows = [buttons[start : start + _IN_A_ROW] for start in range(0, len(buttons), _IN_A_ROW)]
    return [{"type": _ROW, "components": [_button(each) for each in row]} for row in rows[:_ROWS]]


def _button(button: Button) -> Mapping[str, object]:
    label = button.label[:_LABEL_LIMIT] or button.choice
    return {"type": _BUTTON, "style": _PLAIN_STYLE, "label": label, "custom_id": button.choice}
