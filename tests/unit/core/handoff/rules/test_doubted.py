"""Rules that something said later seems to speak against, and requests that only sound like rules."""

from __future__ import annotations

import pytest

from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.narration.narrative import Narrative
from baton.core.handoff.packet_text import Scene, render
from baton.core.handoff.rules.revoke import find_replaced
from baton.core.handoff.rules.rule import STANDING, TASK, from_json, make_rule, to_json
from baton.core.value import replace
from tests.unit.core.handoff.ledger.talk import Talk

SESSION = "20260527_123456_abcdef"


def is_replaced(rule: str, message: str) -> bool:
    return bool(find_replaced(message, [make_rule(rule, STANDING, "a/1", 1)]))


def packet(ledger: Ledger) -> str:
    return render(ledger, Scene(chain=(SESSION,)), Narrative(missing="no model")).markdown


def rule_of(ledger: Ledger, text: str) -> str:
    return next(line for line in packet(ledger).splitlines() if line.startswith(f"- {text}"))


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("Indent with tabs.", "Use spaces instead of tabs."),
        ("Háblales de usted.", "Mejor de tú, no de usted."),
        ("Réponds en anglais.", "Finalement réponds en français, pas en anglais."),
        ("Nimm Postgres.", "Wir nehmen doch SQLite statt Postgres."),
        ("Commit messages in German, please.", "Commit messages in English rather than German from now on."),
    ],
)
def test_something_else_in_its_place_doubts_a_rule(rule: str, message: str) -> None:
    assert is_replaced(rule, message)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("Do not push to main.", "Push to staging instead of main."),
        ("Use pnpm instead of npm.", "Again: pnpm instead of npm!"),
        ("Ping me in the morning.", "Ship it on Friday, not in the morning."),
        ("Never use npm.", "Never use npm instead of pnpm."),
        ("Keep the changelog short.", "Use spaces instead of tabs."),
    ],
)
def test_what_forbids_repeats_or_speaks_of_something_else_doubts_nothing(rule: str, message: str) -> None:
    assert not is_replaced(rule, message)


def test_a_doubted_rule_still_stands_with_a_pointer_to_the_doubt() -> None:
    talk = Talk().say("Rewrite the guide. Háblales de usted.").write("guide.md")
    shown = rule_of(gather(talk.say("Mejor de tú, no de usted, lo dice la directora.").entries), "Háblales de usted.")
    assert shown.endswith("but see what the person said later (g1#5)")


def test_a_refusal_doubts_what_was_asked_for_in_the_same_message() -> None:
    talk = Talk().say("Raise the limit to 600. And squash the two commits.")
    talk.call("shell", {"command": "git rebase -i"}, ok=False, refused=True, by="user", words="no, we squash on merge")
    assert "but see what the person said later (g1#4)" in rule_of(gather(talk.entries), "And squash")


def test_a_doubt_survives_the_next_session_and_ends_when_the_rule_is_said_again() -> None:
    talk = Talk().say("Always indent with tabs.").say("Use spaces instead of tabs.")
    first = gather(talk.entries)
    carried = facts.from_json(facts.to_json(first))
    assert [rule.doubt for rule in carried.rules if "indent" in rule.text] == [f"{SESSION}/2"]
    again = gather(Talk("20260528_123456_abcdef").say("Always indent with tabs.").entries, carried)
    assert [rule.doubt for rule in again.rules if "indent" in rule.text] == [""]


def test_a_rule_without_a_doubt_is_kept_as_before() -> None:
    rule = make_rule("Always test.", STANDING, "a/1", 1)
    assert "doubt" not in to_json(rule)
    doubted = replace(rule, doubt="a/2")
    assert from_json(to_json(doubted)) == doubted


def test_a_message_that_was_worked_on_and_has_no_words_of_a_rule_is_of_its_task() -> None:
    talk = Talk().say("Nadia left comments, please address them").write("a.py")
    ledger = gather(talk.add("assistant", text="Both are addressed in the last commit.", calls=[]).say("ok").entries)
    assert {rule.scope for rule in ledger.rules} <= {TASK}
    assert "Both are addressed in the last commit." in packet(ledger)


def test_a_rule_beside_a_report_stands_although_the_agent_went_to_work() -> None:
    rule = "Die Tabelle `kunden` gehört Frau Kaya, da gehst du bitte erst ran, wenn sie zugestimmt hat."
    talk = Talk().say(f"Moin! Der Import der Preise bricht bei Dateien über 50 MB ab. {rule}").write("a.py")
    ledger = gather(talk.add("assistant", text="Es läuft wieder.", calls=[]).entries)
    assert [each.scope for each in ledger.rules if each.text == rule] == [STANDING]
