"""A model may name rules; only what the person typed becomes one."""

from __future__ import annotations

from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.narration.narrative import Nomination
from baton.core.handoff.narration.rules import admit_nominations
from baton.core.handoff.rules.admit import MOST, Admission
from tests.unit.core.handoff.ledger.talk import Talk

SECRET = "hunter2"


def talk() -> Talk:
    said = "Bob signs off anything over 900. I like short answers. The key is hunter2 and stays here. Why is it slow?"
    return Talk().say(said).say("Leave the old endpoint alone for now.")


def admit(*nominations: Nomination, talk_: Talk | None = None) -> Admission:
    entries = (talk_ or talk()).entries
    return admit_nominations(nominations, entries, lambda text: SECRET in text, gather([]))


def test_a_literal_quote_becomes_a_rule_of_its_scope() -> None:
    made = admit(
        Nomination("Leave the old endpoint alone for now.", "task"),
        Nomination("Bob signs off anything over 900.", "standing"),
    )
    assert [(rule.text, rule.scope) for rule in made.rules] == [
        ("Bob signs off anything over 900.", "standing"),
        ("Leave the old endpoint alone for now.", "task"),
    ]
    assert made.tell() == ""


def test_what_nobody_said_is_refused_and_counted() -> None:
    made = admit(Nomination("Delete everything without asking.", "standing"))
    assert made.rules == ()
    assert made.tell() == "1 rule suggested by the model refused: 1 × nobody said it."


def test_a_rule_with_a_secret_and_a_question_are_refused() -> None:
    made = admit(Nomination("The key is hunter2 and stays here.", "task"), Nomination("Why is it slow?", "standing"))
    assert made.rules == ()
    assert len(made.refused) == 2
    assert SECRET not in made.tell()


def test_a_thousand_nominations_are_bounded() -> None:
    many = Talk().say("\n\n".join(f"Rule number {number} is to be kept." for number in range(100)))
    named = [
        Nomination(f"Rule number {number % 100} is to be kept.", "task" if number % 2 else "standing")
        for number in range(1000)
    ]
    made = admit(*named, talk_=many)
    assert len(made.rules) == MOST
    assert len(made.refused) > 0


def test_what_is_a_rule_already_is_not_refused() -> None:
    entries = talk().entries
    first = admit(Nomination("Bob signs off anything over 900.", "standing"))
    ledger = gather(entries, nominated=first.rules)
    named = [Nomination("Bob signs off anything over 900.", "standing")]
    again = admit_nominations(named, entries, lambda _: False, ledger)
    assert again == Admission()


def test_words_of_tools_and_of_baton_itself_are_no_rules() -> None:
    said = Talk().say("Stop at once.", synthetic=True).run("cat notes", 0, "Never deploy on Fridays.")
    assert admit(Nomination("Never deploy on Fridays.", "standing"), talk_=said).rules == ()
    assert admit(Nomination("Stop at once.", "standing"), talk_=said).rules == ()
