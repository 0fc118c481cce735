"""A message of the inbox: written by the reception, read at the desk."""

from __future__ import annotations

import json
from typing import Any

from baton.core.transfer.authority import OWNER
from baton.core.transfer.mail import Mail
from baton.core.transfer.place import Place, parse_place
from baton.core.value import asdict, value
from baton.ports.platform import File, Inbound

LONGEST = 100_000
"""Characters. Of what is longer only the length is kept, and told."""
NAME_LIMIT = 80


@value
class Message:
    """What somebody said in a place. `choice` is the button they pressed; `too_long` is the length of a text that was
    not kept for it; `attempts` counts how often the message was taken from the inbox.
    """

    key: str
    place: Place
    sender: str
    role: str
    text: str = ""
    choice: str = ""
    name: str = ""
    files: tuple[File, ...] = ()
    too_long: int = 0
    attempts: int = 1

    @property
    def by_owner(self) -> bool:
        return self.role == OWNER


def to_body(inbound: Inbound, role: str) -> dict[str, Any]:
    """As the inbox keeps it. What is empty is left out."""
    size = len(inbound.text)
    return {
        "sender": inbound.sender,
        "role": role,
        "name": inbound.name[:NAME_LIMIT],
        "direct": inbound.direct,
        "text": inbound.text if size <= LONGEST else "",
        **({"too_long": size} if size > LONGEST else {}),
        **({"choice": inbound.choice} if inbound.choice else {}),
        **({"quotes": inbound.quotes} if inbound.quotes else {}),
        **({"files": [asdict(file) for file in inbound.files]} if inbound.files else {}),
    }


def from_mail(mail: Mail) -> Message:
    body: dict[str, Any] = json.loads(mail.body)
    return Message(
        key=mail.key,
        place=parse_place(mail.place),
        sender=str(body["sender"]),
        role=str(body.get("role", "")),
        text=str(body.get("text", "")),
        choice=str(body.get("choice", "")),
        name=str(body.get("name") or ""),
        files=tuple(
            File(str(each["ref"]), str(each["name"]), str(each["media_type"]), int(each["size"]))
            for each in body.get("files", ())
        ),
        too_long=int(body.get("too_long", 0)),
        attempts=mail.attempts,
    )
