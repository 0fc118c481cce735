"""Words that stand where a bare password could and name something: the word for a password, an attribute, a row."""

from __future__ import annotations

import re
from functools import cache

from baton.adapters.redaction.rules_file import further_nouns, speech
from baton.adapters.redaction.thresholds import NEIGHBOURS_AROUND

_QUOTES = (b'"', b"'", b"`")
_ATTRIBUTE = re.compile(rb"[A-Za-z@:#.-][\w:.-]*+=")
_SAYS_PASSWORD = re.compile(rb"(?:password|passwd|passphrase)s?")
_KEY_BELOW = re.compile(rb"[a-z_][a-z0-9_.-]*+:")
"""The name of what follows on its own line: `password:` and below it `description:`."""
_GOES_ON = re.compile(rb" (?:updated|changed|unchanged|expiry|set|reset|is|was|has|must|for|not)\b")
_ROW = re.compile(
    rb"(?i)(?:host(?:name)?|user(?:name)?|server|port|url|e-?mail|login|name|database|address|ip|role|notes?)"
)


def is_bare_label(value: bytes, before: bytes, after: bytes) -> bool:
    """The word for a password, which translates its name or begins a sentence; an attribute; the next row's name."""
    given = before[-1:] in _QUOTES and before[-2:-1] in (b"=", b":", b" ")
    if value.endswith(b"=") and after[:1] in _QUOTES and not given and _ATTRIBUTE.fullmatch(value):
        return True
    if before[-1:] in (b"=", b" ", b":") and (value[:1].isupper() or value[0] >= 0x80) and is_noun(value):
        return after[:1] in (b"", b"\n", b"\r")
    if _KEY_BELOW.fullmatch(value) and after[:1] in (b"", b"\n", b"\r") and not before.rpartition(b"\n")[2].strip():
        return True
    if _SAYS_PASSWORD.fullmatch(value) and _GOES_ON.match(after):
        return True
    return (not before or before.endswith((b"\n", b"| "))) and after[:2] == b" |" and _ROW.fullmatch(value) is not None


_NUMBERED = re.compile(
    rb"(?m)^[ \t]*(?:[A-Z][A-Z0-9_]+[ \t]+=[ \t]+([0-9]{1,10})\b|[A-Z][A-Za-z0-9_]+[ \t]*=[ \t]*([0-9]{1,10}),)"
)


def is_numbered(data: bytes, start: int, end: int) -> bool:
    """Whether it is the number of a constant: those on the lines around have one as long."""
    value = data[start:end]
    if not value.isdigit() or len(value) > _LONGEST_NUMBER:
        return False
    before, after = max(0, start - NEIGHBOURS_AROUND), end + NEIGHBOURS_AROUND
    return (
        sum(len(found[1] or found[2]) == len(value) for found in _NUMBERED.finditer(data, before, after))
        > _FEWEST_NUMBERED
    )


_LONGEST_NUMBER, _FEWEST_NUMBERED = 10, 2


@cache
def _nouns() -> frozenset[str]:
    """Of the languages whose sentences are read, and of others."""
    spoken = {noun.lower() for each in speech() for noun in each.nouns if len(noun) > 2}
    return further_nouns().union(spoken)


def is_noun(value: bytes) -> bool:
    """Whether it is the word for a password itself, as tables of translations have it."""
    if len(value) > 64:
        return False
    said = value.decode("utf-8", "replace").lower()
    return said in _nouns() or _REMARK.sub("", said) in _nouns()


_REMARK = re.compile(r"\s*[(\uff08][^()\uff08\uff09]*[)\uff09]\Z")
"""Behind the word, in a table of translations: `パスワード(確認)`."""
