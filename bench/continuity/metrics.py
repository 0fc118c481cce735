"""One document scored against the truth at its cut."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from baton.core.agent.tokens import estimate
from baton.core.log.entry import Entry
from bench.continuity.claims import claims, denied, stale, still_demanded
from bench.continuity.dialogue import Dialogue, dialogue
from bench.continuity.document import Document
from bench.continuity.fact import Fact
from bench.continuity.folding import MESSAGE, bare
from bench.continuity.next_action import NONE, Advice, advise
from bench.continuity.planted import Planted
from bench.continuity.pointers import pointers
from bench.continuity.statements import Shown, shown_runs
from bench.continuity.truth import CLASSES, CORE, Truth
from bench.continuity.wholeness import decisions, doubtful_rules

_PASSED = re.compile(
    r"exit(?:ed)?(?: code| status)?:? *0\b|\bpass(?:es|ed)\b|ended well|✓|\bok\b|succeeded", re.IGNORECASE
)
_FAILED = re.compile(r"exit(?:ed)?(?: code| status)?:? *[1-9]|\bfail(?:s|ed)?\b|✗|\berror\b", re.IGNORECASE)

_CODE = re.compile(r"`[^`]*`")
_NEAR = 120


@dataclass(frozen=True, slots=True)
class Count:
    """So many of so many."""

    hits: int = 0
    facts: int = 0

    @property
    def share(self) -> float | None:
        return self.hits / self.facts if self.facts else None

    def plus(self, other: Count) -> Count:
        return Count(self.hits + other.hits, self.facts + other.facts)


@dataclass(frozen=True, slots=True)
class Doubts:
    """So many of a kind were looked at, and these are wrong."""

    count: int = 0
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """`recall` by class; `older` counts only facts from before the cut before. `missed` are for a person to look at.

    `standing` are demands the user had taken back and the document still makes, `held` counts those
    never taken back that it makes, `denied` are those of them it calls gone; `ghosts` come from dead branches.
    """

    recall: dict[str, Count]
    older: dict[str, Count]
    claims: int
    unsupported: tuple[str, ...]
    finished: int
    stale: tuple[str, ...]
    taken_back: int
    standing: tuple[str, ...]
    held: Count
    lost: tuple[str, ...]
    denied: tuple[str, ...]
    ghosts: tuple[str, ...]
    secrets: int
    leaks: int
    characters: int
    tokens: int
    missed: dict[str, tuple[str, ...]]
    shown: Shown = field(default_factory=Shown)
    advice: Advice = field(default_factory=lambda: Advice(NONE))
    pointers: Doubts = field(default_factory=Doubts)
    decisions: Doubts = field(default_factory=Doubts)
    rules: Doubts = field(default_factory=Doubts)

    @property
    def core(self) -> float | None:
        """The mean recall over the core classes that have facts."""
        shares = [share for name in CORE if (share := self.recall[name].share) is not None]
        return sum(shares) / len(shares) if shares else None


NOTHING = Planted()
SILENCE = dialogue(())


def score(
    markdown: str,
    truth: Truth,
    previous_cut: int = 0,
    planted: Planted = NOTHING,
    after: Dialogue = SILENCE,
    generations: Sequence[Sequence[Entry]] = (),
) -> Score:
    """`after` is what was really done next; `generations` are the sessions that pointers point into."""
    document = Document(markdown)
    stated = claims(document, truth)
    shown_open, finished = stale(document, truth)
    hidden = tuple(dict.fromkeys([*planted.canaries, *truth.secrets]))
    taken_back = [demand for demand, revocation in planted.revoked if revocation in truth.said]
    hold = [demand for demand in planted.demands if any(demand in text for text in truth.said)]
    lost = [demand for demand in hold if not still_demanded(document, demand)]
    hits = {name: [fact for fact in truth.facts[name] if _hit(name, fact, document)] for name in CLASSES}
    return Score(
        recall={name: Count(len(hits[name]), len(truth.facts[name])) for name in CLASSES},
        older={name: _older(hits[name], truth.facts[name], previous_cut) for name in CLASSES},
        claims=len(stated),
        unsupported=tuple(claim for claim, supported in stated if not supported),
        finished=finished,
        stale=tuple(shown_open),
        taken_back=len(taken_back),
        standing=tuple(demand for demand in taken_back if still_demanded(document, demand)),
        held=Count(len(hold) - len(lost), len(hold)),
        lost=tuple(lost),
        denied=tuple(demand for demand in planted.demands if denied(document, demand)),
        ghosts=tuple(text for text in planted.absent if bare(text)[:MESSAGE] in document.flat),
        secrets=len(hidden),
        leaks=sum(secret in markdown or bare(secret) in document.flat for secret in hidden),
        characters=len(markdown),
        tokens=estimate(markdown),
        missed={name: _missed(truth.facts[name], hits[name]) for name in CLASSES},
        shown=shown_runs(document, truth),
        advice=advise(document, truth.dialogue, after),
        pointers=_doubts(pointers(document, generations)),
        decisions=_doubts(decisions(document, truth)),
        rules=_doubts(doubtful_rules(document, truth)),
    )


def _doubts(found: tuple[int, list[str]]) -> Doubts:
    return Doubts(found[0], tuple(found[1]))


def _older(hits: list[Fact], facts: list[Fact], before: int) -> Count:
    return Count(sum(fact.born < before for fact in hits), sum(fact.born < before for fact in facts))


def _missed(facts: list[Fact], hits: list[Fact]) -> tuple[str, ...]:
    return tuple(fact.text[:120] for fact in facts if fact not in hits)[:5]


def _hit(name: str, fact: Fact, document: Document) -> bool:
    if not document.has(fact):
        return False
    return name != "V" or _status_said(fact, document)


def _status_said(fact: Fact, document: Document) -> bool:
    """How the command ended stands on its line, or right behind it, and is right."""
    for line in document.lines:
        if all(each in line.text for each in fact.probes) and _says(_CODE.sub("", line.text)) == fact.status:
            return True
    last = fact.probes[-1]
    places = [found.end() for found in re.finditer(re.escape(last), document.flat)]
    return any(_says(document.flat[place : place + _NEAR]) == fact.status for place in places)


def _says(text: str) -> str:
    """The first result a text names: ok, failed or nothing."""
    passed, failed = _PASSED.search(text), _FAILED.search(text)
    if passed and (failed is None or passed.start() < failed.start()):
        return "ok"
    return "failed" if failed else ""
