"""For each probe one document that has the answer and one that lacks it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bench.continuity.dialogue import dialogue
from bench.continuity.document import Document
from bench.continuity.probes import PROBES
from bench.continuity.truth import truth

from baton.core.log.entry import NewEntry
from tests.unit.bench.continuity_kit import Talk

CLAUDE = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). "
)
SAID = "To tell you how to proceed, the user said:\n"
PUSH = "git push --force-with-lease origin main"
LONG = "Please look at the export. " + "It has many columns and each one matters. " * 8 + "Which one is empty?"


def refused(talk: Talk, command: str, text: str) -> Talk:
    return talk.tool("shell", False, text, command=command, refused=True)


def called(talk: Talk, name: str, text: str, args: dict[str, Any], ok: bool = True) -> Talk:
    """A call with the arguments of another agent's tool."""
    calls = [{"id": "x", "name": name, "args": args}]
    talk.entries.append(NewEntry("assistant", {"text": "", "calls": calls}))
    talk.entries.append(NewEntry("tool_result", {"id": "x", "name": name, "text": text, "ok": ok, "details": {}}))
    return talk


def asked(question: str, answer: str) -> Talk:
    text = f'User has answered your questions: "{question}"="{answer}". You can now continue with the user\'s answers.'
    return called(Talk().user("go"), "AskUserQuestion", text, {"questions": [{"question": question}]})


def approved(plan: str) -> Talk:
    return called(Talk().user("go"), "ExitPlanMode", "User has approved your plan. Start coding.", {"plan": plan})


WORDS = refused(Talk().user("ship it"), PUSH, f"{CLAUDE}{SAID}no, not before Thursday\nand tell Ann")
SHORT = Talk().user("which?").says("Two options are there. Shall I do B, the queue of its own?").user("yes do it")
PR = Talk().run("gh pr create --title x", 0, "https://github.com/a/b/pull/77\n")
COMMIT = Talk().run('git commit -m "make room"', 0, "[main 1a2b3c4] make room for the queue\n 1 file changed")
PLAN = "# Plan\n\n1. Move the retry out of the lock\n2. Write the test for it"
WORKED = Talk().edit("src/a/alpha.py").tool("read", path="src/a/beta.py").run("make check", 0, "compute_total_cents ok")
NEXT = Talk().edit("src/a/alpha.py").tool("read", path="src/a/beta.py").run("make check")

CASES: list[tuple[str, Talk, str, str]] = [
    ("R", WORDS, "> no, not before Thursday\n> and tell Ann", "- the push was refused"),
    ("N", WORDS, f"- You refused `{PUSH}`", f"- Next: run `{PUSH}`"),
    ("N", WORDS, f"## Refused\n- `{PUSH}`", f"## Failed\n- `{PUSH}` → exit 1"),
    ("S", asked("How?", "Cursor based paging"), "Paging: cursor? Cursor based paging", "paging was asked about"),
    ("S", asked("Which store do you want?", "SQL"), "Which store do you want? SQL", "SQL is a language"),
    ("A", Talk().says("All done. The file v1.2 holds it."), "The file v1.2 holds it.", "All done."),
    ("Q", SHORT, "Shall I do B, the queue of its own? → yes do it", "yes do it"),
    ("Q1", SHORT, "Shall I do B, the queue of its own?", "Two options are there."),
    ("AP", approved(PLAN), f"Plan:\n> {PLAN.replace(chr(10), chr(10) + '> ')}", "1. Move the retry out of the lock"),
    ("AS", approved(PLAN), "Move the retry out of the lock. Write the test for it", "Move the retry out of the lock"),
    ("W", PR, "PR: https://github.com/a/b/pull/77", "PR: https://github.com/a/b/pull/7"),
    ("H", COMMIT, "commit 1a2b3c4", "a commit was made"),
    ("H", COMMIT, "committed: make room for the queue", 'ran `git commit -m "make room"`'),
    ("UW", Talk().user(LONG), f"- {LONG}", LONG[:60] + "…" + LONG[-60:]),
    ("UE", Talk().user(LONG), LONG[:60] + "…" + LONG[-60:], LONG[:200]),
    ("UL", Talk().user("short").user(LONG), f"> {LONG}", f"short {LONG[:240]}"),
    ("LW", Talk().user("short").user(LONG), LONG, f"short {LONG[:100]}"),
    ("FU", WORKED, "alpha.py beta.py", "alpha.py"),
    ("FE", WORKED, "edited: src/a/alpha.py", "beta.py"),
    ("FR", WORKED, "read: src/a/beta.py", "alpha.py"),
    ("CM", WORKED, "`make check` passed", "checked"),
    ("SY", WORKED, "see compute_total_cents", "see compute_total"),
]


def share(name: str, talk: Talk, markdown: str, after: Talk | None = None) -> float:
    edit = {"id": "e", "name": "edit", "args": {"path": "z.py", "new": "compute_total_cents = other_new_name"}}
    later = [*(after or NEXT).entries, NewEntry("assistant", {"text": "", "calls": [edit]})]
    facts = truth(talk.entries, (), later).facts[name]
    assert facts, name
    return sum(Document(markdown).has(fact) for fact in facts) / len(facts)


@pytest.mark.parametrize(("name", "talk", "has", "lacks"), CASES)
def test_a_document_has_the_answer_or_lacks_it(name: str, talk: Talk, has: str, lacks: str) -> None:
    assert share(name, talk, has) == 1.0
    assert share(name, talk, lacks) < 1.0


def test_every_probe_has_a_case() -> None:
    assert {name for name, *_ in CASES} == set(PROBES)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (f"{CLAUDE}{SAID}not yet\n\nNote: The user's next message may contain a correction.", "not yet"),
        (f"{CLAUDE}STOP what you are doing and wait for the user to tell you how to proceed.", ""),
        (
            "The user rejected permission to use this specific tool call with the following feedback: use main",
            "use main",
        ),
        ("The user rejected permission to use this specific tool call.", ""),
        ("[refused: the user said no: ask Ann: she knows]", "ask Ann: she knows"),
        ("[refused: the user said no]", ""),
        ("exec command rejected by user", ""),
        ("Exit code 1\nremote rejected", None),
        ("[refused: only reading is allowed here]", None),
    ],
)
def test_refusals_of_four_agents_are_told_from_failures(result: str, words: str | None) -> None:
    [call] = dialogue(refused(Talk(), "x", result).entries).calls
    assert call.refusal == words


def test_a_command_that_ran_after_all_is_not_refused() -> None:
    later = refused(Talk(), PUSH, "[refused: the user said no]").run(PUSH)
    assert truth(later.entries).facts["N"] == []


def test_answers_are_read_from_json_and_from_sentences() -> None:
    args = {"questions": [{"id": "a", "question": "Where?"}, {"id": "b", "question": 'The "old" one?'}]}
    codex = json.dumps({"answers": {"a": {"answers": ["Here"]}, "b": {"answers": ["Yes", "Both"]}}})
    claude = 'User has answered your questions: "Where?"="Here, "there"", "The "old" one?"="Yes". You can now continue'
    found = [
        dialogue(called(Talk(), "request_user_input", text, args).entries).calls[0].answers for text in (codex, claude)
    ]
    assert found[0] == [("Where?", "Here"), ('The "old" one?', "Yes"), ('The "old" one?', "Both")]
    assert found[1] == [("Where?", 'Here, "there"'), ('The "old" one?', "Yes")]


def test_an_amended_commit_is_gone() -> None:
    talk = Talk().run("git commit -m a", 0, "[x 1111111] a one").run("git commit --amend -m b", 0, "[x 2222222] a two")
    assert [fact.text for fact in truth(talk.entries).facts["H"]] == ["2222222 a two"]


def test_a_plan_that_was_not_approved_is_none() -> None:
    talk = called(Talk(), "ExitPlanMode", f"{CLAUDE}{SAID}shorter please", {"plan": PLAN}, ok=False)
    assert truth(talk.entries).facts["AP"] == []
    assert [fact.text for fact in truth(talk.entries).facts["R"]] == ["shorter please"]
