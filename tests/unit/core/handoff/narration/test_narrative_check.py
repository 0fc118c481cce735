"""Claims stand or fall by the record; what nobody can check stays."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.narration.check import check, objection_to
from baton.core.handoff.narration.narrative import Narrative
from baton.core.handoff.narration.record import Record
from tests.unit.core.handoff.ledger.talk import Talk
from tests.unit.core.handoff.narration import narrative_sentences as first
from tests.unit.core.handoff.narration import narrative_sentences_unseen as later

RECORDS = {**first.RECORDS, **later.RECORDS}
TRUE = (*first.TRUE, *later.TRUE, *later.MORE)
FALSE = first.FALSE


def record(talk: Talk, *known: str) -> Record:
    return Record(talk.entries, gather(talk.entries), known)


def pay(exit_: int = 0) -> Record:
    return record(Talk().write("src/pay.py").run("pytest -q", exit_).run("ruff check .", 0))


@pytest.mark.parametrize(("name", "sentence"), TRUE)
def test_a_true_sentence_stays(name: str, sentence: str) -> None:
    assert objection_to(sentence, record(RECORDS[name]())) == ""


@pytest.mark.parametrize(("name", "sentence"), FALSE)
def test_a_false_sentence_goes_with_a_reason(name: str, sentence: str) -> None:
    told = check(Narrative(completed=f"Kept. {sentence}"), record(RECORDS[name]()))
    assert told.completed == "Kept."
    assert [each.sentence for each in told.struck] == [sentence]
    assert told.struck[0].reason


def test_nine_of_ten_false_sentences_of_other_records_go() -> None:
    struck = [objection_to(sentence, record(RECORDS[name]())) for name, sentence in later.FALSE]
    assert len([reason for reason in struck if reason]) >= 0.9 * len(later.FALSE)


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Changed src/ghost.py.", "no file src/ghost.py was touched, read, listed or named"),
        ("Ran `npm test`.", "`npm test` was never run"),
        ("Pushed to origin/main.", "nothing shows a push"),
        ("The build passes.", "nothing shows that the build ran"),
        ("`pytest -q` still fails.", "the last run of `pytest -q` passed"),
    ],
)
def test_the_reason_says_what_is_wrong(sentence: str, reason: str) -> None:
    assert objection_to(sentence, pay()) == reason


def test_success_is_not_believed_while_a_check_fails() -> None:
    told = check(Narrative(completed="All tests pass."), pay(1))
    assert told.completed == ""
    assert [each.reason for each in told.struck] == ["the last run of `pytest -q` failed"]


def test_what_the_workspace_shows_may_be_named() -> None:
    assert objection_to("Notes are in docs/notes.md.", record(Talk(), "docs/notes.md")) == ""


def test_a_proposal_is_no_claim() -> None:
    told = Narrative(next_action="Write src/new.py, then run `npm test`.")
    assert check(told, pay()) == told


def test_only_the_false_sentence_of_a_list_goes() -> None:
    told = check(
        Narrative(completed="1. Changed src/pay.py. Ran `npm test`.\n2. Wrote src/ghost.py.\n\n- Done."), pay()
    )
    assert told.completed == "1. Changed src/pay.py.\n\n- Done."
    assert len(told.struck) == 2


def test_a_dot_inside_code_or_a_name_ends_no_sentence() -> None:
    text = "Uses `git commit -m 'Fix. Again.'` with Node.js, e.g. v1.2.3. Wrote src/ghost.py. Cart.total stays."
    told = check(Narrative(decisions=text), pay())
    assert told.decisions == "Uses `git commit -m 'Fix. Again.'` with Node.js, e.g. v1.2.3. Cart.total stays."
    assert [each.sentence for each in told.struck] == ["Wrote src/ghost.py."]


def test_a_wrapped_line_goes_as_a_whole() -> None:
    text = "- The helper that every caller of the payment client shares lives in\n  src/helpers/retry.py.\n- Kept."
    assert check(Narrative(completed=text), pay()).completed == "- Kept."


def test_a_struck_sentence_is_shown_within_bounds() -> None:
    told = check(Narrative(completed=f"Wrote src/ghost.py {'and more ' * 200}."), pay())
    assert len(told.struck[0].sentence) <= 240


def test_a_refused_command_proves_nothing() -> None:
    talk = Talk().say("no").call("shell", {"command": "git push"}, "refused", ok=False, refused=True)
    assert objection_to("The change was pushed.", record(talk)) == "nothing shows a push"


def test_what_the_person_reports_is_evidence() -> None:
    assert objection_to("It was deployed to staging.", record(Talk().say("I deployed it to staging"))) == ""


def test_the_agents_own_words_are_no_evidence() -> None:
    talk = Talk().say("go").add("assistant", text="I wrote src/ghost.py and pushed it.", calls=[])
    assert objection_to("Wrote src/ghost.py.", record(talk))
    assert objection_to("It was pushed.", record(talk))


@given(st.text(max_size=400))
def test_any_text_can_be_checked(text: str) -> None:
    told = check(Narrative(completed=text), pay())
    assert len(told.struck) <= len(text)


@pytest.mark.parametrize("piece", ["a/", "`", "a.py ", "ran `x ", "tests pass, ", "a.b", "created the the ", "0a1b2c3"])
def test_hostile_text_is_checked_in_time(piece: str) -> None:
    text = (piece * 20_000)[:20_000]
    start = time.thread_time()
    check(Narrative(completed=text, decisions=text), pay())
    assert time.thread_time() - start < 2
