"""Facts from entries, and what becomes of them over generations."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.errors import BadInput
from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.fact import Fact, Ledger
from baton.core.handoff.ledger.merge import gather
from tests.unit.core.handoff.ledger.talk import Talk


def texts(ledger: Ledger, kind: str, state: str | None = None) -> list[str]:
    return [fact.text for fact in ledger.of(kind, state)]


def asked(ledger: Ledger) -> list[str]:
    return [each.asked for each in ledger.exchanges]


def rules(ledger: Ledger) -> list[str]:
    return [rule.text for rule in ledger.rules]


def only(ledger: Ledger, kind: str) -> Fact:
    (found,) = ledger.of(kind)
    return found


def test_requests_are_kept_word_for_word_in_order() -> None:
    ledger = gather(Talk().say("Build it.\n\n  Then   test it.").say("And document it").entries)
    assert asked(ledger) == ["Build it.\n\n  Then   test it.", "And document it"]
    assert ledger.first == asked(ledger)[0]
    assert gather(Talk().say("More").entries, ledger).first == ledger.first


def test_a_request_said_again_is_an_exchange_of_its_own() -> None:
    ledger = gather(Talk().say("start").say("continue").say("fix the bug").say("continue").entries)
    assert asked(ledger) == ["start", "continue", "fix the bug", "continue"]


def test_what_baton_itself_says_is_no_request() -> None:
    assert not gather(Talk().say("Go on.", synthetic=True).entries).exchanges


def test_constraints_outlive_ten_generations_once_each() -> None:
    ledger = gather(Talk().say("Never touch migrations. Only use the standard library.").entries)
    for number in range(10):
        ledger = gather(Talk().say(f"Next task {number}: never touch migrations.").run("make").entries, ledger)
    wanted = ["Never touch migrations.", "Only use the standard library."]
    assert sorted(text for text in rules(ledger) if text in wanted) == wanted
    assert {rule.born for rule in ledger.rules if rule.text in wanted} == {1}


def test_quoted_code_binds_nothing() -> None:
    ledger = gather(Talk().say("See:\n```\n# never call this\nassert only == 1\n```\nNever log tokens.").entries)
    assert rules(ledger) == ["Never log tokens."]


@pytest.mark.parametrize(
    ("demand", "later"),
    [
        ("Never touch the migrations folder.", "Forget what I said about the migrations folder, change it."),
        ("Do not upgrade the database driver.", "You may now upgrade the database driver."),
        (
            "Always rebase upload commits, never merge.",
            "The rule about rebase of upload commits does not apply any more.",
        ),
        ("Do not touch the upload fixtures.", "You can touch the upload fixtures after all, the freeze is over."),
        ("不要修改 upload 数据库的结构", "忘了我说的 upload 数据库结构吧"),
        ("アップロードの設定ファイルを必ず残して", "アップロードの設定ファイルの件は忘れてください"),
        ("Ändere niemals die Datei schema.sql ohne Rückfrage.", "Vergiss die Sache mit schema.sql und der Rückfrage."),
    ],
)
def test_a_person_can_take_a_constraint_back(demand: str, later: str) -> None:
    ledger = gather(Talk().say(demand).entries)
    ledger = gather(Talk().say(later).entries, ledger)
    assert demand not in rules(ledger)
    assert demand in [rule.text for rule in ledger.ended]
    after = gather(Talk().say("go on").entries, ledger)
    assert demand not in rules(after)
    assert not after.ended
    assert demand in asked(ledger)


@pytest.mark.parametrize(
    "later",
    [
        "Forget about lunch.",
        "Never mind.",
        "Ignore the warning about the cache.",
        "Do not forget the rule about the migrations folder.",
        "Please don't drop what I said about the migrations folder.",
        "N'oublie pas la règle: migrations folder.",
        "Vergiss nicht: migrations folder.",
        "You can read the migrations folder.",
        "I will cancel it by hand and touch nothing.",
        "We drop the migrations table in the new folder.",
    ],
)
def test_an_unrelated_change_of_mind_takes_nothing_back(later: str) -> None:
    ledger = gather(Talk().say("Never touch the migrations folder.").say(later).entries)
    assert "Never touch the migrations folder." in rules(ledger)


def test_a_failure_stays_open_until_the_same_command_passes() -> None:
    first = gather(
        Talk()
        .run("cd app && pytest -q 2>&1 | tail -5", 1, "x\nE  AssertionError: 1 != 2\n1 failed in 0.10s\n", "l.log")
        .entries
    )
    error = only(first, facts.ERROR)
    assert (error.text, error.data["verdict"]) == ("cd app && pytest -q 2>&1 | tail -5", "failed")
    assert error.data["line"] == "1 failed in 0.10s"
    assert error.data["log"] == "l.log"
    still = gather(Talk().run("pytest -q tests/other", 0).entries, first)
    assert texts(still, facts.ERROR, facts.OPEN) == [error.text]
    passed = gather(Talk().run("pytest -q", 0).entries, still)
    assert texts(passed, facts.ERROR, facts.DONE) == [error.text]
    assert not gather(Talk().say("on").entries, passed).of(facts.ERROR)


def test_a_failure_closed_by_a_wider_pass_leaves_nothing_of_itself() -> None:
    talk = Talk().run("pytest -q tests/a.py", 1, "FAILED tests/a.py::test_a\n1 failed in 0.10s", "failed.log")
    closed, wider = gather(talk.run("pytest -q", 0, "9 passed in 0.90s", "passed.log").entries).of(facts.COMMAND)
    assert (closed.text, closed.at, closed.data["verdict"]) == ("pytest -q tests/a.py", wider.at, "passed")
    assert closed.data["exit"] is None
    assert not {"line", "log", "tests"} & set(closed.data)


def test_a_pass_that_later_fails_is_an_open_error_and_no_validation() -> None:
    ledger = gather(Talk().run("pytest", 0).run("pytest", 2, "boom error").entries)
    assert not ledger.of(facts.COMMAND)
    assert texts(ledger, facts.ERROR, facts.OPEN) == ["pytest"]


def test_what_only_looks_is_neither_failure_nor_proof() -> None:
    ledger = gather(Talk().run("grep -rn foo src | head", 1).run("ls missing", 2).run("git status", 0).entries)
    assert not ledger.of(facts.ERROR)
    assert not ledger.of(facts.COMMAND)


def test_refused_and_cancelled_commands_are_no_failures() -> None:
    talk = Talk().call("shell", {"command": "make"}, ok=False, refused=True)
    talk.call("shell", {"command": "make"}, ok=False, cancelled=True, command="make")
    assert not gather(talk.entries).of(facts.ERROR)


def test_files_keep_their_last_state_for_ever() -> None:
    ledger = gather(Talk().write("a.py", created=True).write("b.py").write("a.py").entries)
    assert {fact.text: fact.data["last"] for fact in ledger.of(facts.FILE)} == {"a.py": "created", "b.py": "edited"}
    ledger = gather(Talk().run("rm a.py").entries, gather(Talk().write("a.py").entries, ledger))
    ledger = gather(Talk().write("a.py").run("rm -f a.py").entries, ledger)
    assert {fact.text: fact.data["last"] for fact in ledger.of(facts.FILE)} == {"a.py": "deleted", "b.py": "edited"}


def test_plan_items_close_once_and_leave() -> None:
    first = gather(Talk().plan(write_tests="doing", write_docs="pending", ship="pending").entries)
    assert texts(first, facts.PLAN, facts.OPEN) == ["write tests", "write docs", "ship"]
    second = gather(Talk().plan(write_tests="done", write_docs="doing").entries, first)
    assert texts(second, facts.PLAN, facts.DONE) == ["write tests"]
    assert texts(second, facts.PLAN, facts.SUPERSEDED) == ["ship"]
    assert texts(second, facts.PLAN, facts.OPEN) == ["write docs"]
    third = gather(Talk().say("on").entries, second)
    assert [(fact.text, fact.state) for fact in third.of(facts.PLAN)] == [("write docs", facts.OPEN)]


def test_a_call_without_a_result_is_pending_and_only_in_its_own_packet() -> None:
    talk = Talk().add("assistant", text="", calls=[{"id": "x", "name": "shell", "args": {"command": "make deploy"}}])
    ledger = gather(talk.entries)
    assert (only(ledger, facts.PENDING).text, only(ledger, facts.PENDING).data["started"]) == (
        "make deploy",
        False,
    )
    talk.add("tool_call", id="x", name="shell", args={"command": "make deploy"}, title="t")
    assert only(gather(talk.entries), facts.PENDING).data["started"] is True
    assert not gather(Talk().say("on").entries, ledger).of(facts.PENDING)


def test_decisions_are_sentences_before_an_edit() -> None:
    said = "I read it. I chose SQLite instead of files because two processes write. Now the code."
    ledger = gather(
        Talk().write("a.py", said=said).call("read", {}, said="Because I can, I decided nothing here.").entries
    )
    assert texts(ledger, facts.DECISION) == ["I chose SQLite instead of files because two processes write."]


def test_names_that_must_stay_exact_are_kept() -> None:
    message = "At 2026-11-02T10:10 see https://example.org/a/b?x=1, db 10.0.0.7:5432, commit 9f3c2ab1, ABC-123 and #42."
    found = texts(gather(Talk().say(message).entries), facts.IDENTIFIER)
    assert found == ["https://example.org/a/b?x=1", "10.0.0.7:5432", "9f3c2ab1", "ABC-123", "#42"]


def test_secrets_are_taken_out_before_anything_is_kept_or_named() -> None:
    talk = Talk().say("Never print hunter2secret.").run("./deploy.sh me:hunter2secret", 7, "error: hunter2secret")
    ledger = gather(talk.entries, clean=lambda text: text.replace("hunter2secret", "[redacted: password]"))
    assert "hunter2" not in json.dumps(facts.to_json(ledger))
    later = Talk().run("./deploy.sh me:hunter2secret", 0)
    clean = gather(later.entries, ledger, lambda text: text.replace("hunter2secret", "[redacted: password]"))
    assert [fact.state for fact in clean.of(facts.ERROR)] == [facts.DONE]


def test_the_same_entries_give_the_same_ledger() -> None:
    talk = Talk().say("Never a. Must b.").write("x").run("make", 2, "error").plan(one="pending")
    assert gather(talk.entries) == gather(talk.entries)
    assert facts.from_json(json.loads(json.dumps(facts.to_json(gather(talk.entries))))) == gather(talk.entries)


@pytest.mark.parametrize("damage", [{"schema": 2}, {"facts": [{}]}, {"facts": 3}, {"generation": "x"}])
def test_a_ledger_that_cannot_be_read_is_refused(damage: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        facts.from_json({"schema": 1, "generation": 1, "facts": [], **damage})


_kinds = st.sampled_from(["user", "assistant", "tool_call", "tool_result", "compression", "note", "queued"])
_scalars = st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=20)


@given(
    st.lists(
        st.tuples(_kinds, st.dictionaries(st.sampled_from(["text", "id", "ok", "name", "error"]), st.text(max_size=30)))
    )
)
def test_odd_entries_never_break_it(rows: list[tuple[str, dict[str, str]]]) -> None:
    talk = Talk()
    for kind, data in rows:
        talk.add(kind, **data)
    first = gather(talk.entries)
    assert gather(talk.entries, first).generation == 2


def test_a_sentence_that_takes_back_is_no_constraint_itself() -> None:
    talk = (
        Talk()
        .say("Only read from the upload database.")
        .say("The rule about the upload database does not apply any more.")
    )
    assert not gather(talk.entries).rules


def test_names_of_failing_tests_are_carried() -> None:
    output = (
        "....F\nFAILED tests/test_a.py::test_one - assert 1\nFAILED tests/test_a.py::test_two - x\n2 failed in 0.3s"
    )
    error = only(gather(Talk().run("pytest -q", 1, output).entries), facts.ERROR)
    assert error.data["tests"] == ["tests/test_a.py::test_one", "tests/test_a.py::test_two"]


@pytest.mark.parametrize("command", ["\x0cmake", "make\xa0test", "make\r\n", "\u2028", "\x85 x"])
def test_a_command_with_strange_spaces_is_carried(command: str) -> None:
    assert gather(Talk().say("go").run(command, 1, "error").entries).last is not None
