"""What results of other tools say about the dialogue."""

from __future__ import annotations

from typing import Any

import pytest

from baton.adapters.importers.dialogue import agreements, refusal

CLAUDE = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). "
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{CLAUDE}To tell you how to proceed, the user said:\nshow me the plan", "show me the plan"),
        (f"{CLAUDE}To tell you how to proceed, the user said: そのファイルは消さない", "そのファイルは消さない"),
        (
            f"{CLAUDE}To tell you how to proceed, the user said:\nno, a PR\n\nNote: The user's next message may "
            "contain a correction.",
            "no, a PR",
        ),
        (
            "The user rejected permission to use this specific tool call with the following feedback: use rg",
            "use rg",
        ),
        (f"{CLAUDE}STOP what you are doing and wait for the user to tell you how to proceed.", ""),
        ("[Request interrupted by user for tool use]", ""),
        ("exec command rejected by user", ""),
    ],
)
def test_a_refusal_has_the_words_that_came_with_it(text: str, words: str) -> None:
    found = refusal(text, failed=True)
    assert found["refused"]
    assert found.get("words", "") == words


@pytest.mark.parametrize(
    ("text", "failed"), [(CLAUDE, False), ("Error: file not found", True), ("tests failed: Reason: x", True)]
)
def test_other_failures_are_no_refusals(text: str, failed: bool) -> None:
    assert refusal(text, failed=failed) == {}


QUESTIONS = {"questions": [{"question": "Which store?", "id": "a"}, {"question": 'Say "when"?', "id": "b"}]}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("", {"answers": {"Which store?": "SQLite", 'Say "when"?': "Now, please"}}),
        ("", {"answers": {"a": {"answers": ["SQLite"]}, "b": {"answers": ["Now, please"]}}}),
        ("", {"answers": [["SQLite"], ["Now, please"]]}),
        (
            'User has answered your questions: "Which store?"="SQLite", "Say "when"?"="Now, please". You can now '
            "continue with the user's answers in mind.",
            {},
        ),
    ],
)
def test_answers_come_with_their_questions(text: str, facts: dict[str, Any]) -> None:
    found = agreements("AskUserQuestion", QUESTIONS, text, facts, ok=True)
    assert found["answers"] == [
        {"question": "Which store?", "answer": "SQLite"},
        {"question": 'Say "when"?', "answer": "Now, please"},
    ]


def test_an_approved_plan_is_whole() -> None:
    plan = "# Plan\n" + "\n".join(f"{number}. step {number}" for number in range(300))
    assert agreements("ExitPlanMode", {"plan": plan}, "User has approved your plan.", {}, ok=True) == {
        "approved_plan": plan
    }
    text = f"User has approved your plan.\n\n## Approved Plan:\n{plan}"
    assert agreements("ExitPlanMode", {}, text, {}, ok=True) == {"approved_plan": plan}
    assert agreements("ExitPlanMode", {"plan": plan}, CLAUDE, {}, ok=False) == {}


def test_a_plan_that_the_person_edited_is_the_approved_one() -> None:
    text = "User has approved your plan.\n\n## Approved Plan (edited by user):\n1. Postgres"
    assert agreements("ExitPlanMode", {"plan": "1. Mongo"}, text, {}, ok=True) == {"approved_plan": "1. Postgres"}


def test_what_settings_forbid_was_not_refused_by_the_person() -> None:
    denied = "Permission to use Bash with command rm -rf build has been denied."
    assert refusal(denied, failed=True) == {"refused": True, "by": "settings"}


def test_the_words_of_the_program_are_not_the_persons() -> None:
    text = f"{CLAUDE}To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n"
    assert refusal(text, failed=True) == {"refused": True, "by": "user"}
