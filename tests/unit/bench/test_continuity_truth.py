from __future__ import annotations

import pytest
from bench.continuity import commands
from bench.continuity.folding import pieces, probe
from bench.continuity.truth import truth

from baton.core.log.entry import NewEntry
from tests.unit.bench.continuity_kit import Talk

TOKEN = "ghp_" + "a1B2" * 9


def texts(talk: Talk, name: str) -> list[str]:
    return [fact.text for fact in truth(talk.entries).facts[name]]


def test_a_message_is_known_by_its_first_sixty_folded_characters() -> None:
    long = "one  two\nthree " * 10
    [fact] = truth(Talk().user(long).entries).facts["U"]
    assert fact.probes == (" ".join(long.split())[:60].rstrip(),)
    assert fact.within("… one two three one two three one two three one two three one two th")


NOISE = ("<command-name>/x", "[Request interrupted by user]", "Caveat: do not", "This session is being continued")


@pytest.mark.parametrize("text", [*NOISE, "Base directory for this skill: never"])
def test_noise_is_no_message(text: str) -> None:
    assert texts(Talk().user(text).user("real"), "U") == ["real"]


@pytest.mark.parametrize("word", ["don't", "do not", "never", "must", "should not", "only", "Always", "avoid", "keep"])
def test_messages_with_a_demand_are_constraints(word: str) -> None:
    assert texts(Talk().user(f"please {word} push").user("please push"), "K") == [f"please {word} push"]


def test_constraint_sentences_are_found_inside_a_message() -> None:
    talk = Talk().user("Look at this. It is slow, see v1.2. Never touch main!\nOnly tests.")
    assert texts(talk, "KS") == ["Never touch main", "Only tests"]


def test_first_and_last_request() -> None:
    talk = Talk().user("a").user("b").user("c")
    assert (texts(talk, "1"), texts(talk, "L")) == (["a"], ["c"])


def test_files_are_those_whose_change_succeeded() -> None:
    talk = Talk().edit("src/a.py").edit("src/b.py", ok=False).edit("", paths=["c.py", "d.py"])
    found = truth(talk.entries)
    assert texts(talk, "F") == ["src/a.py", "c.py", "d.py"]
    assert found.facts["F"][0].within("changed a.py")
    assert not found.facts["F"][0].within("changed b.py")


def test_an_error_is_open_until_the_same_command_passes() -> None:
    talk = Talk().run("pytest -q", 1).run("make", 2)
    talk.run("cd src && pytest -q 2>&1 | tail -5", 0, "3 passed in 0.1s")
    assert texts(talk, "E") == ["make"]
    found = truth(talk.entries)
    assert found.closed == ["pytest -q"]
    assert [fact.text for fact in found.facts["X"]] == ["pytest -q", "make"]


def test_probes_that_fail_are_failed_commands_but_no_errors() -> None:
    talk = Talk().run("grep -rn x src", 1).run("test -f a && cat a", 1).run("ls > out", 1)
    assert texts(talk, "E") == ["ls > out"]
    assert len(texts(talk, "X")) == 3


def test_refused_and_cancelled_commands_did_not_fail() -> None:
    talk = Talk().tool("shell", False, command="rm x", refused=True).tool("shell", False, command="y", cancelled=True)
    assert texts(talk, "X") == []


def test_the_newest_plan_counts_and_what_was_done_stays_done() -> None:
    talk = Talk().plan(write_it="done", test_it="doing").plan(test_it="pending", ship_it="pending")
    found = truth(talk.entries)
    assert texts(talk, "P") == ["test it", "ship it"]
    assert found.done == ["write it"]


def test_an_item_that_is_opened_again_is_not_done() -> None:
    found = truth(Talk().plan(test_it="done").plan(test_it="pending").entries)
    assert (found.done, found.open_plan) == ([], ["test it"])


def test_validations_know_how_they_ended_last() -> None:
    talk = Talk().run("pytest -q", 1).run("pytest -q").run("ruff check .", 1).run("echo hi")
    assert [(fact.text, fact.status) for fact in truth(talk.entries).facts["V"]] == [
        ("pytest -q", "ok"),
        ("ruff check .", "failed"),
    ]
    assert truth(talk.entries).green


def test_failing_tests_have_names_while_their_run_fails() -> None:
    talk = Talk().run("pytest -q", 1, "FAILED tests/test_a.py::test_b - assert\n1 failed")
    assert texts(talk, "T") == ["tests/test_a.py::test_b"]
    assert texts(talk.run("pytest -q"), "T") == []


def test_identifiers_are_those_the_user_gave_without_secrets() -> None:
    talk = Talk().user(f"see https://ci.example.org/7, db.example.org:5432, commit 0123abcd, {TOKEN} in /srv/app/x")
    assert texts(talk, "I") == ["https://ci.example.org/7", "db.example.org:5432", "0123abcd", "/srv/app/x"]


def test_summaries_and_packets_are_not_the_users_words() -> None:
    entries = [NewEntry("compression", {"summary": "Never!"}), NewEntry("packet", {"text": "Never!"})]
    assert truth(entries).facts["U"] == []


def test_a_secret_is_no_part_of_what_must_be_found() -> None:
    [fact] = truth(Talk().user(f"push with {TOKEN} as the token please").entries).facts["U"]
    assert fact.probes == ("push with", "as the to")
    assert fact.within("push with [redacted: github-token] as the token please")
    long = TOKEN * 2
    assert probe(f"use {long} for the upload of everything", 60, (long,)) == ("for the upload of ev",)
    assert pieces("curl -H [redacted: jwt] https://x…") == ["curl -H", "https://x"]


@pytest.mark.parametrize(
    ("command", "same"),
    [
        ("cd /w && pytest -q", "pytest -q"),
        ("CI=1 pytest  -q 2>&1 | tail -20", "pytest -q"),
        ("cd a && cd b && make || true", "make"),
        ("pytest -q | grep x", "pytest -q | grep x"),
    ],
)
def test_runs_of_one_command_are_the_same(command: str, same: str) -> None:
    assert commands.normal(command) == same


@pytest.mark.parametrize(
    ("command", "reads"),
    [
        ("ls -la", True),
        ("git status && git log -3", True),
        ("cat a | grep b", True),
        ("cat a > b", False),
        ("git push", False),
        ("echo x >> y", False),
        ("ls 2>/dev/null", True),
        ("lsof", False),
    ],
)
def test_commands_that_only_read(command: str, reads: bool) -> None:
    assert commands.reads_only(command) is reads
