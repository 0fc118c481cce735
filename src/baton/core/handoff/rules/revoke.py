"""Taking a rule back by words: "forget what I said about …", "you may push now", in the languages rules are found in.

What was pinned by hand does not end by words in a conversation; it ends by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from baton.core.handoff.rules.cues.patterns import Patterns
from baton.core.handoff.rules.cues.table import load_cues
from baton.core.handoff.rules.folding import Folded, find_words, fold
from baton.core.handoff.rules.language import guess_languages
from baton.core.handoff.rules.rule import Rule
from baton.core.handoff.rules.sentences import split_sentences
from baton.core.handoff.rules.subjects import find_subjects
from baton.core.handoff.rules.typed import typed_lines
from baton.core.value import value

_NEGATED_BEFORE = re.compile(
    r"(?:\b(?:not|don't|dont|never|mustn't|shouldn't|can't|cannot|without|nicht|niemals|nie|no|non|nao|niet|nooit|не|"
    r"никогда)\s+(?:\w+\s+)?|\bn'|\bne\s+|不要|不能|别|勿|绝不)$"
)
_NEGATED_AFTER = re.compile(r"\s*(?:not|nicht|pas|не|niet)\b|(?:ない|지\s?마)")
_NEGATED_WITHIN = re.compile(r"\w+ (?:not|nicht|pas|niet)\b(?! (?:mehr|meer|plus|any|more)\b)")
"""Right after the verb; "does not apply any more" takes back as well."""
_OWN = re.compile(r"\b(?:i|we|ich|wir|je|nous|yo|io|eu|ik|wij|ja|я|мы)(?:'(?:ll|m|ve))?(?:\s\w+){0,2}\s*$")
_FORBIDDING = re.compile(
    r"\b(?:not|don't|dont|never|nicht|nie|niemals|kein\w{0,2}|no|nunca|ne|pas|jamais|nao|non|niet|nooit|не|ні|никогда)\b"
    r"|不要|别|不能"
)
_CLAUSE_END = re.compile(r"[,;:.!?，。；(]")
_AHEAD = 48
"""How much after "instead of" is what is replaced, at most."""
_LOOK = 400
"""Characters of a sentence that are looked at."""


@value
class TakenBack:
    """`ended` are the rules a message took back; `kept` were meant too, but are pinned and end by hand only."""

    ended: tuple[Rule, ...] = ()
    kept: tuple[Rule, ...] = ()


@value
class _Word:
    """A sentence that takes something back: what it is about, whether it says so plainly, and whether for good."""

    subjects: frozenset[str]
    plain: bool
    lasting: bool


def take_back(message: str, rules: Iterable[Rule]) -> TakenBack:
    """What a message of a person does to the rules that hold. Pasted text takes nothing back."""
    words = _revoking(message)
    if not words:
        return TakenBack()
    repeated = {fold(sentence) for sentence in _sentences(message)}
    meant = [rule for rule in rules if fold(rule.text) not in repeated and any(_is_about(rule, word) for word in words)]
    ended = tuple(rule for rule in meant if rule.can_be_taken_back)
    return TakenBack(ended, tuple(rule for rule in meant if not rule.can_be_taken_back))


def find_replaced(message: str, rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """The rules whose subject a message puts something else in the place of: "spaces instead of tabs". What is
    forbidden has no place to be taken. It is a guess: such a rule is doubted, not ended.
    """
    swaps = [swap for sentence in _sentences(message) if (swap := _read_swap(sentence[:_LOOK])) is not None]
    return tuple(rule for rule in rules if rule.can_be_taken_back and any(_is_replaced(rule, *swap) for swap in swaps))


def _is_replaced(rule: Rule, subjects: frozenset[str], gone: frozenset[str]) -> bool:
    """One subject of a short rule, or one and another that both speak of. What a rule itself puts out of its place is
    none of its subjects: whoever says it again does not take it back.
    """
    wanted = _wanted(rule.text)
    return bool(wanted & gone) and (len(wanted) <= 2 or len(wanted & subjects) >= 2)


@lru_cache(maxsize=1024)
def _wanted(rule: str) -> frozenset[str]:
    """The subjects of a rule that something else can take the place of."""
    text = fold(rule)
    if _FORBIDDING.search(text):
        return frozenset()
    own = _read_swap(rule)
    return find_subjects(text) - (own[1] if own else frozenset())


@lru_cache(maxsize=4096)
def _read_swap(sentence: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """What a sentence speaks of, and what of it is to be replaced."""
    folded = find_words(fold(sentence))
    for language in guess_languages(folded.text):
        for start, end in load_cues(language).get("replaces").find_spans(folded):
            if not _FORBIDDING.search(folded.text[:start]):
                gone = _CLAUSE_END.split(folded.text[end : end + _AHEAD].strip(), 1)[0]
                return find_subjects(folded.text), find_subjects(gone)
    return None


def is_revoking(text: str) -> bool:
    """Whether a text takes something back at all. "Do not forget" does not, nor does "I forgot"."""
    return bool(_revoking(text))


def _revoking(message: str) -> list[_Word]:
    return [word for sentence in _sentences(message) if (word := _read(sentence[:_LOOK])) is not None]


@lru_cache(maxsize=4)
def _sentences(message: str) -> tuple[str, ...]:
    return tuple([sentence for line in typed_lines(message) for sentence in split_sentences(line.text)])


@lru_cache(maxsize=4096)
def _read(sentence: str) -> _Word | None:
    folded = find_words(fold(sentence))
    for language in guess_languages(folded.text):
        cues = load_cues(language)
        plain = _says(cues.get("takes"), folded)
        if plain or _says(cues.get("allows"), folded):
            lasting = plain or cues.get("lasting").matches(folded)
            return _Word(find_subjects(folded.text), plain, lasting)
    return None


def _is_about(rule: Rule, word: _Word) -> bool:
    """Two subjects in common; one is enough for a short rule that is plainly referred to.

    A permission given once ends a prohibition, not the duty to ask, nor what was said for always.
    """
    subjects, asks, general = _subjects(rule.text)
    if asks and not word.lasting:
        return False
    common = len(subjects & word.subjects)
    short = len(subjects) <= 2 and (word.plain or not general)
    return common >= 2 or (common == 1 and short)


@lru_cache(maxsize=1024)
def _subjects(rule: str) -> tuple[frozenset[str], bool, bool]:
    """What a rule is about, whether it wants to be asked, and whether it is said for always."""
    folded = find_words(fold(rule))
    cues = [load_cues(language) for language in guess_languages(folded.text)]
    asks = any(each.get("asks").matches(folded) for each in cues)
    return find_subjects(folded.text), asks, any(each.get("general").matches(folded) for each in cues)


def _says(patterns: Patterns, sentence: Folded) -> bool:
    return any(not _is_negated(sentence.text, start, end) for start, end in patterns.find_spans(sentence))


def _is_negated(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 24) : start]
    own = _OWN.search(before) and not text.startswith(("changed", "разреш", "отмен"), start)
    within = _NEGATED_WITHIN.match(text, start, end)
    return bool(own or within or _NEGATED_BEFORE.search(before) or _NEGATED_AFTER.match(text, end))
