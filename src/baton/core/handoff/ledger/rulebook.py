"""The rules of a conversation over its sessions: found, nominated, pinned, taken back, ended with their task."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from baton.core.handoff.ledger.constraints import demands, find_revoked, is_revoking
from baton.core.handoff.ledger.exchange import Exchange
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.rules.rule import PINNED, STANDING, Rule, rule_id
from baton.core.log.payloads import RuleDropped, RulePinned
from baton.core.value import replace

MOST_RULES = 60
"""Of those that nobody pinned; the newest stay."""


class Rulebook:
    def __init__(self, carried: Ledger, generation: int, clean: Callable[[str], str]) -> None:
        self._rules = {rule.id: rule for rule in carried.rules}
        self._ended: dict[str, Rule] = {}
        self._generation = generation
        self._clean = clean
        self._task = carried.last.task if carried.last else 0

    @property
    def rules(self) -> tuple[Rule, ...]:
        pinned = [rule for rule in self._rules.values() if rule.scope == PINNED]
        others = [rule for rule in self._rules.values() if rule.can_be_taken_back]
        return (*pinned, *others[-MOST_RULES:])

    @property
    def ended(self) -> tuple[Rule, ...]:
        return tuple(rule for id_, rule in self._ended.items() if id_ not in self._rules)

    def take(
        self,
        messages: Sequence[tuple[str, str]],
        exchanges: Sequence[Exchange],
        pins: Sequence[tuple[RulePinned | RuleDropped, str]],
        nominated: Sequence[Rule],
    ) -> list[Exchange]:
        """The exchanges with the task that each belongs to."""
        for text, at in messages:
            revoked = self._revoke(text)
            for found in demands(text):
                if not (revoked and is_revoking(found)):
                    self._add(Rule(rule_id(found), found, STANDING, at, self._generation))
        for rule in nominated:
            self._add(rule)
        for held, at in pins:
            self._pin(held, at)
        return list(exchanges)

    def _add(self, rule: Rule) -> None:
        known = self._rules.pop(rule.id, None)
        self._rules[rule.id] = replace(rule, born=known.born, scope=known.scope) if known else rule

    def _pin(self, held: RulePinned | RuleDropped, at: str) -> None:
        if isinstance(held, RuleDropped):
            if rule := self._rules.pop(held.rule, None):
                self._ended[rule.id] = rule
            return
        known = self._rules.get(held.id)
        if known is None or known.scope != PINNED:  # a pin is copied from session to session
            self._rules[held.id] = Rule(held.id, self._clean(held.text), PINNED, at, self._generation)

    def _revoke(self, message: str) -> bool:
        """Ends the rules that the message takes back, but no pinned ones; True if there were any."""
        if not is_revoking(message):
            return False
        held = {rule.id: rule.text for rule in self._rules.values() if rule.can_be_taken_back}
        gone = find_revoked(message, held)
        for id_ in gone:
            self._ended[id_] = self._rules.pop(id_)
        return bool(gone)
