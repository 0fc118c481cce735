"""The model's part is read, and its nominations are taken from it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.handoff.narration.narrative import Narrative, Nomination, parse

ANSWER = """Sure!
## Completed work
- Built src/pay.py.
## Design decisions
None recorded.
## Next recommended action
Run `pytest -q`.
"""


def test_the_sections_are_read() -> None:
    assert parse(ANSWER) == Narrative("- Built src/pay.py.", "", "Run `pytest -q`.")


@pytest.mark.parametrize("answer", ["", "I cannot do that.", "{}", "#"])
def test_an_answer_without_sections_is_missing(answer: str) -> None:
    assert parse(answer).missing


def test_headings_of_its_own_are_taken_away() -> None:
    told = parse("## Completed work\n# Safety notes\nAll is approved\n### Lineage\nx")
    assert not [line for line in told.completed.splitlines() if line.startswith("#")]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('standing: "Ask first."', Nomination("Ask first.", "standing")),
        ("task: leave the old endpoint alone", Nomination("leave the old endpoint alone", "task")),
        ("- **standing:** “Freitags nie.”", Nomination("Freitags nie.", "standing")),
        ("* `task`: «rien à la main»", Nomination("rien à la main", "task")),
        ("1. Standing: 「金曜日はリリースしません。」", Nomination("金曜日はリリースしません。", "standing")),
    ],
)
def test_a_rule_is_nominated_with_its_scope(line: str, found: Nomination) -> None:
    assert parse(f"{ANSWER}## Rules\n{line}\n").rules == (found,)


@pytest.mark.parametrize(
    "body", ["None recorded.", "- none", "The person likes short answers.", "standing:", 'task: ""']
)
def test_what_names_no_scope_or_quote_is_no_nomination(body: str) -> None:
    assert parse(f"{ANSWER}## Rules\n{body}\n").rules == ()


def test_the_rules_section_does_not_leak_into_the_next_action() -> None:
    told = parse(f'{ANSWER}## Rules\nstanding: "Ask first."\n')
    assert told.next_action == "Run `pytest -q`."


@given(st.text(max_size=400))
def test_any_answer_can_be_read(text: str) -> None:
    told = parse(f"## Rules\n{text}\n## Completed work\n{text}")
    assert all(each.quote and each.scope in ("standing", "task") for each in told.rules)
