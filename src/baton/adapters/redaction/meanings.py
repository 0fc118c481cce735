"""What words of a name or of a value mean: a name may end with what is no secret, a value may say more."""

from __future__ import annotations

from functools import lru_cache

from baton.adapters.redaction.entropy import has_digit, has_letter, is_random
from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.lookalikes import is_example, is_hole
from baton.adapters.redaction.names import last_word, says_not_to_commit
from baton.adapters.redaction.thresholds import SHORTEST_LONG

_NOT_ABOUT_SECRETS = Expression(
    r"(?i)(?:commit|sha[0-9]*|md[245]|crc32|hash|digest|checksum|etag|revision|rev|tree|blob|parent|fingerprint|uuid|guid|version"
    r"|path|file|dir|url|uri|host|port|name|type|kind|length|len|size|count|limit|max|min|total|used|usage|budget|cost"
    r"|expir\w*|ttl|timeout|age|date|time|at|policy|rule|field|label|placeholder|prompt|hint|help|message|error|pattern"
    r"|regex|xpath|selector|format|prefix|suffix|index|column|symbol|char|alphabet|algorithm|alg|method|mode|status|state|enabled|disabled|required|valid\w*|issuer"
    r"|(?:token|key|secret|password)(?:type|kind)?(?:name|type|kind)|endpoint|scheme|scope|protected|protection|audience|bucket|region|table|database|schema|class|model|provider|author|authored\w*|authority"
    r"|address|input|output|header|strength|rotation|cached|per|second|window|username|hostname|event|dependencie|dependency|maps?|hasher|validator|backend|store|encoder|handler|generator|checker)s?"
)


@lru_cache(maxsize=4096)
def says_otherwise(name: bytes) -> bool:
    """Whether the name ends with a word that is not about a secret, such as `token_count`."""
    return _NOT_ABOUT_SECRETS.fullmatch(last_word(name)) is not None and not says_not_to_commit(name)


_PART = Expression(r"(?i)(?:backend|store|database|schema|table|author|host|event|header)s?")
"""What has a secret of its own as well: `JWT_SECRET_BACKEND` may hold its path or its key."""
_SIGN = Expression(r"[!@#$%^&*+?]")


def tells_another(name: bytes, value: bytes) -> bool:
    """The same, unless the name ends with a part of a system and the value shows that it is a secret."""
    if not says_otherwise(name):
        return False
    shown = is_random(value) or (has_digit(value) and _SIGN.search(value) is not None)
    return not (shown and _PART.fullmatch(last_word(name)))


_STRONG_NAME = Expression(
    r"(?i)(?:secret[_.-]?(?:access[_.-]?)?key|(?:client|app|api|consumer|webhook|signing)[_.-]?secret)"
)
_JOINED_WORDS = Expression(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+){2,}")
_SAYS_NOTHING = frozenset(
    b"my your the a an this is some test testing secret secrets key keys token tokens api client app access example"
    b" very long super dummy fake sample dev prod value string for in default change me not so real id auth user"
    b" name new old here insert".split()
)
"""Words of a value that say no more than its name does."""


def is_secret_of_words(name: bytes, value: bytes) -> bool:
    """Whether a name that can only mean a secret has words joined by hyphens that say more than what they are."""
    if len(value) < SHORTEST_LONG or not _STRONG_NAME.search(name) or not _JOINED_WORDS.fullmatch(value):
        return False
    if says_otherwise(name) or is_example(value) or is_hole(value) or value.isupper():
        return False
    rest = [word for word in value.lower().replace(b"_", b"-").split(b"-") if word not in _SAYS_NOTHING]
    return any(has_digit(word) and has_letter(word) for word in rest) or (b"-" in value and len(rest) > 1)
