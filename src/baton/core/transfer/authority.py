"""Who may speak to Baton on a platform. Closed by default: messages of unknown people are ignored.

People are known by the platform's stable id (`telegram:777`), never by a name, and never by where they write. The one
exception is a direct chat that the configuration names as home, on a platform where its members can never change. The
owner talks, commands and approves, wherever Baton is; a guest only talks, and only in a place that is bound to a
conversation.
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
_RANKS = (NOBODY, GUEST, OWNER)

GUESSED = "guessed"
SHOWN = "shown"
"""Why a pairing ended before its time: too many senders guessed, or its code was written where others read it."""

CODE_LENGTH = 8
CODE_SECONDS = 600
CODE_TRIES = 5
"""Wrong codes of one sender; after them nothing that sender writes is compared."""
CODE_GUESSERS = 100
"""Senders of wrong codes after which a pairing ends: 500 guesses at 40 bits."""
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that look alike


@value
class People:
    """Everybody who is known, and the home channels, by their place keys; the configuration names the `appointed`."""

    owners: Collection[str]
    guests: Collection[str]
    homes: Collection[str]
    appointed: Collection[str] = ()


def role(sender: str, room: str, people: People, *, fixed: bool) -> str:
    """Who somebody is. An identity counts only on its own platform. `fixed` in a direct chat whose members can never
    change: if the configuration names it as home, whoever writes there is the owner.
    """
    if sender.partition(":")[0] != room.partition(":")[0]:
        return NOBODY
    if sender in people.owners or (fixed and room in people.appointed):
        return OWNER
    return GUEST if sender in people.guests else NOBODY


def lesser(one: str, other: str) -> str:
    """Of two roles the one that may do less."""
    return min(one, other, key=_RANKS.index)


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


def waits(pairing: Mapping[str, Any], now: int) -> bool:
    """Whether a pairing still waits for its code."""
    return now < int(pairing["until"])


def opens(text: str, sender: str, pairing: Mapping[str, Any], now: int) -> bool:
    """Whether a message is the code of a pairing that still waits. Who guessed too often is not listened to."""
    if not waits(pairing, now) or _guesses(pairing).get(_mark(sender, pairing), 0) >= CODE_TRIES:
        return False
    return compare_digest(seal(text, str(pairing["salt"])), str(pairing["sealed"]))


def count_guess(sender: str, pairing: Mapping[str, Any]) -> Mapping[str, Any]:
    """The pairing after a wrong code. Each sender's are counted apart, so that no stranger uses up the owner's tries;
    of a stranger only a salted mark is kept.
    """
    guesses, mark = _guesses(pairing), _mark(sender, pairing)
    if guesses.get(mark, 0) >= CODE_TRIES:
        return pairing
    if mark not in guesses and len(guesses) >= CODE_GUESSERS:
        return end_pairing(pairing, GUESSED)
    return {**pairing, "guesses": {**guesses, mark: guesses.get(mark, 0) + 1}}


def end_pairing(pairing: Mapping[str, Any], why: str) -> Mapping[str, Any]:
    """A pairing that no code opens any more, with the reason for whoever waits for it."""
    return {**pairing, "until": 0, "ended": why}


def count_strangers(pairing: Mapping[str, Any]) -> int:
    """How many senders used up their tries."""
    return sum(times >= CODE_TRIES for times in _guesses(pairing).values())


def _guesses(pairing: Mapping[str, Any]) -> dict[str, int]:
    return dict(pairing.get("guesses") or {})


def _mark(sender: str, pairing: Mapping[str, Any]) -> str:
    return sha256(f"{pairing['salt']}:{sender}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _bare(text: str) -> str:
    return text[: 4 * CODE_LENGTH].replace("-", "").replace(" ", "").strip().upper()
