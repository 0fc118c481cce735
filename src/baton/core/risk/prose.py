"""What a sentence says to do, in the languages of `tongues`: the first risky step of it.

A text is cut into sentences and these into steps. A step is risky if a verb of a language's table stands in it with
what it is done to, unless the step forbids it, only talks about it, or is about a piece of source. Each step is
searched once by each pattern, so the time grows with the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property

from baton.core.display import one_line
from baton.core.risk.line import Risk
from baton.core.risk.tongues import ACTS, TONGUES, Act, Said, Tongue, compiled

_SENTENCE = re.compile(r"[.!?](?=\s|$|[\"'”»)])|[。！？;；\n]|…|\.{3}")
_STEP = re.compile(r"[,，、:：–—]\s*|\s-\s|[(（)）]")
_LONGEST = 400
_FILLER = re.compile(r"^[\s\W\d]*")
_SHOWN = 120


class _Row:
    """One act of a language; compiled as far as a sentence gets."""

    def __init__(self, said: Said, tongue: Tongue) -> None:
        self.act = said.act
        self._said = said
        self._spaced = tongue.spaced

    @cached_property
    def verbs(self) -> re.Pattern[str]:
        return compiled(self._said.verbs, spaced=self._spaced)

    @cached_property
    def objects(self) -> re.Pattern[str] | None:
        return compiled(self._said.objects, spaced=self._spaced) if self._said.objects else None

    @cached_property
    def but(self) -> re.Pattern[str]:
        return compiled(self._said.but, spaced=self._spaced)


class _Rules:
    """A language, ready to be searched for. A pattern is compiled when a sentence first needs it: together they take a
    fifth of a second, and most sentences of a process are of one language.
    """

    def __init__(self, tongue: Tongue) -> None:
        self._tongue = tongue
        self.ends = tongue.ends
        self.spaced = tongue.spaced
        self.rows = tuple(_Row(said, tongue) for said in tongue.rows)
        self._letters = re.compile(f"[{tongue.letters}]" if tongue.letters else "", re.IGNORECASE)
        self._others = re.compile(f"[{tongue.others}]" if tongue.others else r"(?!)")

    def reads(self, sentence: str) -> bool:
        """Whether the sentence may be in this language and may say something risky."""
        foreign = self._letters.search(sentence) is None or self._others.search(sentence)
        return not foreign and self.any_verb.search(sentence) is not None

    @cached_property
    def any_verb(self) -> re.Pattern[str]:
        return self._make(" ".join(said.verbs for said in self._tongue.rows))

    @cached_property
    def refuses(self) -> re.Pattern[str]:
        return self._make(self._tongue.refuses)

    @cached_property
    def refuses_after(self) -> re.Pattern[str]:
        return self._make(self._tongue.refuses_after)

    @cached_property
    def talks(self) -> re.Pattern[str]:
        return self._make(self._tongue.talks)

    @cached_property
    def joins(self) -> re.Pattern[str]:
        return self._make(self._tongue.joins)

    @cached_property
    def code(self) -> re.Pattern[str]:
        return self._make(self._tongue.code)

    @cached_property
    def stops(self) -> re.Pattern[str]:
        return self._make(self._tongue.stops)

    @cached_property
    def leads(self) -> re.Pattern[str] | None:
        if not self._tongue.leads:
            return None
        words = self._tongue.leads.replace("_", " ").replace(" ", "|")
        return re.compile(rf"(?:^|(?<!\w)(?:{words})\s+)[\W\d]*$", re.IGNORECASE)

    def _make(self, listed: str) -> re.Pattern[str]:
        return compiled(listed, spaced=self.spaced)


@cache
def _rules() -> tuple[_Rules, ...]:
    return tuple(map(_Rules, TONGUES))


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
