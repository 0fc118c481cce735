"""Rules in the words of a person, found without a model: by what languages say rules with, and by form.

A question, a report, an ordinary request and anything pasted is none. What is found is a literal quote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from baton.core.handoff.rules.cues.table import Cues, load_cues
from baton.core.handoff.rules.folding import Folded, find_words, fold
from baton.core.handoff.rules.language import guess_languages
from baton.core.handoff.rules.learned import sound_like_rule
from baton.core.handoff.rules.rule import LONGEST, STANDING, TASK
from baton.core.handoff.rules.sentences import split_sentences
from baton.core.handoff.rules.typed import BULLET, NUMBERED, PLAIN, Line, typed_lines
from baton.core.text import fold_spaces
from baton.core.value import replace, value

MOST = 24
"""Rules of one message; whoever has more to say writes a file."""

_ENOUGH = 2
_SAYING, _HINT, _GENERAL, _TELLING = 2, 1, 1, -2
_LATE = 16
"""A clause that begins later than this is said along with something else, mostly a request."""
_DOUBTFUL, _SOUND, _SURE = -3.0, 0.5, 1.0
"""A sentence with the words of a rule is one unless it sounds like none at all; without them it must sound like one.
Where precision and recall meet on sentences that neither the tables nor the weights had seen (bench/rule_training).
"""
_SHORTEST_LIST = {NUMBERED: 3, BULLET: 5}
_QUESTION = re.compile(r"[?？؟]['\"”’)\]」』]{0,3}$")
_POLITE = re.compile(
    r"^(?:(?:can|could|would|will) you|kannst du|konntest du|peux-tu|pourrais-tu|puedes|podrias|puoi|potresti|pode"
    r"|poderia|kun je|kan je|mozesz|можешь) "
    r"(?:please |bitte |s'il te plait |por favor |per favore |alsjeblieft |prosze )?"
    r"(?=(?:always|never|from now on|make sure|not|immer|nie|ab jetzt|toujours|ne|siempre|nunca|no|sempre|non|nao"
    r"|altijd|nooit|zawsze|nie|всегда|никогда|не)\b)"
)
"""A question that is a rule: what follows is read without it."""
_PIECES = re.compile(r"[;；]\s*|,\s+|，|、|\s[–—-]\s")
_CONTRAST = re.compile(
    r"[,;]? (?:but|aber|mais|pero|ma|mas|maar|ale|но|але|however|jedoch|ama) |[，,]?(?:但是|但|不过)|ただし|하지만 "
)
_EXCLAMATION = re.compile(r"\W*[a-z\u0400-\u04ff]+\W*")
"""One word: "Ouch." sounds like nothing else, and so like a rule as well."""
_FEWEST_LETTERS = re.compile(r"[^\W\d_].{0,60}?[^\W\d_]")


@value
class Found:
    """The words as they were written, spaces folded, and whether they read as standing or as of the task. `worded` if
    they have the words of a rule, `sure` if they sound like one as well.
    """

    text: str
    scope: str
    sure: bool = False
    worded: bool = False


def find_rules(message: str) -> tuple[Found, ...]:
    """The rules of a message, in order, each once. Linear in its length."""
    lines = typed_lines(message)
    around = guess_languages(fold(" ".join(line.text for line in lines[:20])[:2_000]))
    found: dict[str, Found] = {}
    sentences = 0
    for group in _groups(lines):
        rules, seen = _rules_of(group, around)
        sentences += seen
        found |= {rule.text.lower(): rule for rule in rules}
    alone = len(found) * 2 > sentences
    return tuple(_settle(rule, alone=alone) for rule in list(found.values())[:MOST])


def _settle(rule: Found, *, alone: bool) -> Found:
    """A prohibition in a message of rules stands; one said along with a request belongs to that request."""
    return replace(rule, scope=(STANDING if alone else TASK) if rule.scope == "" else rule.scope)


def _groups(lines: Sequence[Line]) -> list[list[Line]]:
    """Running text line by line, lists as a whole."""
    groups: list[list[Line]] = []
    for line in lines:
        if line.item != PLAIN and groups and groups[-1][0].list == line.list:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _rules_of(group: Sequence[Line], around: tuple[str, ...]) -> tuple[list[Found], int]:
    """The rules of a paragraph or list, and its number of sentences. A list most of whose items are none is a plan."""
    found: list[Found] = []
    items = sentences = 0
    for line in group:
        pieces = [piece for sentence in split_sentences(line.text) for piece in _bounded(sentence)]
        rules = [rule for piece in pieces if (rule := _judge(piece, around)) is not None]
        sentences += len(pieces)
        items += bool(rules)
        found += rules
    if len(group) >= _SHORTEST_LIST.get(group[0].item, len(group) + 1) and items * 2 < len(group):
        return [], sentences
    return found, sentences


def _bounded(sentence: str) -> list[str]:
    """A sentence, or the clauses of one that is too long to be a rule."""
    return [sentence] if len(sentence) <= LONGEST else [each for each in _PIECES.split(sentence) if each.strip()]


@lru_cache(maxsize=4096)
def _judge(sentence: str, around: tuple[str, ...]) -> Found | None:
    """A sentence is a rule if it is one as a whole, or if what comes after a "but" is."""
    text = fold_spaces(sentence).strip("-*•>#_ ")
    if len(text) > LONGEST or not _FEWEST_LETTERS.search(text):
        return None
    folded = fold(text)
    if _QUESTION.search(folded):
        asked = _POLITE.match(folded)
        if asked is None:
            return None
        folded = folded[asked.end() :].rstrip("?？؟ ")
    parts = [find_words(part) for part in dict.fromkeys((folded, *_CONTRAST.split(folded)[1:]))]
    weighed = (_weigh(part, language) for language in guess_languages(folded, around) for part in parts)
    judged = [scope for scope in weighed if scope is not None]
    sound = sound_like_rule(text)
    if judged and (sound > _DOUBTFUL or text.endswith("?")):
        return Found(text, max(judged, key=len), sure=sound > _SURE, worded=True)
    return Found(text, "") if sound > _SOUND and not _EXCLAMATION.fullmatch(folded) else None


def _weigh(part: Folded, language: str) -> str | None:
    """The scope that the words themselves name, or an empty string; None if they are no rule."""
    cues = load_cues(language)
    if cues.get("never").matches(part):
        return None
    general = cues.get("general").matches(part)
    saying = next((start for start, _ in cues.get("says").find_spans(part)), None)
    said = _SAYING * (saying is not None) + _HINT * cues.get("hints").count(part, 2) + _GENERAL * general
    if said and cues.get("tells").matches(part):
        said = max(0, said + _TELLING)
    opening = cues.find_opening(part)
    if said < _ENOUGH and opening is None:
        return None
    late = opening is not None and min(opening, opening if saying is None else saying) > _LATE
    return _scope(part, cues, general=general, late=late)


def _scope(part: Folded, cues: Cues, *, general: bool, late: bool) -> str:
    if late and not cues.get("lasting").matches(part):
        return TASK
    if general:
        return STANDING
    return TASK if cues.get("passing").matches(part) else ""
