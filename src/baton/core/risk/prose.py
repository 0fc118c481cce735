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

_SENTENCE = re.compile(r"[.!?](?=\s|$|[\"'”»)])|[。！？;；\n]|…|\.{3}")
_STEP = re.compile(r"[,，、:：–—]\s*|\s-\s|[(（)）]")
_LONGEST = 400
_FILLER = re.compile(r"^[\s\W\d]*")
_EITHER = re.compile(r"\(\?:(\w+(?:\|\w+)*)\)(?![?*{])")
_PLAIN_START = re.compile(r"[^\W\d_]+(?![?{*])")
_SHOWN = 120


def _find(listed: str, tongue: Tongue) -> re.Pattern[str]:
    return compiled(listed, spaced=tongue.spaced)


@cache
def _any_verb(tongue: Tongue) -> re.Pattern[str]:
    return _find(" ".join(said.verbs for said in tongue.rows), tongue)


@cache
def _stems(tongue: Tongue) -> tuple[str, ...] | None:
    """What an ASCII sentence in small letters has to hold one of to have a verb of this language; None if that cannot
    be told. Cheap, where compiling the verbs of all languages is not.
    """
    stems = [_starts(_near_ascii(verb)) for said in tongue.rows for verb in said.verbs.split()]
    plain = dict.fromkeys(stem for each in stems for stem in each if stem.isascii())
    return tuple(plain) if all(stems) else None


def _starts(verb: str) -> list[str]:
    """The letters one of which a verb begins with, as it stands in a table; empty if that cannot be told."""
    if either := _EITHER.match(verb):
        return either[1].split("|")
    start = _PLAIN_START.match(verb)
    return [start[0]] if start and "|" not in verb.partition("(")[0] else []


def _near_ascii(verb: str) -> str:
    """In small letters, and those that a search without regard to case takes for ASCII ones as such."""
    return verb.lower().replace("i\u0307", "i").replace("ı", "i").replace("ſ", "s")


@cache
def _letters(tongue: Tongue) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Some that a sentence has to have, and some that it must not."""
    own = re.compile(f"[{tongue.letters}]" if tongue.letters else "", re.IGNORECASE)
    return own, re.compile(f"[{tongue.others}]" if tongue.others else r"(?!)")


@cache
def _leads(tongue: Tongue) -> re.Pattern[str]:
    words = tongue.leads.replace("_", " ").replace(" ", "|")
    return re.compile(rf"(?:^|(?<!\w)(?:{words})\s+)[\W\d]*$", re.IGNORECASE)


def _reads(sentence: str, tongue: Tongue) -> bool:
    """Whether the sentence may be in this language and may say something risky."""
    own, others = _letters(tongue)
    if own.search(sentence) is None or others.search(sentence):
        return False
    stems = _stems(tongue) if sentence.isascii() else None
    if stems is not None and not any(map(sentence.lower().__contains__, stems)):
        return False
    return _any_verb(tongue).search(sentence) is not None


@cache
def _all_refuses() -> re.Pattern[str]:
    return compiled(" ".join(tongue.refuses for tongue in TONGUES if tongue.spaced))


@cache
def _all_talks() -> re.Pattern[str]:
    return compiled(" ".join(tongue.talks for tongue in TONGUES if tongue.spaced))


def said(text: str) -> Risk | None:
    """The first thing in it that a person should be asked about."""
    for sentence in _SENTENCE.split(text):
        for tongue in TONGUES:
            for step in _steps(sentence, tongue) if _reads(sentence, tongue) else ():
                if act := _act(step, tongue):
                    kind, reason = ACTS[act]
                    return Risk(kind, reason, one_line(step.strip(), _SHOWN))
    return None


def _steps(sentence: str, tongue: Tongue) -> Iterator[str]:
    """What is to be done, one after another. `a test for create and delete` stays one step."""
    for clause in _STEP.split(sentence):
        start = 0
        for match in _find(tongue.joins, tongue).finditer(clause):
            before = clause[start : match.start()].rsplit(None, 1)
            if len(before) > 1 and _any_verb(tongue).fullmatch(before[-1]) and _talks(clause[start:]):
                continue
            yield clause[start : match.start()][:_LONGEST]
            start = match.end()
        yield clause[start:][:_LONGEST]


def _talks(step: str) -> bool:
    begun = _FILLER.match(step)
    return _all_talks().match(step, begun.end() if begun else 0) is not None


def _act(step: str, tongue: Tongue) -> Act | None:
    if _talks(step) or (tongue.ends and _find(tongue.talks, tongue).search(step)):
        return None
    for row in tongue.rows:
        for verb in _find(row.verbs, tongue).finditer(step):
            if _is_done(step, verb, row, tongue):
                return row.act
    return None


def _is_done(step: str, verb: re.Match[str], row: Said, tongue: Tongue) -> bool:
    before, after = step[: verb.start()], step[verb.end() :]
    if tongue.leads and not _leads(tongue).search(before):
        return False
    refuses = _all_refuses() if tongue.spaced else _find(tongue.refuses, tongue)
    if refuses.search(before) or _find(tongue.refuses_after, tongue).search(step):
        return False
    if _find(row.but, tongue).search(step):
        return False
    reach = _object(after, tongue) if tongue.leads else step
    if _find(tongue.code, tongue).search(reach):
        return False
    return not row.objects or _find(row.objects, tongue).search(reach) is not None


def _object(after: str, tongue: Tongue) -> str:
    """What follows a verb up to the first word that ends an object; if there is nothing, up to the next one."""
    stops = _find(tongue.stops, tongue)
    stop = stops.search(after)
    if stop and not after[: stop.start()].strip():
        stop = stops.search(after, stop.end())
    return after[: stop.start()] if stop else after
