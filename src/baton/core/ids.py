"""Identifiers: their form, how they are made, how they are recognised.

A session id begins with its UTC start (`20260527_123456_abcdef`), so that ids sort by time. Every other id is a
letter for its noun, an underscore and random characters that survive being read aloud.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable

from baton.core.errors import BadId, NotFound

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH = 12

_SESSION = re.compile(r"[0-9]{8}_[0-9]{6}_[0-9a-f]{6}")
_RANDOM = re.compile(rf"[{ALPHABET}]{{{LENGTH}}}")
_NOUNS = {"conversation": "c", "packet": "p", "draft": "d", "transfer": "t", "turn": "u"}
_SESSION_FORM = "YYYYMMDD_HHMMSS_ and six of 0-9a-f"


def new_session_id(at: int, entropy: bytes | None = None) -> str:
    """The id of a session started `at` microseconds after the epoch; three random bytes tell sessions of one second
    apart.
    """
    start = time.strftime("%Y%m%d_%H%M%S", time.gmtime(at // 1_000_000))
    return f"{start}_{(entropy or os.urandom(3))[:3].hex()}"


def unused_session_id(at: int, taken: Callable[[str], bool]) -> str:
    """A session id that is not `taken`: of a thousand ids of one second, two are equal about once in thirty times."""
    while taken(candidate := new_session_id(at)):
        pass
    return candidate


def new_id(noun: str, entropy: bytes | None = None) -> str:
    """A random id (60 bits) for a conversation, packet, draft or transfer."""
    random = (entropy or os.urandom(LENGTH))[:LENGTH]
    return f"{_NOUNS[noun]}_" + "".join(ALPHABET[byte % 32] for byte in random)


def is_session_id(value: str) -> bool:
    return _SESSION.fullmatch(value) is not None


def is_id(noun: str, value: str) -> bool:
    letter, _, rest = value.partition("_")
    return letter == _NOUNS[noun] and _RANDOM.fullmatch(rest) is not None


def check_session_id(value: str) -> str:
    if not is_session_id(value):
        raise BadId(noun="session", value=quote(value), allowed=_SESSION_FORM)
    return value


def check_id(noun: str, value: str) -> str:
    if not is_id(noun, value):
        raise BadId(noun=noun, value=quote(value), allowed=f"{_NOUNS[noun]}_ and {LENGTH} of {ALPHABET}")
    return value


def quote(value: str, limit: int = 60) -> str:
    """`value` in quotes, escaped and cut: safe to print whatever it holds."""
    text = ascii(value) if not value.isprintable() else f"'{value}'"
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def not_found(noun: str, value: str) -> NotFound:
    listed = noun in ("conversation", "session")
    suggestion = "`baton sessions list` shows what there is." if listed else "It may have been removed."
    return NotFound(noun=noun, value=quote(value), suggestion=suggestion)
