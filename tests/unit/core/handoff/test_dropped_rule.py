"""A rule taken out of a packet that is written already."""

from __future__ import annotations

import pytest

from baton.core.handoff.dropped_rule import drop_rule
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.narration.narrative import Narrative
from baton.core.handoff.packet_text import Scene, render
from baton.core.handoff.rules.rule import PINNED, STANDING, TASK, Rule, make_rule

LONG = "Always " + "look at the log of the last run before anything else, " * 6 + "first thing."
TWIN = LONG.replace("first thing", "second thing")


def ledger(*rules: tuple[str, str]) -> Ledger:
    return Ledger(1, rules=tuple(make_rule(text, scope, f"s/{at}", 1) for at, (text, scope) in enumerate(rules, 1)))


def render_text(held: Ledger, budget: int = 4000) -> str:
    return render(held, Scene(session_id="s"), Narrative(missing="no model was asked"), budget).markdown


@pytest.mark.parametrize("budget", [4000, 700])
@pytest.mark.parametrize("at", [0, 1, 2, 3, 4])
def test_the_rule_is_struck_and_all_others_stay(at: int, budget: int) -> None:
    held = ledger(
        ("Ask me\nbefore you push.", PINNED),
        ("Never touch *migrations*.", STANDING),
        (LONG, STANDING),
        (TWIN, TASK),
        ("# No headings.", TASK),
    )
    rule = held.rules[at]
    before = render_text(held, budget)
    after, left = drop_rule(before, held, rule.id)
    assert left.rules == tuple(each for each in held.rules if each is not rule)
    assert left.ended == (rule,)
    changed = [(old, new) for old, new in zip(before.split("\n"), after.split("\n"), strict=True) if old != new]
    (_, heading), (line, gone) = changed
    assert heading.startswith("### Rules the person set: ")
    assert _count(heading) == len(left.rules)
    assert _words(rule)[:40] in line
    assert gone.startswith("- No longer asked for: ")


def _count(heading: str) -> int:
    return sum(int(word) for word in heading.split() if word.isdigit())


def _words(rule: Rule) -> str:
    return " ".join(rule.text.split()).lstrip("# ")


def test_the_last_rule_leaves_none() -> None:
    held = ledger(("Never push.", STANDING))
    after, left = drop_rule(render_text(held), held, held.rules[0].id)
    assert "### Rules the person set: none\n" in after
    assert left.rules == ()


def test_a_rule_that_is_not_there_changes_nothing() -> None:
    held = ledger(("Never push.", STANDING))
    text = render_text(held)
    assert drop_rule(text, held, "K00000000") == (text, held)


def test_a_text_that_was_edited_keeps_its_words_and_the_ledger_loses_the_rule() -> None:
    held = ledger(("Never push.", STANDING))
    after, left = drop_rule("# Mine\nDo as you like.", held, held.rules[0].id)
    assert (after, left.rules) == ("# Mine\nDo as you like.", ())
