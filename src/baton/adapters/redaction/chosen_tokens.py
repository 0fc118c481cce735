# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Words that a person chose as an API key, a token or a client's secret: `api_key=sunflower`, `Bearer sunflower`.

Machines draw tokens, so that a word beside such a name is mostly a variable, a type or a note. Outside code, where it is
the whole value of a name that can only mean a secret, it is none of these.
"""

from __future__ import annotations

import re

from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.judge import Claim
from baton.adapters.redaction.meanings import says_otherwise
from baton.adapters.redaction.names import TOKEN
from baton.adapters.redaction.neighbours import is_setting
from baton.adapters.redaction.phrases import is_unsaid
from baton.adapters.redaction.rules_file import note_words, ordinary_words, sentence_words
from baton.adapters.redaction.thresholds import FLAG_BACK, NAME_BACK, SHORTEST_NUMBER_ALONE, SHORTEST_WORD
from baton.adapters.redaction.typed import in_code, is_typed

MAY_NAME_ONE = re.compile(
    rb"(?i)(?:tokens?|bearer|auth(?:orization)?|credentials?|secret|key)[\"'`\])*\\ \t]{0,8}[=:>,|]{0,3}[ \t]{0,4}\Z"
)
"""How every name ends that `names_a_token` or `_BARE` knows, with its operator."""
_SURE = Expression(
    r"(?i)(?:^|[^A-Za-z0-9]|[a-z0-9_-])(?:(?:api|app|access|auth|secret|client|consumer|service|deploy|account|admin|bot"
    r"|bearer|refresh|personal|oauth2?|session|webhook|signing|master|license|encryption|jwt|github|gitlab|slack"
    r"|telegram|discord|npm|pypi|vault|ci)[_. -]?(?:access[_. -]?)?(?:key|token|secret)|bearer)$"
)
_IN_CAPITALS = Expression(r"(?:[A-Z][A-Z0-9]*_)+(?:TOKEN|KEY|SECRET)$")
_BARE = Expression(r"(?i)(?:^|[_. -])token$")
_OF_A_PARSER = Expression(
    r"(?i)(?:next|prev(?:ious)?|page|stop|pad|bos|eos|unk|sep|cls|mask|start|end|begin|cur(?:rent)?|last|first|special"
    r"|continuation|sync|resume|cancel(?:lation)?|lexer|this|peek|image|sort|public|cache|primary|foreign)[_. -]?(?:token|key)$"
)
_SCHEME = re.compile(rb"(?i)\b(?:bearer|token|apikey)[ \t]+\Z")
_NAMES_ITSELF = Expression(
    r"(?i)(?:.*[_. -])?(?:api|access|secret|auth|client|my|your|the|some|test|demo|fake|dummy|in?valid|bad|good|wrong|new|old|abc)"
    r"[_. -]?(?:key|token|secret|auth)?s?[0-9]{0,3}|(?:.*[_.-])(?:key|token|secret|auth)s?|abc.*|key[0-9]*|t[o0]k.*|foo.*|bar|baz"
)
_WORDS = re.compile(rb"[A-Za-z\x80-\xff]{3,}+(?:[-_][A-Za-z\x80-\xff]{2,}+){0,2}+[-_]?[0-9]{0,4}+[A-Za-z]{0,2}")
"""One to three of them, and a number, with a letter or two."""
_AUTHORIZATION = b"authorization"
_OPERATOR = re.compile(rb"=[\"']?\Z")
_LINE_ENDS = re.compile(rb"""["'`]?[ \t]*(?:\r?\n|\Z|#|//|\\n)""")
_FIELD_ENDS = re.compile(rb"""["'`]?[ \t]*(?:\r?\n|\Z|[,;&#}"'`]|\.(?:\s|\Z))""")
_NEXT_WORD = re.compile(rb"[ \t]+([a-z']+)")


def is_chosen(data: bytes, claim: Claim, first: int, last: int) -> bool:
    """Whether a word, a number or words in quotes beside a name for a token are one; they stand at `first` to `last`."""
    name, value = claim.name, claim.value
    if claim.strength != TOKEN or says_otherwise(name) or _OF_A_PARSER.search(name):
        return False
    scheme = _SCHEME.search(data, max(0, first - FLAG_BACK), first) is not None
    sure = scheme if name.lower().endswith(_AUTHORIZATION) else names_a_token(name) or _is_flag(data, name, first)
    setting = is_setting(data, first, last)
    if not sure and not (_BARE.search(name) and (setting or _is_line(data, first, last))):
        return False
    if not _is_value(value, claim.quoted):
        return False
    if in_code(data, first) and not (setting and name.isupper()):
        return False
    if claim.quoted:
        return not (value.isalpha() and value.istitle()) or setting or name.isupper()
    return _is_whole(data, name, first, last, setting, sure, scheme)


def is_note_with_hyphens(value: bytes) -> bool:
    """`see-section-2`: words that say where to look."""
    parts = value.lower().replace(b"_", b"-").split(b"-")
    return len(parts) > 1 and any(
        part in sentence_words() or part.decode("utf-8", "replace") in note_words() for part in parts
    )


def _is_flag(data: bytes, name: bytes, first: int) -> bool:
    """`--token x`, `--token=x`."""
    return _BARE.search(name) is not None and data[max(0, first - 1 - len(name) - 2) : first - 1] == b"--" + name


def names_a_token(name: bytes) -> bool:
    """Whether a name can only mean a secret."""
    return _SURE.search(name) is not None or _IN_CAPITALS.fullmatch(name) is not None


def _is_value(value: bytes, quoted: bool) -> bool:
    if value.isdigit():
        return len(value) >= SHORTEST_NUMBER_ALONE and is_typed(value)
    if b" " in value:
        return quoted and is_unsaid(value) and value.islower()
    return (
        len(value) >= SHORTEST_WORD
        and _WORDS.fullmatch(value) is not None
        and is_typed(value)
        and not _NAMES_ITSELF.fullmatch(value)
        and not is_note_with_hyphens(value)
        and not (value.isupper() and value.isalpha())
    )


def _is_whole(data: bytes, name: bytes, first: int, last: int, setting: bool, sure: bool, scheme: bool) -> bool:
    """Whether a bare value is all that is said, and no argument of a call."""
    if setting:
        return True
    line = data[_line_begins(data, first) : first]
    if line.count(b"(") > line.count(b")"):
        return False
    value = data[first:last].lower()
    if _OPERATOR.search(line):
        return sure and (b"_" not in value or b"_" not in name)
    if value.decode("latin-1") in ordinary_words():
        return False
    if scheme or b" --" in line or line.startswith(b"--"):
        return sure
    if _FIELD_ENDS.match(data, last) is not None if sure else _LINE_ENDS.match(data, last) is not None:
        return True
    after = _NEXT_WORD.match(data, last, last + 24)
    return sure and after is not None and after.group(1) in _GOES_ON and after.group(1) in sentence_words()


_GOES_ON = frozenset(b"for in on at and but then please since until from here now".split())


def _is_line(data: bytes, first: int, last: int) -> bool:
    """Whether the name begins the line and the value ends it."""
    return (
        _STARTS.fullmatch(data, _line_begins(data, first), first) is not None
        and _LINE_ENDS.match(data, last) is not None
    )


def _line_begins(data: bytes, at: int) -> int:
    near = max(0, at - NAME_BACK)
    return data.rfind(b"\n", near, at) + 1 or near


_STARTS = re.compile(rb"[ \t]*(?:[-*][ \t]+)?[\w.-]+[ \t]*[=:][ \t]*")
