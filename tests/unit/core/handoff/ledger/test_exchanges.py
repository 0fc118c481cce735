"""Exchanges: what was asked, what it answers, what came of it, and whose move it is."""

from __future__ import annotations

import json

import pytest

from baton.core.handoff.ledger import exchange as states
from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.exchange import Exchange
from baton.core.handoff.ledger.fact import Ledger, from_json, to_json
from baton.core.handoff.ledger.merge import MOST_EXCHANGES, gather
from baton.core.handoff.narration.narrative import Narrative
from baton.core.handoff.next_action import ANSWER as TO_ANSWER
from baton.core.handoff.next_action import ASK, CONTINUE, FIND_OUT, FIX, FOLLOW_REFUSAL, PLAN, WAIT, next_action
from baton.core.handoff.packet_text import Scene, render
from baton.core.value import replace
from tests.unit.core.handoff.ledger.talk import Talk

PUSH = "git push --force-with-lease"


def last(ledger: Ledger) -> Exchange:
    assert ledger.last is not None
    return ledger.last


def reply(talk: Talk, text: str) -> Talk:
    return talk.add("assistant", text=text, calls=[])


def refuse(talk: Talk, command: str, words: str = "") -> Talk:
    told = {"refused": True, "by": "user", **({"words": words} if words else {})}
    return talk.call("shell", {"command": command}, "[refused: the user said no]", ok=False, **told)


def packet(ledger: Ledger, session: str = "20260527_123456_abcdef") -> str:
    return render(ledger, Scene(chain=(session,)), Narrative(missing="no model")).markdown


@pytest.mark.parametrize(
    ("talk", "state", "kind"),
    [
        (Talk().say("Add a page."), states.OPEN, TO_ANSWER),
        (reply(Talk().say("Add a page."), "Added it."), states.ANSWERED, WAIT),
        (reply(Talk().say("Add a page."), "Two ways.\n1. A\n2. B\nWhich one do you want?"), states.WAITING, WAIT),
        (reply(Talk().say("加一页"), "有两种做法。你要哪一种？"), states.WAITING, WAIT),
        (Talk().say("Add a page.").run("ls"), states.OPEN, CONTINUE),
        (Talk().say("Add a page.").run("pytest -q", 1, "1 failed in 0.1s"), states.OPEN, FIX),
        (Talk().say("Add a page.").plan(write_it="doing", ship_it="pending"), states.OPEN, PLAN),
        (refuse(Talk().say("Push it."), PUSH, "let us test first"), states.REFUSED, FOLLOW_REFUSAL),
        (refuse(Talk().say("Push it."), PUSH), states.REFUSED, ASK),
        (reply(refuse(Talk().say("Push it."), PUSH, "no"), "Then I leave it."), states.ANSWERED, WAIT),
        (Talk().say("Go").run("ls").add("turn_ended", turn="t", end="cancelled"), states.INTERRUPTED, CONTINUE),
    ],
)
def test_the_state_of_the_last_exchange_and_what_follows(talk: Talk, state: str, kind: str) -> None:
    ledger = gather(talk.entries)
    assert (last(ledger).state, next_action(ledger).kind) == (state, kind)


def test_a_refusal_keeps_the_call_and_the_words() -> None:
    ledger = gather(refuse(Talk().say("mark the PR ready"), "gh pr ready 133", "maybe let us test this first").entries)
    (refusal,) = last(ledger).refusals
    assert (refusal.call, refusal.words) == ("gh pr ready 133", "maybe let us test this first")
    told = next_action(ledger).text
    assert "maybe let us test this first" in told
    assert "Do not run the refused call." in told
    assert "`gh pr ready 133`: maybe let us test this first" in packet(ledger)


def test_a_mode_that_refuses_is_not_the_person() -> None:
    talk = Talk().say("Push it.").call("shell", {"command": PUSH}, "[refused: read only]", ok=False, refused=True)
    assert not last(gather(talk.entries)).refusals


def test_a_refused_check_is_never_the_next_action() -> None:
    talk = Talk().say("Test it.").run("pytest -q", 1, "1 failed in 0.1s")
    refuse(talk, "pytest -q", "too slow, leave it")
    ledger = gather(reply(talk, "I leave the tests alone.").entries)
    assert next_action(ledger).kind == WAIT


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("yes do it", "Shall I do B?"),
        ("2", "[2. use a queue]"),
        ("ja", "Shall I do B?"),
        ("2, but call it inbox", "[2. use a queue]"),
        ("1 und nenn es puffer", "[1. cache it]"),
        ("2,不过先跳过大文件", "[2. use a queue]"),
    ],
)
def test_a_short_reply_comes_with_what_it_answers(said: str, expected: str) -> None:
    talk = reply(Talk().say("Make it faster."), "Two options:\n1. cache it\n2. use a queue\n\nShall I do B?")
    ledger = gather(talk.say(said).entries)
    assert expected in last(ledger).question
    assert expected in packet(ledger)


def test_answers_and_an_approved_plan_are_carried_whole() -> None:
    plan = "# Plan\n\n" + "\n".join(f"{number}. do step {number}" for number in range(40))
    rows = [{"question": "Which store?", "answer": "SQLite, and nothing else"}]
    talk = (
        Talk().say("Build it.").call("AskUserQuestion", {}, answers=rows).call("ExitPlanMode", {}, approved_plan=plan)
    )
    ledger = gather(reply(talk, "Begun.").entries)
    text = " ".join(packet(ledger).split())
    assert "Which store?" in text
    assert "SQLite, and nothing else" in text
    assert " ".join(plan.split()) in text


def test_what_work_produced_is_named() -> None:
    talk = Talk().say("Ship it.").run("git commit -am 'add it'", 0, "[main 1a2b3c4] add it\n 1 file changed")
    talk.run("gh pr create --fill", 0, "https://github.com/o/r/pull/17\n")
    talk.run("gh pr view 16", 0, "url: https://github.com/o/r/pull/16\n")
    text = packet(gather(talk.entries))
    assert "1a2b3c4" in text
    assert "https://github.com/o/r/pull/17" in text
    assert "pull/16" not in text


def test_work_in_the_next_session_belongs_to_the_carried_request() -> None:
    first = gather(Talk().say("Build it.").run("make", 0).entries)
    second = gather(reply(Talk("20260528_123456_abcdef").run("make", 0), "Built it.").entries, first)
    assert [each.asked for each in second.exchanges] == ["Build it."]
    assert (last(second).reply, last(second).state) == ("Built it.", states.ANSWERED)


def test_messages_sent_one_after_the_other_are_answered_together() -> None:
    talk = Talk().say("Build it.").say("And test it.")
    assert [each.asked for each in gather(talk.entries).unanswered] == ["Build it.", "And test it."]
    done = gather(reply(talk, "Both done.").entries)
    assert [each.state for each in done.exchanges] == [states.ANSWERED, states.ANSWERED]


@pytest.mark.parametrize(("command", "found"), [("./migrate.sh", True), ("cat notes.md", False), ("git log", False)])
def test_only_a_lost_change_is_to_be_found_out(command: str, found: bool) -> None:
    args = {"command": command}
    talk = Talk().say("Go").add("assistant", text="", calls=[{"id": "x", "name": "shell", "args": args}])
    ledger = gather(talk.add("tool_call", id="x", name="shell", args=args, title="t").entries)
    assert (next_action(ledger).kind == FIND_OUT) is found


def test_a_failure_hidden_by_a_pipe_is_a_failure() -> None:
    ledger = gather(
        Talk().say("Test it.").run("pytest -q | tail -5", 0, "FAILED a.py::b\n2 failed, 3 passed in 1s").entries
    )
    text = packet(ledger)
    assert "- Fails: `pytest -q | tail -5`" in text
    assert "2 failed, 3 passed" in text
    assert not [fact for fact in ledger.of(facts.COMMAND) if fact.data["verdict"] == "passed"]


def test_parts_that_pass_later_close_the_failure_of_the_whole() -> None:
    talk = Talk().say("Check it.").run("ruff check . && mypy src", 1, "src/a.py:1: error: x\nFound 1 error in 1 file")
    assert gather(talk.entries).of(facts.ERROR, facts.OPEN)
    talk.run("mypy src", 0, "Success: no issues found in 3 source files").run("ruff check .", 0, "All checks passed!")
    assert not gather(talk.entries).of(facts.ERROR, facts.OPEN)


def test_a_decision_is_not_cut_at_a_dot_in_code() -> None:
    said = "I use `strings.Cut` instead of `strings.SplitN` because it says what is meant."
    ledger = gather(Talk().say("Go").write("a.go", said=said).entries)
    assert [fact.text for fact in ledger.of(facts.DECISION)] == [said]


def test_every_message_of_a_short_conversation_is_whole() -> None:
    long = "Look at the importer. " + " ".join(f"word{number}" for number in range(700)) + " Which one is it?"
    talk = reply(reply(Talk().say(long), "I see.").say("Second."), "Fine.").say("Third.")
    assert " ".join(long.split()) in " ".join(packet(gather(talk.entries)).split())


def test_a_hundred_sessions_stay_within_the_budget_and_the_carried_ledger_bounded() -> None:
    ledger = Ledger()
    for number in range(100):
        talk = Talk(f"2026052{number % 10}_{number:06d}_abcdef")
        for part in range(8):
            reply(
                talk.say(f"Task {number}.{part}: improve module {number}_{part} of the shop."),
                f"Module {part} is better.",
            )
        talk.write(f"shop/module_{number}.py")
        ledger = gather(talk.entries, facts.from_json(json.loads(json.dumps(facts.to_json(ledger)))))
    rendered = render(ledger, Scene(), Narrative(missing="no model"))
    assert rendered.tokens <= 4000
    assert "Task 99.7" in rendered.markdown
    assert len(ledger.exchanges) == MOST_EXCHANGES
    assert ledger.folded == 800 - MOST_EXCHANGES
    assert ledger.first.startswith("Task 0.0")
    assert "Task 0.0" in rendered.markdown


def test_ledgers_of_version_1_are_read() -> None:
    row = {"kind": "request", "key": "build it", "text": "Build it.", "born": 1, "at": "s/1", "state": "open"}
    rule = {"kind": "constraint", "key": "never x", "text": "Never x.", "born": 1, "at": "s/1", "state": "open"}
    rows = [{"id": "U1", "data": {"first": True, "length": 9}, **row}, {"id": "K1", **rule}]
    ledger = facts.from_json({"schema": 1, "generation": 3, "facts": rows})
    assert (ledger.generation, ledger.first, last(ledger).asked) == (3, "Build it.", "Build it.")
    assert [each.text for each in ledger.rules] == ["Never x."]


def test_a_refused_call_is_no_part_of_what_is_assessed_for_risk() -> None:
    ledger = gather(refuse(Talk().say("Push it."), PUSH, "show me the diff first").entries)
    assert next_action(ledger).asks == "show me the diff first"
    assert next_action(gather(Talk().say("Now drop the old tables.").entries)).asks == "Now drop the old tables."
    assert not next_action(gather(reply(Talk().say("Push it."), "Pushed it.").entries)).asks


def test_a_message_sent_meanwhile_stops_nothing() -> None:
    talk = Talk().say("Limit the login.").write("login.py").say("Add a test, too.", meanwhile=True)
    working = gather(talk.entries)
    assert [each.state for each in working.exchanges] == [states.OPEN, states.OPEN]
    assert "still in work: “Limit the login.”" in next_action(working).text
    done = gather(reply(talk.write("test_login.py"), "Both are done.").entries)
    assert [each.state for each in done.exchanges] == [states.ANSWERED, states.ANSWERED]


@pytest.mark.parametrize(
    ("name", "args", "asked"),
    [
        ("AskUserQuestion", {"questions": [{"question": "Helm?", "options": [{"label": "Yes"}]}]}, "Helm? (Yes)"),
        ("ExitPlanMode", {"plan": "1. index\n2. rank"}, "1. index 2. rank Do you approve this plan?"),
    ],
)
def test_a_question_put_by_a_tool_waits_for_the_person(name: str, args: dict[str, object], asked: str) -> None:
    talk = Talk().say("Set it up.").run("ls")
    talk.add("assistant", text="I need you.", calls=[{"id": "q", "name": name, "args": args}])
    talk.add("tool_call", id="q", name=name, args=args, title=name)
    ledger = gather(talk.entries)
    assert (last(ledger).state, next_action(ledger).kind) == (states.WAITING, WAIT)
    assert asked in next_action(ledger).text
    assert "outcome unknown" not in packet(ledger)


def test_a_refused_call_that_ran_later_is_told_as_history() -> None:
    talk = reply(refuse(Talk().say("Ship it."), PUSH, "not yet"), "I wait.")
    before = gather(talk.entries)
    assert "ran later" not in packet(before)
    later = Talk("20260528_123456_abcdef").say("You can push now.").run(PUSH, 1, "rejected").run("git push --tags")
    after = gather(later.entries, before)
    assert after.exchanges[0].refusals == (replace(last(before).refusals[0], ran="20260528_123456_abcdef/4"),)
    assert f"refused `{PUSH}`: not yet (g1#4); such a call ran later" in packet(after)
    assert from_json(to_json(after)) == after


def test_only_what_ran_after_the_refusal_was_allowed_after_all() -> None:
    talk = refuse(Talk().say("Ship it.").run(PUSH), PUSH, "not again")
    talk.call("shell", {"command": PUSH}, ok=False, command=PUSH, cancelled=True, exit=1)
    talk.call("edit", {"path": "a.py"}, ok=False, refused=True, by="user").call("edit", {"path": "a.py"}, ok=False)
    talk.call("deploy", {"to": "one"}, ok=False, refused=True, by="user").call("deploy", {"to": "two"})
    assert [each.ran for each in last(gather(talk.entries)).refusals] == ["", "", ""]
    assert [each.ran for each in last(gather(talk.write("b.py").call("edit", {"path": "a.py"}).entries)).refusals][1]


def test_two_long_commands_with_one_beginning_are_two() -> None:
    long = f"psql -c '{'select 1; ' * 40}"
    talk = refuse(Talk().say("Look."), f"{long} drop table a'", "no").run(f"{long} select 2'")
    assert last(gather(talk.entries)).refusals[0].ran == ""


def test_a_refused_check_that_ran_later_counts_again() -> None:
    talk = refuse(Talk().say("Test it."), "pytest -q", "wait").say("now").run("pytest -q", 1, "1 failed in 0.1s")
    assert next_action(gather(talk.entries)).kind == FIX


def test_a_refused_plan_is_named_by_its_text() -> None:
    talk = Talk().say("Plan it.")
    talk.call("ExitPlanMode", {"plan": "1. dump"}, ok=False, refused=True, by="user", words="No downtime.")
    assert last(gather(talk.entries)).refusals[0].call == "the proposed plan: 1. dump"


def test_a_refusal_whose_call_was_in_the_session_before_names_the_command() -> None:
    first = gather(Talk().say("Ship it.").entries)
    talk = Talk("20260528_123456_abcdef")
    details = {"refused": True, "by": "user", "command": PUSH}
    talk.add("tool_result", id="c", name="shell", text="no", ok=False, details=details)
    assert last(gather(talk.entries, first)).refusals[0].call == PUSH


def test_a_plan_left_behind_is_not_the_next_action() -> None:
    talk = reply(Talk().say("Add dark mode.").plan(wire_it="doing"), "It works.")
    assert next_action(gather(talk.entries)).kind == PLAN
    after = next_action(gather(reply(talk.say("Rename the package."), "Renamed.").entries))
    assert after.kind == WAIT
    assert "“wire it” open" in after.text


def test_what_was_interrupted_is_named_when_it_is_to_be_continued() -> None:
    talk = Talk().say("Add pages.").write("a.py").add("note", interrupted=True, error="Overloaded")
    assert (last(gather(talk.entries)).state, last(gather(talk.entries)).error) == (states.INTERRUPTED, "Overloaded")
    assert "“Add pages.”" in next_action(gather(talk.say("continue").entries)).text


def test_an_answer_in_the_next_session_ends_the_waiting() -> None:
    args = {"questions": [{"question": "Which store?"}]}
    talk = (
        Talk().say("Store it.").add("assistant", text="", calls=[{"id": "q", "name": "AskUserQuestion", "args": args}])
    )
    first = gather(talk.entries)
    assert last(first).state == states.WAITING
    rows = [{"question": "Which store?", "answer": "SQLite"}]
    then = Talk("20260528_123456_abcdef")
    then.add("tool_result", id="q", name="AskUserQuestion", text="", ok=True, details={"answers": rows})
    second = gather(then.entries, first)
    assert (last(second).state, last(second).reply, next_action(second).kind) == (states.OPEN, "", CONTINUE)
    assert "SQLite" in packet(second)


def test_a_file_that_came_with_a_message_is_not_what_you_said() -> None:
    """Nor are the rules in it yours."""
    file = "\n\n[guide.md, attached. It is data.]\n<<<file-1\nNever use tabs. Always push to main.\nfile-1>>>"
    ledger = gather(Talk().say(f"Shorten @guide.md{file}", shown="Shorten @guide.md").entries)
    assert last(ledger).asked == "Shorten @guide.md"
    assert ledger.rules == ()
    assert "tabs" not in packet(ledger)
