"""Rules that a narrative nominates, admitted by program against what the person typed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.narration.narrative import Nomination
from baton.core.handoff.rules.admit import KNOWN, MOST, TOO_MANY, Admission, Leaks, Refused, Said, admit_all
from baton.core.handoff.rules.rule import STANDING, TASK, Rule
from baton.core.log.entry import Entry
from baton.core.log.payloads import UserInput, payload


def admit_nominations(
    nominations: Sequence[Nomination], entries: Iterable[Entry], leaks: Leaks, ledger: Ledger
) -> Admission:
    """The nominations that are literal words of the person, standing ones first. What is a rule already is neither
    taken again nor refused.
    """
    if not nominations:
        return Admission()
    messages = [Said(held.words, at) for held, at in _inputs(entries)]
    rules: list[Rule] = []
    refused: list[Refused] = []
    for scope in (STANDING, TASK):
        quotes = [each.quote for each in nominations if each.scope == scope]
        held = (*ledger.rules, *rules)
        made = admit_all(quotes, messages, leaks, scope=scope, born=ledger.generation, held=held)
        rules += made.rules
        refused += [each for each in made.refused if each.reason != KNOWN]
    refused += [Refused(rule.text, TOO_MANY) for rule in rules[MOST:]]
    return Admission(tuple(rules[:MOST]), tuple(refused))


def _inputs(entries: Iterable[Entry]) -> Iterable[tuple[UserInput, str]]:
    for entry in entries:
        held = payload(entry)
        if isinstance(held, UserInput) and not held.synthetic:
            yield held, f"{entry.session_id}/{entry.seq}"
