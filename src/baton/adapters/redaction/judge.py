"""Whether a value written beside a telling name is a secret."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from baton.adapters.redaction.entropy import (
    classes,
    entropy,
    has_code,
    has_digit,
    has_letter,
    is_expression,
    is_identifier,
    is_kind,
    is_noise,
    is_random,
    mixed,
    wordlike,
)
from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.lookalikes import is_example, is_left_alone, is_name, is_scrambled, is_stand_in
from baton.adapters.redaction.names import PASSWORD, TOKEN, WEAK, last_word


class Claim(NamedTuple):
    """A value beside its name: the name's strength and words, and how the value is written.

    `literal` is said of a bare value that cannot be an expression, `accompanied` of one beside a user or a server.
    """

    strength: int
    name: bytes
    held: bytes
    quoted: bool
    adjacent: bool
    below: bool = False
    literal: bool = False
    accompanied: bool = False


_LOOKED_AT = 256
_NOT_ABOUT_SECRETS = finder(
    r"(?i)(?:commit|sha[0-9]*|hash|digest|checksum|etag|revision|rev|tree|blob|parent|fingerprint|uuid|guid|version"
    r"|path|file|dir|url|uri|host|port|name|type|kind|length|len|size|count|limit|max|min|total|used|usage|budget|cost"
    r"|expir\w*|ttl|timeout|age|date|time|at|policy|rule|field|label|placeholder|prompt|hint|help|message|error|pattern"
    r"|regex|format|prefix|suffix|index|column|algorithm|alg|method|mode|status|state|enabled|required|valid\w*|issuer"
    r"|endpoint|scope|audience|bucket|region|table|database|schema|class|model|provider|author|authored\w*|authority"
    r"|input|output|cached|per|second|window|username|hostname)s?"
)


def is_secret(claim: Claim) -> bool:
    if len(claim.held) > _LOOKED_AT:
        claim = claim._replace(held=claim.held[:_LOOKED_AT])
    held = claim.held
    if len(held) < 4 or len(set(held)) < 3 or held.startswith(b"[redacted:"):
        return False
    if is_left_alone(held):
        return False
    if is_example(held) if claim.accompanied else is_stand_in(held):
        return False
    if _says_otherwise(claim.name):
        return False
    if not claim.quoted and claim.strength != PASSWORD and has_code(held):
        return is_scrambled(held)
    if claim.strength == WEAK or not claim.adjacent or claim.below:
        return _speaks_for_itself(claim)
    return _is_token(claim) if claim.strength == TOKEN else is_password(claim)


def is_spoken(name: bytes, held: bytes, clear: bool, quoted: bool) -> bool:
    """Whether `the password is …` goes on with one; `clear` if it says `is`, and then words do in quotes."""
    if clear and quoted and says_password(name):
        return len(held) >= 4 and not (is_example(held) or is_kind(held))
    if not mixed(held) or (not clear and wordlike(held.rstrip(b"0123456789s"))):
        return False
    if not clear and len(held) >= 8 and classes(held) >= 3 and says_password(name) and not wordlike(held):
        return not (is_stand_in(held) or is_left_alone(held) or is_expression(held))
    return is_secret(Claim(PASSWORD if clear else WEAK, name, held, quoted=clear, adjacent=clear))


@lru_cache(maxsize=4096)
def _says_otherwise(name: bytes) -> bool:
    """A name that goes on after the telling word, such as `token_count`."""
    return _NOT_ABOUT_SECRETS.fullmatch(last_word(name)) is not None


def _speaks_for_itself(claim: Claim) -> bool:
    held = claim.held
    if b" " in held:
        return claim.quoted and is_noise(held)
    if is_name(held) or len(held) < (8 if claim.adjacent else 10):
        return False
    if not mixed(held) or entropy(held) < 2.5 or wordlike(held):
        return False
    return is_random(held) if len(held) >= 16 else claim.quoted or not is_identifier(held) or b"_" not in held


def _is_token(claim: Claim) -> bool:
    held = claim.held
    if len(held) < 8 or is_kind(held):
        return False
    if is_scrambled(held):
        return True
    if b" " in held:
        return claim.quoted and is_noise(held)
    if held.isdigit():
        return len(held) >= 12
    if not has_letter(held):
        return has_digit(held) and len(held) >= 10
    if has_digit(held):
        return not _is_label(claim)
    return len(held) >= 16 and not wordlike(held) and (claim.quoted or not is_identifier(held))


def _is_label(claim: Claim) -> bool:
    """Words with a number, such as `auth_token_2` or `gpt-4o-mini`."""
    held = claim.held
    if wordlike(held):
        return not held.endswith(b"=")
    written = claim.quoted or claim.literal
    return not written and not is_random(held) and is_identifier(held) and len(held) < 10


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
