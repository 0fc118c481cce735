"""The rules of a conversation over its sessions: found, nominated, pinned, taken back, ended with their task."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from baton.core.handoff.ledger.exchange import ANSWERED, WAITING, Exchange
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.rules.find import find_rules
from baton.core.handoff.rules.revoke import find_replaced, is_revoking, take_back
from baton.core.handoff.rules.rule import PINNED, SCOPES, STANDING, TASK, Rule, make_rule
from baton.core.handoff.rules.subjects import find_subjects
from baton.core.handoff.rules.tasks import holds, is_new_task
from baton.core.log.payloads import RuleDropped, RulePinned
from baton.core.value import replace

MOST_RULES, MOST_OF_TASK = 60, 16
"""Of those that nobody pinned, and of those that end with their task; the newest stay."""
_ALONE = 0.8
"""A message that is rules for so much of it asks for no task: they stand."""
_BEFORE = 3
_LOOK = 600
"""How many exchanges before a message, and how much of each, say whether it begins another task."""
_GRACE = 1
"""For so many tasks longer a rule of a task is kept: where one ends is a guess, and a lost rule costs trust."""


class Rulebook:
    def __init__(self, carried: Ledger, generation: int, clean: Callable[[str], str]) -> None:
        self._rules = {rule.id: rule for rule in carried.rules}
        self._ended: dict[str, Rule] = {}
        self._unworded: set[str] = set()
        self._generation = generation
        self._clean = clean

    @property
    def rules(self) -> tuple[Rule, ...]:
        pinned = [rule for rule in self._rules.values() if rule.scope == PINNED]
        passing = [rule for rule in self._rules.values() if rule.ends_with_task][:-MOST_OF_TASK]
        others = [rule for rule in self._rules.values() if rule.scope != PINNED and rule not in passing]
        return (*pinned, *others[-MOST_RULES:])

    @property
    def ended(self) -> tuple[Rule, ...]:
        """What you took back or dropped. A rule that ends with its task is not taken back."""
        return tuple(rule for id_, rule in self._ended.items() if id_ not in self._rules)

    def take(
        self,
        messages: Sequence[tuple[str, str]],
        exchanges: Sequence[Exchange],
        pins: Sequence[tuple[RulePinned | RuleDropped, str]],
        nominated: Sequence[Rule] | None,
    ) -> list[Exchange]:
        """The exchanges with the task that each belongs to."""
        worked_on = {each.at for each in exchanges if each.begun and each.state in (ANSWERED, WAITING)}
        for text, at in messages:
            self._hear(text, at, heard_by_model=nominated is not None, worked_on=at in worked_on)
        for rule in nominated or ():
            self._add(rule)
        self._doubt_refused(exchanges)
        for held, at in pins:
            self._pin(held, at)
        numbered = self._number_tasks(exchanges)
        self._end_with_tasks(numbered)
        return numbered

    def _hear(self, text: str, at: str, *, heard_by_model: bool, worked_on: bool) -> None:
        """A sentence that takes a rule back is no rule itself. Where a model has named the rules it saw, only what is
        sure is added to them. A message that the agent went to work on was a request if it is one sentence without
        the words of a rule, or with those of a task that do not sound like a rule.
        """
        gone = take_back(text, self._rules.values()).ended
        for rule in gone:
            self._ended[rule.id] = self._rules.pop(rule.id)
        for rule in find_replaced(text, list(self._rules.values())[-MOST_RULES:]):
            self._rules[rule.id] = replace(rule, doubt=at)
        rules = [found for found in find_rules(text) if not (gone and is_revoking(found.text))]
        alone = sum(len(found.text) for found in rules) >= _ALONE * len(text.strip())
        for found in (each for each in rules if each.sure or not heard_by_model):
            little = found.scope == TASK and not found.sure if found.worded else len(rules) == 1
            asked = worked_on and little
            scope = (TASK if asked else STANDING) if alone else found.scope
            rule = make_rule(found.text, scope, at, self._generation)
            self._unworded |= set() if found.worded else {rule.id}
            self._add(rule)

    def _doubt_refused(self, exchanges: Sequence[Exchange]) -> None:
        """What was asked for in the same breath as something the person refused then, and speaks of the same. What has
        the words of a rule is mostly what the refusal insists on.
        """
        said = {each.at: each.refusals[-1] for each in exchanges if each.refusals and each.refusals[-1].words}
        for rule in [self._rules[id_] for id_ in self._unworded if id_ in self._rules and self._rules[id_].at in said]:
            refusal = said[rule.at]
            if find_subjects(rule.text) & find_subjects(refusal.words):
                self._rules[rule.id] = replace(rule, doubt=refusal.at)

    def _add(self, rule: Rule) -> None:
        """One said again counts as said now, but keeps its birth, and the longer of its scopes."""
        if known := self._rules.pop(rule.id, None):
            rule = replace(rule, born=known.born, scope=min(known.scope, rule.scope, key=SCOPES.index))
        self._rules[rule.id] = rule

    def _pin(self, held: RulePinned | RuleDropped, at: str) -> None:
        if isinstance(held, RuleDropped):
            if rule := self._rules.pop(held.rule, None):
                self._ended[rule.id] = rule
            return
        known = self._rules.get(held.id)
        if known is None or known.scope != PINNED:  # a pin is copied from session to session
            self._rules[held.id] = Rule(held.id, self._clean(held.text), PINNED, at, self._generation)

    def _number_tasks(self, exchanges: Sequence[Exchange]) -> list[Exchange]:
        numbered: list[Exchange] = []
        for each in exchanges:
            if each.task:
                numbered.append(each)
                continue
            last = numbered[-1].task if numbered else 0
            before = [text for one in numbered[-_BEFORE:] for text in (one.asked[:_LOOK], one.reply[-_LOOK:])]
            numbered.append(replace(each, task=last + is_new_task(before, each.asked)))
        return numbered

    def _end_with_tasks(self, exchanges: Sequence[Exchange]) -> None:
        if not exchanges:
            return
        current = exchanges[-1].task
        answered = any(each.task == current and each.state in (ANSWERED, WAITING) for each in exchanges)
        tasks = {each.at: each.task for each in exchanges}
        for rule in list(self._rules.values()):
            if not holds(rule, tasks.get(rule.at, 0) + _GRACE, current, answered=answered):
                del self._rules[rule.id]
