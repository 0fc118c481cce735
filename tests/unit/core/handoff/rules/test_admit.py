"""A model may nominate rules; only what a person typed becomes one, and what is refused is counted."""

from __future__ import annotations

import time

import pytest

from baton.core.errors import BadInput
from baton.core.handoff.rules import admit as reasons
from baton.core.handoff.rules.admit import Refused, Said, admit, admit_all
from baton.core.handoff.rules.rule import LONGEST, PINNED, STANDING, TASK, Rule, from_json, make_rule, rule_id, to_json

MESSAGES = [
    Said("Fix the cart. Refunds above\n50 EUR need a manager. Should Bob know?", "s1/3"),
    Said("Look:\n```\nnever call this twice\n```\nThe key is hunter2, keep it safe.", "s1/9"),
    Said("Never push to main without asking me first.", "s2/1"),
]


def leaks(text: str) -> bool:
    return "hunter2" in text


def judge(quote: str) -> Rule | Refused:
    return admit(quote, MESSAGES, leaks, born=2)


def test_a_literal_quote_becomes_a_rule_that_points_to_its_message() -> None:
    rule = judge("Refunds above 50 EUR need a manager.")
    assert rule == make_rule("Refunds above 50 EUR need a manager.", STANDING, "s1/3", 2)


def test_quotation_marks_and_spaces_around_a_quote_do_not_matter() -> None:
    assert isinstance(judge('  "Refunds above  50 EUR need a manager."\n'), Rule)


def test_a_piece_of_a_sentence_becomes_the_sentence_lest_it_says_the_opposite() -> None:
    rule = judge("push to main")
    assert isinstance(rule, Rule)
    assert rule.text == "Never push to main without asking me first."


@pytest.mark.parametrize(
    ("quote", "reason"),
    [
        ("Refunds above 500 EUR need a manager.", reasons.NOT_SAID),
        ("refunds need approval", reasons.NOT_SAID),
        ("never call this twice", reasons.PASTED),
        ("Should Bob know?", reasons.QUESTION),
        ("The key is hunter2, keep it safe.", reasons.SECRET),
        ("keep it safe.", reasons.SECRET),
        ("", reasons.TOO_SHORT),
        ('"" ', reasons.TOO_SHORT),
        ("to", reasons.TOO_SHORT),
        ("Never push " * 200, reasons.TOO_LONG),
    ],
)
def test_what_is_refused_says_why(quote: str, reason: str) -> None:
    assert judge(quote) == Refused(quote, reason)


def test_a_sentence_longer_than_a_rule_is_refused_even_if_its_quote_is_short() -> None:
    long = Said("Never push " + "and never pull " * 40 + "again.", "s/1")
    assert admit("and never pull", [long], leaks) == Refused("and never pull", reasons.TOO_LONG)
    assert len(long.text) > LONGEST


def test_a_thousand_nominations_are_cut_and_counted() -> None:
    said = [Said("\n\n".join(f"Never touch folder {n}." for n in range(1000)), "s/1")]
    start = time.thread_time()
    admission = admit_all([f"Never touch folder {n}." for n in range(1000)], said, leaks)
    assert len(admission.rules) == reasons.MOST
    assert [each.reason for each in admission.refused] == [reasons.TOO_MANY] * (1000 - reasons.MOST)
    assert admission.tell() == f"976 rules suggested by the model refused: 976 × {reasons.TOO_MANY}."
    assert time.thread_time() - start < 1


def test_inventions_do_not_use_up_the_places() -> None:
    quotes = [f"invented {n}" for n in range(100)] + ["Never push to main without asking me first."]
    admission = admit_all(quotes, MESSAGES, leaks)
    assert len(admission.rules) == 1
    assert len(admission.refused) == 100


def test_only_so_many_nominations_are_looked_at() -> None:
    quotes = [f"invented {n}" for n in range(reasons.EXAMINED)] + ["Never push to main without asking me first."]
    assert admit_all(quotes, MESSAGES, leaks).rules == ()


def test_what_is_known_is_not_admitted_again() -> None:
    held = make_rule("never push to MAIN without asking me first.", PINNED, "s/1", 1)
    admission = admit_all(["Never push to main"] * 2, MESSAGES, leaks, held=[held])
    assert admission.rules == ()
    assert {each.reason for each in admission.refused} == {reasons.KNOWN}


def test_nothing_refused_tells_nothing() -> None:
    assert admit_all(["Never push to main"], MESSAGES, leaks, scope=TASK).tell() == ""


def test_a_refusal_shows_no_words() -> None:
    told = admit_all(["The key is hunter2, keep it safe."], MESSAGES, leaks).tell()
    assert told == f"1 rule suggested by the model refused: 1 × {reasons.SECRET}."


def test_json_and_back() -> None:
    rule = make_rule("Never push.", TASK, "s/1", 3)
    assert from_json(to_json(rule)) == rule
    assert rule.id == rule_id(" never  PUSH. ")


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"text": "x", "scope": "forever", "at": "s/1", "born": 1},
        {"text": "x", "scope": "task", "at": "s/1", "born": "one"},
        {"text": "x", "scope": "task", "at": "s/1"},
    ],
)
def test_a_damaged_rule_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        from_json(data)
