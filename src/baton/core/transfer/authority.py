"""Who may speak to Baton on a platform. Closed by default: messages of unknown people are ignored.

People are known by the platform's stable id (`telegram:777`), never by a name. The owner talks, commands and approves,
wherever Baton is; a guest only talks, and only in a place that is bound to a conversation.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256
from hmac import compare_digest
from typing import Any

from baton.core.value import value

OWNER = "owner"
GUEST = "guest"
NOBODY = ""

CODE_LENGTH = 8
CODE_SECONDS = 600
CODE_TRIES = 5
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that look alike


@value
class People:
    """Everybody who is known, and the owner's own rooms: place keys of home channels."""

    owners: Collection[str]
    guests: Collection[str]
    homes: Collection[str]


def role(sender: str, room: str, people: People, *, direct: bool) -> str:
    """Who somebody is. A home channel that is a direct chat belongs to the owner: nobody else can write there. An
    identity counts only on its own platform.
    """
    if sender.partition(":")[0] != room.partition(":")[0]:
        return NOBODY
    if sender in people.owners or (direct and room in people.homes):
        return OWNER
    return GUEST if sender in people.guests else NOBODY


def is_admitted(who: str, room: str, people: People, *, direct: bool, bound: bool, command: bool) -> bool:
    """Whether a message is heard. In a room that is not bound only the owner's commands are, unless it is theirs."""
    if who == OWNER:
        return direct or bound or command or room in people.homes
    return who == GUEST and bound and not command


def new_code(draw: bytes) -> str:
    """A one-time code from eight random bytes."""
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in draw[:CODE_LENGTH])


def is_code(text: str) -> bool:
    """Whether a message could be a code at all; blanks and hyphens do not matter."""
    return len(_bare(text)) == CODE_LENGTH and all(letter in _LETTERS for letter in _bare(text))


def seal(code: str, salt: str) -> str:
    """What is kept of a code."""
    return sha256(f"{salt}:{_bare(code)}".encode()).hexdigest()


def opens(text: str, pairing: Mapping[str, Any], now: int) -> bool:
    """Whether a message is the code of a pairing that still waits."""
    if now >= int(pairing["until"]) or int(pairing["tries"]) >= CODE_TRIES:
        return False
    return compare_digest(seal(text, str(pairing["salt"])), str(pairing["sealed"]))


def _bare(text: str) -> str:
    return text[: 4 * CODE_LENGTH].replace("-", "").replace(" ", "").strip().upper()
