"""Whether a value written beside a telling name is a secret."""

from __future__ import annotations

from typing import NamedTuple

from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.names import PASSWORD, TOKEN, WEAK
from baton.adapters.redaction.protected import is_name, is_ours, is_place_or_time
from baton.adapters.redaction.rules_file import common_words
from baton.adapters.redaction.worth import classes, entropy, has_digit, has_letter, is_hex, mixed, wordlike

_LOOKED_AT = 256

_STAND_IN = finder(
    r"(?i)[$%#@]?[{(\[<].*|\$\w+(?:[^\w].*)?|%\w*%?|@[\w.-]+@?"
    r"|.*\$\{[\w.:?-]*\}.*|.*\{\{[^{}]*\}\}.*|.*<[\w .-]+>.*|.*%\([\w.]+\)s.*|%[sdvq@]"
    r"|\*+|[x*.#_-]{3,}.*|x+(?:-x+)*|\.{2,}.*|(?:your|my|the|some|insert|enter|put|add|use|replace|change)[-_ .].*"
    r"|your[a-z]+.*|\.[\w.]+|.*(?:placeholder|change.?me|redacted|example\.|dummy|your[-_]).*"
    r"|(?:os\.|process\.|env\.|getenv\W|ENV\W|System\.|config\.|settings\.|self\.|this\.|req\.|request\.|ctx\.|args\.|props\.|secrets\.|vars\.|var\.|data\.|local\.|module\.|params\.|\$_)[\w.\[\]('\"\->:]*.*"
    r"|https?://[^@\s]*|//.*|/\^.*|&#?\w+;.*|(?:vault|secret|ssm|env|file|arn|kms|op|gcp|aws|azure)(?:://|:).*"
    r"|0x[0-9a-f]{1,8}|-?[0-9.]{1,9}(?:e[0-9]+)?[a-z%]{0,3}"
)
_CODE = finder(
    r"(?i)[a-z_][\w.]*(?:\(|\[|->|::).*|[a-z_][\w]*(?:\.[a-z_]\w*)+|!?[a-z_]\w*[?!;]?|&[a-z_]\w*|\w+\|\w+.*|[a-z]+<.*"
)
_CODE_BITS = finder(r"[)\]]\.|\(\)|\[[0-9:-]|^[(\[{]|\]$")
_CALL = finder(r"[A-Za-z_][\w.]*[(\[]")
_DOTTED = finder(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_KIND_WORDS = finder(
    r"(?i)(?:str|string|int|integer|bool|boolean|float|double|number|bytes?|char|object|any|void|null|nil|none|undefined"
    r"|true|false|text|varchar|secretstr|optional|required|typing|self|this|new|await|async|function|return|type|var|let"
    r"|const|not|and|the|is|are|was|for|with|from|must|should|may|can|will|that|which|expired?|invalid|missing|hidden|field"
    r"|input|reset|prompt|empty|unset|default|disabled?|enabled?|ok|error|failed|success|yes|no|on|off|todo|n/a|tbd)"
    r"(?:\W.*)?"
)
_STEMS = finder(r"(?i)pass|pwd|secret|token|key|cred|auth|login|user|name|\bid\b")
_NOT_ABOUT_SECRETS = finder(
    r"(?i)(?:commit|sha[0-9]*|hash|digest|checksum|etag|revision|rev|tree|blob|parent|fingerprint|uuid|guid|version"
    r"|path|file|dir|url|uri|host|port|name|type|kind|length|len|size|count|limit|max|min|total|used|usage|budget|cost"
    r"|expir\w*|ttl|timeout|age|date|time|at|policy|rule|field|label|placeholder|prompt|hint|help|message|error|pattern"
    r"|regex|format|prefix|suffix|index|column|algorithm|alg|method|mode|status|state|enabled|required|valid\w*|issuer"
    r"|endpoint|scope|audience|bucket|region|table|database|schema|class|model|provider|author|authored\w*|authority"
    r"|input|output|cached|per|second|window|username|hostname)s?"
)


class Claim(NamedTuple):
    """A value beside its name: the name's strength and words, and how the value is written."""

    strength: int
    name: bytes
    held: bytes
    quoted: bool
    adjacent: bool
    below: bool = False


def is_secret(claim: Claim) -> bool:
    if len(claim.held) > _LOOKED_AT:
        claim = claim._replace(held=claim.held[:_LOOKED_AT])
    held = claim.held
    if len(held) < 4 or len(set(held)) < 3 or held.startswith(b"[redacted:"):
        return False
    if is_ours(held) or is_stand_in(held) or is_place_or_time(held):
        return False
    if _NOT_ABOUT_SECRETS.fullmatch(_last_word(claim.name)):
        return False
    if not claim.quoted and claim.strength != PASSWORD and (_is_expression(held) or _CODE_BITS.search(held)):
        return False
    if claim.strength == WEAK or not claim.adjacent or claim.below:
        return _speaks_for_itself(claim)
    return _is_token(claim) if claim.strength == TOKEN else _is_password(claim)


def _last_word(name: bytes) -> bytes:
    """The end of `apiKeyName` or `token_url`, which says what is really held."""
    end = len(name)
    start = end
    while start > 0 and name[start - 1 : start].isalnum():
        start -= 1
        if name[start : start + 1].isupper() and start > 0 and name[start - 1 : start].islower():
            break
    return name[start:end]


def is_stand_in(held: bytes) -> bool:
    """Not a value but where one comes from, or goes."""
    return _STAND_IN.fullmatch(held[:256]) is not None or held.lower().decode("latin-1") in common_words()


def _speaks_for_itself(claim: Claim) -> bool:
    held = claim.held
    if is_name(held) or b" " in held or len(held) < (8 if claim.adjacent else 10):
        return False
    if not mixed(held) or entropy(held) < 2.5 or wordlike(held):
        return False
    return is_random(held) if len(held) >= 16 else claim.quoted or not _CODE.fullmatch(held) or b"_" not in held


def _is_token(claim: Claim) -> bool:
    held = claim.held
    if len(held) < 8 or _is_kind(held):
        return False
    if b" " in held:
        return False
    if held.isdigit():
        return len(held) >= 12
    if not has_letter(held):
        return has_digit(held) and len(held) >= 10
    if has_digit(held):
        return not _is_label(claim)
    return len(held) >= 16 and not wordlike(held) and (claim.quoted or not _CODE.fullmatch(held))


def _is_kind(held: bytes) -> bool:
    """A word about the value in its place, such as `string` or `no, never`; not a random value that begins like one."""
    return _KIND_WORDS.fullmatch(held) is not None and (b" " in held or len(held) < 16 or not is_random(held))


def _is_label(claim: Claim) -> bool:
    """Words with a number, such as `auth_token_2` or `gpt-4o-mini`."""
    held = claim.held
    if wordlike(held):
        return True
    return not claim.quoted and not is_random(held) and _CODE.fullmatch(held) is not None and len(held) < 10


def _is_password(claim: Claim) -> bool:
    held = claim.held
    if _is_kind(held):
        return False
    if b" " in held:
        return _is_phrase(claim)
    if classes(held) >= 2 and (has_digit(held) or not wordlike(held)):
        return claim.quoted or not _is_code(held)
    if claim.quoted:
        return len(held) >= 5 and not _STEMS.search(held)
    return len(held) >= 5 and not _is_code(held)


def _is_code(held: bytes) -> bool:
    """A bare name, call or type: where the secret comes from, not the secret."""
    if _is_expression(held):
        return True
    if _CODE.fullmatch(held) is None:
        return False
    return not (held.isalnum() and mixed(held) and not _STEMS.search(held)) and not is_random(held)


def _is_expression(held: bytes) -> bool:
    """A call, an element, or a short dotted name."""
    return _CALL.match(held) is not None or (len(held) < 20 and _DOTTED.fullmatch(held) is not None)


def _is_phrase(claim: Claim) -> bool:
    """A pass phrase, told from a sentence on a screen by the name or by its symbols."""
    held = claim.held
    if not claim.quoted:
        return False
    if b"phrase" in claim.name.lower() or b"mnemonic" in claim.name.lower():
        return True
    longest = max(held.split(), key=len)
    return len(longest) >= 8 and mixed(longest) and not wordlike(longest)


def is_random(held: bytes) -> bool:
    if not mixed(held):
        return False
    if is_hex(held):
        return len(held) >= 16
    return entropy(held) >= 3.0 and not wordlike(held)
