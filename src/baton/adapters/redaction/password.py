"""Whether a value beside a name that says password is one: it may be a word, and words are also labels and code."""

from __future__ import annotations

from baton.adapters.redaction.claim import Claim
from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.likeness import is_expression, is_identifier, is_kind, is_random
from baton.adapters.redaction.names import last_word
from baton.adapters.redaction.standin import is_scrambled
from baton.adapters.redaction.worth import classes, has_digit, mixed, wordlike

_STEMS = finder(r"(?i)pass|pwd|secret|token|key|cred|auth|login|user|name|\bid\b")
_LABEL = finder(
    r"(?i)(?:pass(?:w(?:or)?d|wort|phrase|code)?|pwd|contrase.{1,2}a|senha|secret|token|key|cred(?:ential)?|auth|login|user|name"
    r"|id|my|your|the|new|old|current|confirm(?:ation)?|reset|forgot(?:ten)?|change|edit|update|repeat|verify|enter|show|hide"
    r"|invalid|wrong|admin|root|db|test|default|field|input|form|text|box|label|type|hash(?:ed)?|encrypted|plain|is|no|with"
    r"|for|to|from|and|or|of|in|s|[^A-Za-z])+"
)
_SAYS_PASSWORD = finder(r"(?i)pass(?:w(?:or)?d|wd|wort|phrase|code)?s?|pwd?|secret")


def says_password(name: bytes) -> bool:
    """The whole word."""
    return _SAYS_PASSWORD.fullmatch(name) is not None


def is_password(claim: Claim) -> bool:
    held = claim.held
    if is_scrambled(held):
        return True
    if is_kind(held):
        return False
    if b" " in held:
        return _is_phrase(claim)
    written = claim.quoted or (claim.literal and not is_expression(held))
    if classes(held) >= 2 and (has_digit(held) or not wordlike(held)):
        return written or not _is_code(held)
    if claim.quoted and claim.accompanied:
        return not (held[:1].isupper() and _LABEL.fullmatch(held))
    if written:
        return len(held) >= 5 and not _is_label_of_one(claim)
    return len(held) >= 5 and not _is_code(held)


def _is_label_of_one(claim: Claim) -> bool:
    """What a form, a table or a program calls a password: `userPassword`, `forgot-password`."""
    held = claim.held
    if _STEMS.search(held) is None:
        return False
    if _LABEL.fullmatch(held) or not says_password(last_word(claim.name)):
        return True
    return not claim.literal and not (held.isalpha() and (held.islower() or held.isupper()))


def _is_code(held: bytes) -> bool:
    """A bare name, call or type: where the secret comes from, not the secret."""
    if is_expression(held):
        return True
    if not is_identifier(held):
        return False
    return not (held.isalnum() and mixed(held) and not _STEMS.search(held)) and not is_random(held)


def _is_phrase(claim: Claim) -> bool:
    """A pass phrase, told from a sentence on a screen by the name or by its symbols."""
    held = claim.held
    if not claim.quoted:
        return False
    if b"phrase" in claim.name.lower() or b"mnemonic" in claim.name.lower():
        return True
    if claim.accompanied and len(held) <= 30 and held.replace(b" ", b"").islower() and held.count(b" ") < 3:
        return _STEMS.search(held) is None
    longest = max(held.split(), key=len)
    return len(longest) >= 8 and mixed(longest) and not wordlike(longest)
