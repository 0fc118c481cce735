"""What the outbox holds: a message in Markdown for a place, with its buttons, its file, or the message it replaces."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

from baton.core.value import value

FILE_LIMIT = 8 * 1024 * 1024
MARK = "♻ (may repeat) "


@value
class Attached:
    name: str
    media_type: str
    data: bytes


@value
class Letter:
    """`replaces` is the key of an earlier letter whose message becomes this one, where the platform can do that.

    `buttons` are labels with what pressing them says. `preview` letters are shown while an answer is being written.
    """

    text: str
    buttons: tuple[tuple[str, str], ...] = ()
    file: Attached | None = None
    replaces: str = ""
    preview: bool = False


def to_body(letter: Letter) -> dict[str, Any]:
    body: dict[str, Any] = {"text": letter.text}
    if letter.buttons:
        body["buttons"] = [list(each) for each in letter.buttons]
    if letter.file:
        data = b64encode(letter.file.data).decode()
        body["file"] = {"name": letter.file.name, "media_type": letter.file.media_type, "data": data}
    if letter.replaces:
        body["replaces"] = letter.replaces
    if letter.preview:
        body["preview"] = True
    return body


def from_body(body: Mapping[str, Any]) -> Letter:
    file = body.get("file")
    return Letter(
        str(body["text"]),
        tuple((str(label), str(choice)) for label, choice in body.get("buttons", ())),
        Attached(file["name"], file["media_type"], b64decode(file["data"])) if file else None,
        str(body.get("replaces", "")),
        bool(body.get("preview")),
    )
