"""How good a packet is, measured on its final text against the ledger it was made from.

Only presence is measured: a fact that is missing cannot be used, one that is there may still be overlooked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.fact import Fact, Ledger
from baton.core.value import value

PREFIX = 60
_COMMAND_PREFIX = 50
FLOORS = {
    "first request": 1.0,
    "current request": 1.0,
    "constraints": 0.99,
    "files": 0.99,
    "requests": 0.95,
    "open errors": 0.95,
    "open plan items": 0.95,
}
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
    recall: Mapping[str, Recall]
    unsupported: int
    stale: int
    tokens: int
    budget: int

    @property
    def share(self) -> float:
        """How much of everything is there."""
        total = sum(each.total for each in self.recall.values())
        return sum(each.kept for each in self.recall.values()) / total if total else 1.0

    def shortfalls(self) -> list[str]:
        """Why an automatic handoff may not use this packet; empty if it may."""
        found = [
            BELOW.format(name=name, share=recall.share, total=recall.total, floor=FLOORS[name])
            for name, recall in self.recall.items()
            if recall.share < FLOORS[name]
        ]
        if self.stale:
            found.append(f"{self.stale} finished items are shown as open")
        if self.tokens > self.budget:
            found.append(f"it has {self.tokens:,} tokens, {self.budget:,} are allowed")
        return found


def measure(ledger: Ledger, markdown: str, tokens: int, budget: int, unsupported: int = 0) -> Score:
    text = " ".join(markdown.split())
    requests = ledger.of(facts.REQUEST)
    classes = {
        "first request": [fact for fact in requests if fact.data.get("first")],
        "current request": requests[-1:],
        "constraints": ledger.of(facts.CONSTRAINT, facts.OPEN),
        "files": ledger.of(facts.FILE),
        "requests": requests,
        "open errors": [fact for fact in ledger.of(facts.ERROR, facts.OPEN) if not fact.data.get("probe")],
        "open plan items": ledger.of(facts.PLAN, facts.OPEN),
    }
    recall = {name: Recall(sum(_in(fact, text) for fact in each), len(each)) for name, each in classes.items()}
    return Score(recall, unsupported, _stale(ledger, markdown), tokens, budget)


def _in(fact: Fact, text: str) -> bool:
    if fact.kind == facts.FILE:
        path = " ".join(fact.text.split())
        return path in text or path.rsplit("/", 1)[-1] in text
    prefix = _COMMAND_PREFIX if fact.kind == facts.ERROR else PREFIX
    return " ".join(fact.text.split())[:prefix] in text


def _stale(ledger: Ledger, markdown: str) -> int:
    """Finished plan items and failures that the open section still names."""
    _, _, rest = markdown.partition("## Open blockers / approvals needed")
    section = " ".join(rest.partition("\n## ")[0].split())
    closed = [*ledger.of(facts.PLAN, facts.DONE), *ledger.of(facts.ERROR, facts.DONE)]
    still = {fact.text for fact in ledger.facts if fact.open}
    return sum(fact.text not in still and _in(fact, section) for fact in closed)


def to_json(score: Score) -> dict[str, Any]:
    return {
        "recall": {name: {"kept": each.kept, "total": each.total} for name, each in score.recall.items()},
        "unsupported_claims": score.unsupported,
        "stale_items": score.stale,
        "tokens": score.tokens,
        "budget": score.budget,
        "shortfalls": score.shortfalls(),
    }
