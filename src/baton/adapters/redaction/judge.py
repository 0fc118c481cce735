"""Whether a value written beside a telling name is a secret."""

from __future__ import annotations

from functools import lru_cache

from baton.adapters.redaction.claim import Claim
from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.likeness import has_code, is_expression, is_identifier, is_kind, is_noise, is_random
from baton.adapters.redaction.names import PASSWORD, TOKEN, WEAK, last_word
from baton.adapters.redaction.password import is_password, says_password
from baton.adapters.redaction.protected import is_left_alone, is_name
from baton.adapters.redaction.standin import is_example, is_scrambled, is_stand_in
from baton.adapters.redaction.worth import classes, entropy, has_digit, has_letter, mixed, wordlike

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
