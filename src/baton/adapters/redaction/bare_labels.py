"""Words that stand where a bare password could and name something: the word for a password, an attribute, a row."""

from __future__ import annotations

import re
from functools import cache

from baton.adapters.redaction.rules_file import further_nouns, speech

_QUOTES = (b'"', b"'", b"`")
_ATTRIBUTE = re.compile(rb"[A-Za-z@:#.-][\w:.-]*+=")
_SAYS_PASSWORD = re.compile(rb"(?:password|passwd|passphrase)s?")
_GOES_ON = re.compile(rb" (?:updated|changed|unchanged|expiry|set|reset|is|was|has|must|for|not)\b")
_ROW = re.compile(
    rb"(?i)(?:host(?:name)?|user(?:name)?|server|port|url|e-?mail|login|name|database|address|ip|role|notes?)"
)


def is_bare_label(value: bytes, before: bytes, after: bytes) -> bool:
    """The word for a password, which translates its name or begins a sentence; an attribute; the next row's name."""
    if value.endswith(b"=") and after[:1] in _QUOTES and _ATTRIBUTE.fullmatch(value):
        return True
    if before[-1:] in (b"=", b" ", b":") and (value[:1].isupper() or value[0] >= 0x80) and is_noun(value):
        return after[:1] in (b"", b"\n", b"\r")
    if _SAYS_PASSWORD.fullmatch(value) and _GOES_ON.match(after):
        return True
    return (not before or before.endswith((b"\n", b"| "))) and after[:2] == b" |" and _ROW.fullmatch(value) is not None


@cache
def _nouns() -> frozenset[str]:
    """Of the languages whose sentences are read, and of others."""
    spoken = {noun.lower() for each in speech() for noun in each.nouns if len(noun) > 2}
    return further_nouns().union(spoken)


def is_noun(value: bytes) -> bool:
    """Whether it is the word for a password itself, as tables of translations have it."""
    return len(value) <= 64 and value.decode("utf-8", "replace").lower() in _nouns()
