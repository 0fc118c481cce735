"""How good a packet is, measured on its final text against the ledger it was made from.

Presence is measured, and honesty: a message that was cut, a result that is unknown and a narrative that is missing cost
points. A fact that is missing cannot be used; one that is there may still be overlooked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.exchange import Exchange
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.ledger.words import keep_ends
from baton.core.handoff.next_action import live_failures
from baton.core.handoff.rules.rule import PINNED
from baton.core.text import fold_spaces
from baton.core.value import value

PREFIX = 60
_COMMAND_PREFIX = 50
_RECENT, _DECIDED = 40, 16
FLOORS = {
    "current request": 1.0,
    "pinned rules": 1.0,
    "rules": 0.99,
    "files": 0.99,
    "recent requests": 0.95,
    "refusals and answers": 0.95,
    "failing checks": 0.95,
    "open plan items": 0.95,
}
"""What an automatic handoff needs. What is only shown has no floor."""
BELOW = "{name}: {share:.0%} of {total} are in the packet, {floor:.0%} must be"


@value
class Recall:
    """How many of a class are in the text."""

    kept: int
    total: int

    @property
    def share(self) -> float:
        return self.kept / self.total if self.total else 1.0


@value
class Score:
    """`unsupported` sentences of the narrative were struck; `unknown` counts checks whose result nobody knows."""

    recall: Mapping[str, Recall]
    unsupported: int
    stale: int
    tokens: int
    budget: int
    unknown: int = 0
    narrative: bool = True

    @property
    def share(self) -> float:
        """How much of everything is there; what is unknown or missing counts as not there."""
        total = sum(each.total for each in self.recall.values()) + self.unknown + (not self.narrative)
        return sum(each.kept for each in self.recall.values()) / total if total else 1.0

    def shortfalls(self) -> list[str]:
        """Why an automatic handoff may not use this packet; empty if it may."""
        found = [
            BELOW.format(name=name, share=recall.share, total=recall.total, floor=FLOORS[name])
            for name, recall in self.recall.items()
            if name in FLOORS and recall.share < FLOORS[name]
        ]
        if self.stale:
            found.append(f"{self.stale} finished items are shown as open")
        if self.tokens > self.budget:
            found.append(f"it has {self.tokens:,} tokens, {self.budget:,} are allowed")
        return found


def measure(
    ledger: Ledger, markdown: str, tokens: int, budget: int, unsupported: int = 0, *, narrative: bool = True
) -> Score:
    """`narrative` says whether a model wrote one."""
    text = fold_spaces(markdown)
    exchanges = ledger.exchanges
    names = [fact.text.rsplit("/", 1)[-1] for fact in ledger.of(facts.FILE)]
    decided = [words for each in exchanges for words in _decided_words(each)]
    classes: dict[str, Iterable[str]] = {
        "current request": [each.asked[:PREFIX] for each in exchanges[-1:]],
        "pinned rules": [rule.text for rule in ledger.rules if rule.scope == PINNED],
        "rules": [rule.text[:PREFIX] for rule in ledger.rules],
        "files": names[-_RECENT:],
        "older files": names[:-_RECENT],
        "recent requests": [each.asked[:PREFIX] for each in exchanges[-_RECENT:]],
        "older requests": [each.asked[:PREFIX] for each in exchanges[:-_RECENT]],
        "whole messages": [each.asked if each.whole else "\0" for each in exchanges],
        "refusals and answers": [each[:PREFIX] for each in decided[-_DECIDED:]],
        "last reply": [keep_ends(each.reply, 10_000)[-PREFIX:] for each in exchanges[-1:] if each.reply],
        "failing checks": [fact.text[:_COMMAND_PREFIX] for fact in live_failures(ledger)],
        "open plan items": [fact.text[:PREFIX] for fact in ledger.of(facts.PLAN, facts.OPEN)],
    }
    recall = {name: _recall(wanted, text) for name, wanted in classes.items()}
    unknown = sum(fact.data.get("verdict") == "unknown" for fact in ledger.of(facts.COMMAND) if fact.data.get("check"))
    return Score(recall, unsupported, _stale(ledger, markdown), tokens, budget, unknown, narrative)


def _decided_words(exchange: Exchange) -> list[str]:
    refused = [refusal.words or refusal.call for refusal in exchange.refusals]
    return [*refused, *(answer.answer for answer in exchange.answers)]


def _recall(wanted: Iterable[str], text: str) -> Recall:
    found = [fold_spaces(each) in text for each in wanted]
    return Recall(sum(found), len(found))


def _stale(ledger: Ledger, markdown: str) -> int:
    """Finished plan items and failures that the open section still names."""
    _, _, rest = markdown.partition("## Open blockers / approvals needed")
    section = fold_spaces(rest.partition("\n## ")[0])
    closed = [*ledger.of(facts.PLAN, facts.DONE), *ledger.of(facts.ERROR, facts.DONE)]
    still = {fact.text for fact in ledger.facts if fact.open}
    return sum(fact.text not in still and fold_spaces(fact.text)[:PREFIX] in section for fact in closed)


def to_json(score: Score) -> dict[str, Any]:
    return {
        "share": round(score.share, 4),
        "recall": {name: {"kept": each.kept, "total": each.total} for name, each in score.recall.items()},
        "unsupported_claims": score.unsupported,
        "unknown_results": score.unknown,
        "narrative": score.narrative,
        "stale_items": score.stale,
        "tokens": score.tokens,
        "budget": score.budget,
        "shortfalls": score.shortfalls(),
    }
