"""What a person said, as facts: requests word for word, constraints, their revocation, names that must stay exact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from baton.core.constraints import constraints
from baton.core.ledger.commands import folded

MOST_CONSTRAINTS = 24
_FENCE = re.compile(r"```[^`]*(?:```|$)")
_REVOKING = re.compile(
    r"\b(?:forget|ignore|drop|scrap|disregard|never ?mind|no longer|cancel|revoke|lift|changed my mind|scratch that|"
    r"take back|not apply any ?more|n[o'’]t needed any ?more|(?:does|do)(?:n['’]t| not) (?:hold|apply)|"
    r"it(?:['’]s| is) (?:ok(?:ay)?|fine) (?:now )?to)\b"
    r"|\byou (?:can|may|are allowed to)\b[^.!?\n]{0,80}\b(?:now|after all|again)\b|\byou (?:can|may) now\b"
    r"|\b(?:vergiss|ignoriere|nicht mehr|gilt nicht|hebe? .{1,30} auf)\b|\b(?:oublie|laisse tomber|ne .{1,20}plus)\b"
    r"|\b(?:olvida|ya no|ignora)\b|(?:забудь|больше не|отменя)|(?:忘了|忘掉|不用再|取消|忘れて|もう.{0,8}不要)",
    re.IGNORECASE,
)
_NEGATED_BEFORE = re.compile(
    r"(?:\b(?:not|don['’]?t|never|mustn['’]t|shouldn['’]t|can['’]?t|cannot|without|nicht|niemals|nie|no|не|никогда)\s+"
    r"(?:\w+\s+)?|\bn['’]|\bne\s+|不要|不能|别|勿)$",
    re.IGNORECASE,
)
_NEGATED_AFTER = re.compile(r"\s*(?:not|nicht|pas|не)\b", re.IGNORECASE)
_WORD = re.compile(r"[\w./-]{3,}")
_SMALL_WORDS = """
the and that this with what said about from for you your are was not don't dont never always must only should please
rule constraint forget ignore drop now can may anymore any more have has will would when then than into onto use
using instead keep make sure all again earlier before after ich das die der und nicht mehr über les des une pas que
para con los las
"""
_EMPTY = frozenset(_SMALL_WORDS.split())
_IDENTIFIERS = re.compile(
    r"https?://[^\s<>\"'`)\]]{4,300}"
    r"|\b(?:localhost|(?:[0-9]{1,3}\.){3}[0-9]{1,3}|[a-zA-Z0-9-]{1,60}(?:\.[a-zA-Z0-9-]{1,60}){1,5}):[0-9]{2,5}\b"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\b(?=[0-9a-f]{0,39}[0-9])(?=[0-9]{0,39}[a-f])[0-9a-f]{8,64}\b"
    r"|(?<![\w/.])(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]+)+"
    r"|\b[A-Z][A-Z0-9]{1,9}-[0-9]{1,6}\b"
    r"|(?<![\w&])#[0-9]{1,7}\b"
)
_LOOK = 20_000
_REVOKING_LOOK = 2000


def demands(text: str) -> list[str]:
    """The sentences of a message that bind what is done from now on. Quoted code and logs bind nothing."""
    own = _FENCE.sub("\n", text[:_LOOK])
    return [folded(each) for each in constraints(own)][:MOST_CONSTRAINTS]


def revoking(text: str) -> bool:
    """Whether a text takes something back at all. "Do not forget" does not."""
    look = text[:_REVOKING_LOOK]
    return any(not _negated(look, match) for match in _REVOKING.finditer(look))


def _negated(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 24) : match.start()]
    return bool(_NEGATED_BEFORE.search(before) or _NEGATED_AFTER.match(text, match.end()))


def revoked(message: str, demands_: Mapping[str, str]) -> list[str]:
    """The names of the demands that a revoking message is about."""
    said = _subjects(message[:_REVOKING_LOOK])
    return [name for name, demand in demands_.items() if demand != message and _about(_subjects(demand), said)]


def _about(subjects: frozenset[str], said: frozenset[str]) -> bool:
    common = len(subjects & said)
    return common >= 2 or (common == 1 and len(subjects) <= 2)


def _subjects(text: str) -> frozenset[str]:
    words = (word.strip("./-").lower() for word in _WORD.findall(text))
    return frozenset(_stem(word) for word in words if len(word) > 2) - _EMPTY


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 4 else word


def identifiers(texts: Iterable[str]) -> list[str]:
    """URLs, paths, host:port, hashes and ticket names, in order, each once."""
    found: dict[str, None] = {}
    for text in texts:
        for match in _IDENTIFIERS.finditer(_FENCE.sub("\n", text[:_LOOK])):
            found[match[0].rstrip(".,;:")] = None
    return list(found)
