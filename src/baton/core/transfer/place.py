"""Where a conversation can be spoken to: platform, room and thread, the only routing identity.

One constructor serves inbound and outbound, so that a reply in an opened thread always resolves to the key under
which the thread was bound.
"""

from __future__ import annotations

import re

from baton.core.errors import BadPlace, PlaceTaken
from baton.core.ids import quote
from baton.core.text import flaw
from baton.core.value import value

_PLATFORM = re.compile(r"[a-z][a-z0-9_]{0,31}")
_PLAIN = re.compile(r"[A-Za-z0-9_.~-]*")
"""What percent-encoding leaves as it is. Most rooms are a number."""
_PART_LIMIT = 512
_KEY_LIMIT = 2000


@value
class Place:
    platform: str
    room: str
    thread: str = ""

    def __post_init__(self) -> None:
        if not is_platform(self.platform):
            raise BadPlace(value=quote(self.platform), reason="the platform is not a name in lower case")
        if not self.room:
            raise BadPlace(value=quote(self.platform), reason="the room is empty")
        for part in (self.room, self.thread):
            if reason := flaw(part, _PART_LIMIT):
                raise BadPlace(value=quote(part), reason=reason)
        if len(self.key) > _KEY_LIMIT:
            reason = f"its key has {len(self.key)} characters, at most {_KEY_LIMIT} are allowed"
            raise BadPlace(value=quote(self.room), reason=reason)

    @property
    def key(self) -> str:
        """The text form; different places have different keys."""
        parts = (self.platform, self.room, self.thread) if self.thread else (self.platform, self.room)
        return ":".join(part if _PLAIN.fullmatch(part) else _percent_encode(part) for part in parts)


def _percent_encode(part: str) -> str:
    from urllib.parse import quote as percent_encode

    return percent_encode(part, safe="")


def is_platform(text: str) -> bool:
    return _PLATFORM.fullmatch(text) is not None


def parse_place(key: str) -> Place:
    """The place whose key this is; `BadPlace` for anything else."""
    parts = key.split(":")
    if len(parts) not in (2, 3):
        raise BadPlace(value=quote(key), reason="it does not have two or three parts")
    try:
        place = Place(parts[0], *(_percent_decode(part) if "%" in part else part for part in parts[1:]))
    except UnicodeDecodeError:
        raise BadPlace(value=quote(key), reason="it is not UTF-8") from None
    if place.key != key:
        raise BadPlace(value=quote(key), reason=f"its canonical form is {quote(place.key)}")
    return place


def _percent_decode(part: str) -> str:
    from urllib.parse import unquote as percent_decode

    return percent_decode(part, errors="strict")


@value
class Binding:
    """A place speaks for one conversation; a conversation may be bound to several places."""

    place: str
    conversation_id: str
    bound_at: int


def check_free(binding: Binding | None, conversation_id: str, instead_of: str | None) -> None:
    """`PlaceTaken` if the place belongs to a conversation other than these two."""
    if binding is not None and binding.conversation_id not in (conversation_id, instead_of):
        raise PlaceTaken(place=binding.place, conversation=binding.conversation_id)


NAMES = {
    "telegram": "Telegram",
    "discord": "Discord",
    "slack": "Slack",
    "matrix": "Matrix",
    "signal": "Signal",
    "whatsapp": "WhatsApp",
}
PLATFORMS = tuple(NAMES)
TERMINAL = "terminal"
"""Where a conversation lives that is in none of them."""


def platform_name(platform: str) -> str:
    """For people; one that is not ours, such as a platform of a test or the terminal, is capitalised."""
    return NAMES.get(platform, platform.capitalize())
