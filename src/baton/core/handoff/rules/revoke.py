"""Taking a rule back by words: "forget what I said about …", "you may push now", in the languages rules are found in.

What was pinned by hand does not end by words in a conversation; it ends by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from baton.core.handoff.rules.cues.table import compile_section, strip_marks
from baton.core.handoff.rules.rule import Rule
from baton.core.handoff.rules.subjects import find_subjects
from baton.core.handoff.rules.typed import typed_text
from baton.core.value import value

_NEGATED_BEFORE = re.compile(
    r"(?:\b(?:not|don't|dont|never|mustn't|shouldn't|can't|cannot|without|nicht|niemals|nie|no|non|nao|niet|nooit|не|никогда)\s+"
    r"(?:\w+\s+)?|\bn'|\bne\s+|不要|不能|别|勿|绝不)$"
)
_NEGATED_AFTER = re.compile(r"\s*(?:not|nicht|pas|не|niet)\b|(?:ない|지\s?마)")
_OWN = re.compile(r"\b(?:i|we|ich|wir|je|nous|yo|io|eu|ik|wij|ja|я|мы)(?:'(?:ll|m|ve))?(?:\s\w+){0,2}\s*$")
_LOOK = 2_000


@value
class TakenBack:
    """`ended` are the rules a message took back; `kept` were meant too, but are pinned and end by hand only."""

    ended: tuple[Rule, ...] = ()
    kept: tuple[Rule, ...] = ()


def take_back(message: str, rules: Iterable[Rule]) -> TakenBack:
    """What a message of a person does to the rules that hold. Pasted text takes nothing back."""
    typed = typed_text(message)
    if not is_revoking(typed):
        return TakenBack()
    held = {rule.id: rule for rule in rules}
    meant = [held[name] for name in find_revoked(typed, {name: rule.text for name, rule in held.items()})]
    ended = tuple(rule for rule in meant if rule.can_be_taken_back)
    return TakenBack(ended, tuple(rule for rule in meant if not rule.can_be_taken_back))


def is_revoking(text: str) -> bool:
    """Whether a text takes something back at all. "Do not forget" does not, nor does "I forgot"."""
    look = _fold(text)
    return _says(_pattern("takes"), look) or _says(_pattern("allows"), look)


def find_revoked(message: str, rules: Mapping[str, str]) -> list[str]:
    """The names of the rules that a message takes back."""
    look = _fold(message)
    named = _says(_pattern("takes"), look)
    said = find_subjects(look)
    for_good = named or bool(_pattern("lasting").search(look))
    return [
        name
        for name, text in rules.items()
        if text not in message and _is_about(text, said, named=named, for_good=for_good)
    ]


def _is_about(rule: str, said: frozenset[str], *, named: bool, for_good: bool) -> bool:
    """Two subjects in common; one is enough for a short rule that is plainly referred to.

    A permission given once ends a prohibition, not the duty to ask.
    """
    folded = _fold(rule)
    if not for_good and _pattern("asking").search(folded):
        return False
    subjects = find_subjects(folded)
    common = len(subjects & said)
    short = len(subjects) <= 2 and (named or not _pattern("general").search(folded))
    return common >= 2 or (common == 1 and short)


def _says(pattern: re.Pattern[str], look: str) -> bool:
    return any(not _is_negated(look, match) for match in pattern.finditer(look))


def _is_negated(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 24) : match.start()]
    own = _OWN.search(before) and not match[0].startswith(("changed", "разреш", "отмен"))
    return bool(own or _NEGATED_BEFORE.search(before) or _NEGATED_AFTER.match(text, match.end()))


def _fold(text: str) -> str:
    return strip_marks(text[:_LOOK].casefold())


@cache
def _pattern(section: str) -> re.Pattern[str]:
    return compile_section("revoke", section)
