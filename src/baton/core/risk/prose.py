"""What a sentence says to do, in the languages of `tongues`: the first risky step of it.

A text is cut into sentences and these into steps. A step is risky if a verb of a language's table stands in it with
what it is done to, unless the step forbids it, only talks about it, or is about a piece of source. Each step is
searched once by each pattern, so the time grows with the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from baton.core.display import one_line
from baton.core.risk.line import Risk
from baton.core.risk.tongues import ACTS, TONGUES, Act, Said, Tongue, compiled
from baton.core.value import value

_SENTENCE = re.compile(r"[.!?](?=\s|$|[\"'”»)])|[。！？;；\n]|…|\.{3}")
_STEP = re.compile(r"[,，、:：–—]\s*|\s-\s|[(（)）]")
_LONGEST = 400
_FILLER = re.compile(r"^[\s\W\d]*")
_SHOWN = 120


@value
class _Row:
    act: Act
    verbs: re.Pattern[str]
    objects: re.Pattern[str] | None
    but: re.Pattern[str]


@value
class _Rules:
    """A language, ready to be searched for."""

    rows: tuple[_Row, ...]
    any_verb: re.Pattern[str]
    refuses: re.Pattern[str]
    refuses_after: re.Pattern[str]
    talks: re.Pattern[str]
    joins: re.Pattern[str]
    code: re.Pattern[str]
    stops: re.Pattern[str]
    leads: re.Pattern[str] | None
    ends: bool
    spaced: bool
    letters: re.Pattern[str]
    others: re.Pattern[str]

    def reads(self, sentence: str) -> bool:
        """Whether the sentence may be in this language and may say something risky."""
        foreign = self.letters.search(sentence) is None or self.others.search(sentence)
        return not foreign and self.any_verb.search(sentence) is not None


@cache
def _rules() -> tuple[_Rules, ...]:
    return tuple(map(_compile, TONGUES))


def _compile(tongue: Tongue) -> _Rules:
    def made(listed: str) -> re.Pattern[str]:
        return compiled(listed, spaced=tongue.spaced)

    def row(said: Said) -> _Row:
        return _Row(said.act, made(said.verbs), made(said.objects) if said.objects else None, made(said.but))

    leads = re.compile(
        rf"(?:^|(?<!\w)(?:{tongue.leads.replace('_', ' ').replace(' ', '|')})\s+)[\W\d]*$", re.IGNORECASE
    )
    return _Rules(
        tuple(map(row, tongue.rows)),
        made(" ".join(said.verbs for said in tongue.rows)),
        made(tongue.refuses),
        made(tongue.refuses_after),
        made(tongue.talks),
        made(tongue.joins),
        made(tongue.code),
        made(tongue.stops),
        leads if tongue.leads else None,
        tongue.ends,
        tongue.spaced,
        re.compile(f"[{tongue.letters}]" if tongue.letters else "", re.IGNORECASE),
        re.compile(f"[{tongue.others}]" if tongue.others else r"(?!)"),
    )


@cache
def _all_refuses() -> re.Pattern[str]:
    return compiled(" ".join(tongue.refuses for tongue in TONGUES if tongue.spaced))


@cache
def _all_talks() -> re.Pattern[str]:
    return compiled(" ".join(tongue.talks for tongue in TONGUES if tongue.spaced))


def said(text: str) -> Risk | None:
    """The first thing in it that a person should be asked about."""
    for sentence in _SENTENCE.split(text):
        for rules in _rules():
            for step in _steps(sentence, rules) if rules.reads(sentence) else ():
                if act := _act(step, rules):
                    kind, reason = ACTS[act]
                    return Risk(kind, reason, one_line(step.strip(), _SHOWN))
    return None


def _steps(sentence: str, rules: _Rules) -> Iterator[str]:
    """What is to be done, one after another. `a test for create and delete` stays one step."""
    for clause in _STEP.split(sentence):
        start = 0
        for match in rules.joins.finditer(clause):
            before = clause[start : match.start()].rsplit(None, 1)
            if len(before) > 1 and rules.any_verb.fullmatch(before[-1]) and _talks(clause[start:]):
                continue
            yield clause[start : match.start()][:_LONGEST]
            start = match.end()
        yield clause[start:][:_LONGEST]


def _talks(step: str) -> bool:
    begun = _FILLER.match(step)
    return _all_talks().match(step, begun.end() if begun else 0) is not None


def _act(step: str, rules: _Rules) -> Act | None:
    if _talks(step) or (rules.ends and rules.talks.search(step)):
        return None
    for row in rules.rows:
        for verb in row.verbs.finditer(step):
            if _is_done(step, verb, row, rules):
                return row.act
    return None


def _is_done(step: str, verb: re.Match[str], row: _Row, rules: _Rules) -> bool:
    before, after = step[: verb.start()], step[verb.end() :]
    if rules.leads and not rules.leads.search(before):
        return False
    refuses = _all_refuses() if rules.spaced else rules.refuses
    if refuses.search(before) or rules.refuses_after.search(step):
        return False
    if row.but.search(step):
        return False
    reach = _object(after, rules) if rules.leads else step
    if rules.code.search(reach):
        return False
    return row.objects is None or row.objects.search(reach) is not None


def _object(after: str, rules: _Rules) -> str:
    """What follows a verb up to the first word that ends an object; if there is nothing, up to the next one."""
    stop = rules.stops.search(after)
    if stop and not after[: stop.start()].strip():
        stop = rules.stops.search(after, stop.end())
    return after[: stop.start()] if stop else after
