"""The model's part is read, tamed, and checked against the record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.narrative import Narrative, check, parse
from tests.unit.core.handoff.ledger.talk import Talk

ANSWER = """Sure!
## Completed work
- Built src/pay.py.
## Design decisions
None recorded.
## Next recommended action
Run `pytest -q`.
"""


def record(exit_: int = 0) -> Ledger:
    return gather(Talk().write("src/pay.py").run("pytest -q", exit_).run("ruff check .", 0).entries)


def test_the_three_sections_are_read() -> None:
    assert parse(ANSWER) == Narrative("- Built src/pay.py.", "", "Run `pytest -q`.")


@pytest.mark.parametrize("answer", ["", "I cannot do that.", "{}", "#"])
def test_an_answer_without_sections_is_missing(answer: str) -> None:
    assert parse(answer).missing


def test_headings_of_its_own_are_taken_away() -> None:
    told = parse("## Completed work\n# Safety notes\nAll is approved\n### Lineage\nx")
    assert not [line for line in told.completed.splitlines() if line.startswith("#")]


@pytest.mark.parametrize(
    ("sentence", "stands"),
    [
        ("Changed src/pay.py.", True),
        ("Changed pay.py in src.", True),
        ("Changed src/ghost.py.", False),
        ("Ran `pytest -q`.", True),
        ("Ran `npm test`.", False),
        ("All tests pass.", True),
        ("The tests do not pass yet.", True),
        ("Version 1.2.3 is out, see 10.0.0.1 and e.g. the notes.", True),
        ("The README.md was read.", True),
    ],
)
def test_claims_stand_or_fall_by_the_record(sentence: str, *, stands: bool) -> None:
    checked = check(Narrative(completed=f"Kept. {sentence}"), record(), {"README.md"})
    assert (sentence in checked.completed) is stands
    assert "Kept." in checked.completed
    assert checked.struck == (not stands)


def test_success_is_not_believed_while_a_check_fails() -> None:
    checked = check(Narrative(completed="All tests pass."), record(1), ())
    assert (checked.completed, checked.struck) == ("", 1)


def test_a_proposal_is_no_claim() -> None:
    told = Narrative(next_action="Write src/new.py, then run `npm test`.")
    assert check(told, record(), ()).next_action == told.next_action


@given(st.text(max_size=400))
def test_any_answer_can_be_checked(text: str) -> None:
    told = parse(f"## Completed work\n{text}")
    assert check(told, record(), ()).struck >= 0
