"""What a document claims about the work, against what the outputs say."""

from __future__ import annotations

import pytest
from bench.continuity import commands, verdicts
from bench.continuity.chain import Conversation
from bench.continuity.dialogue import dialogue
from bench.continuity.document import Document
from bench.continuity.metrics import Score, score
from bench.continuity.next_action import ANSWER, FIND_OUT, FINISHED, FIX, NONE, PLAN, WAIT, kind_of
from bench.continuity.pointers import pointers
from bench.continuity.truth import truth

from tests.unit.bench.continuity_kit import Talk

PIPED = "pytest -q | tail -5"


def scored(markdown: str, talk: Talk, after: Talk | None = None) -> Score:
    later = (after or Talk()).entries
    return score(markdown, truth(talk.entries, (), later), after=dialogue(later))


def test_a_pipe_that_hides_a_failure_is_a_false_green() -> None:
    talk = Talk().user("go").run(PIPED, 0, "2 failed, 3 passed in 1.2s")
    assert scored(f"- `{PIPED}` → exit 0", talk).shown.false_green == (PIPED,)
    assert scored(f"- `{PIPED}` → 2 failed, 3 passed", talk).shown.false_green == ()
    assert scored(f"- `{PIPED}` → exit 0", talk.run(PIPED, 0, "5 passed")).shown.false_green == ()


def test_what_stands_before_the_part_that_stopped_is_no_false_green() -> None:
    both = "ruff format --check docs && mypy src/cart.py"
    spoken = Talk().user("go").run(both, 1, "src/cart.py:3: error: no\nFound 3 errors in 1 file")
    assert scored("- `ruff format --check docs` → passed", spoken).shown.false_green == ()
    assert scored("- `mypy src/cart.py` → passed", spoken).shown.false_green == (both,)
    assert scored(f"- `{both}` → passed", spoken).shown.false_green == (both,)
    silent = Talk().user("go").run(both, 1, "Found 3 errors.")
    assert scored("- `ruff format --check docs` → passed", silent).shown.false_green == (both,)


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("==== 2 failed, 5 passed in 1.2s ====", verdicts.FAILED),
        ("5 passed in 1.2s", verdicts.PASSED),
        ("Tests: 1 failed, 3 passed, 4 total", verdicts.FAILED),
        ("--- FAIL: TestX (0.00s)\nFAIL", verdicts.FAILED),
        ("ok  \texample.org/x\t0.1s", verdicts.PASSED),
        ("test result: FAILED. 1 passed; 1 failed", verdicts.FAILED),
        ("src/a.ts(3,4): error TS2304: no name", verdicts.FAILED),
        ("Found 3 errors.", verdicts.FAILED),
        ("All checks passed!", verdicts.PASSED),
        ("0 failed, 9 passed", verdicts.PASSED),
        ("src/errors.py updated", verdicts.UNKNOWN),
        ("make: *** [lint] Error 2", verdicts.FAILED),
        ("[INFO] BUILD SUCCESS", verdicts.PASSED),
        ("Tests run: 4, Failures: 1, Errors: 0", verdicts.FAILED),
        ("12 examples, 0 failures", verdicts.PASSED),
    ],
)
def test_outputs_say_how_it_went(output: str, said: str) -> None:
    assert verdicts.says(output) == said


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        ("fmt && lint", ["fmt", "lint"]),
        ("cd src && uv run pytest -q 2>&1 | tail -5", ["pytest"]),
        ("git log --oneline && make lint; echo done", ["make lint"]),
        ("git commit -m 'a && b; c | d'", ["git commit -m 'a && b; c | d'"]),
        ("ls -la | grep x", []),
    ],
)
def test_a_command_is_judged_by_its_parts(command: str, parts: list[str]) -> None:
    assert list(commands.parts(command)) == parts


def test_parts_that_pass_later_close_the_failure() -> None:
    talk = Talk().user("go").run("ruff format --check . && ruff check .", 1, "Found 2 errors.")
    blocker = "## Open blockers\n- Fails: `ruff format --check . && ruff check .` → exit 1"
    assert scored(blocker, talk).shown.stale == ()
    talk.run("ruff check .", 0, "All checks passed!")
    assert [fact.text for fact in truth(talk.entries).facts["E"]] == ["ruff format --check . && ruff check ."]
    talk.run("ruff format --check .")
    assert len(scored(blocker, talk).shown.stale) == 1
    assert truth(talk.entries).facts["E"] == []


def test_a_look_up_is_no_blocker() -> None:
    talk = Talk().user("go").run("gh pr view 7", 1).run("python -c 'import x'", 1).run("git push origin x", 1)
    document = "## Open blockers\n- Fails: `gh pr view 7` → exit 1\n- Fails: `git push origin x` → exit 1"
    shown = scored(document, talk).shown
    assert (shown.blockers, shown.lookups) == (2, ("gh pr view 7",))
    assert [fact.text for fact in truth(talk.entries).facts["E"]] == ["git push origin x"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Answer the current request: “please fail loudly”", ANSWER),
        ("Find out what `git push` did.", FIND_OUT),
        ("Make `pytest -q` pass.", FIX),
        ("Wait for the person's answer to: “Shall I fix B?”", WAIT),
        ("Continue with the plan: Write the test", PLAN),
        ("Nothing is open.", FINISHED),
        ("None recorded.", NONE),
        ("", NONE),
    ],
)
def test_advice_has_a_kind(text: str, kind: str) -> None:
    assert kind_of(text) == kind


def test_the_plan_item_in_work_is_advice_whatever_words_surround_it() -> None:
    assert kind_of("Go on with: Write the test", "Write the test") == PLAN


def test_advice_is_compared_with_what_was_done_next() -> None:
    talk = Talk().user("go").run("pytest -q", 1, "1 failed")
    advice = scored("## Next\nMake `pytest -q` pass.", talk, Talk().edit("a.py").run("pytest -q")).advice
    assert (advice.kind, advice.run, advice.refused, advice.risky) == (FIX, True, False, False)
    assert not scored("## Next\nMake `pytest -q` pass.", talk, Talk().edit("a.py")).advice.run


def test_a_refused_or_risky_command_as_advice_is_counted() -> None:
    push = "git push --force origin main"
    talk = Talk().user("go").tool("shell", False, "[refused: the user said no]", command=push, refused=True)
    bad = scored(f"## Next\nRun `{push}`.", talk).advice
    assert (bad.refused, bad.risky) == (True, True)
    told = scored(f"## Next\nDo not run `{push}`: you refused it. Ask first.", talk).advice
    assert (told.refused, told.risky) == (False, False)


def test_an_answered_request_needs_no_answer() -> None:
    talk = Talk().user("what is it?").says("It is a queue.")
    assert scored("## Next\nAnswer the current request.", talk).advice.answered
    assert not scored("## Next\nAnswer the current request.", talk.user("and now?")).advice.answered


def test_a_pointer_names_the_entry_it_says() -> None:
    talk = Talk().user("Move the importer off the old queue.").run("make lint", 1, "lint failed badly")
    later = Talk().user("Never write to the production bucket.")
    conversation = Conversation(talk.imported())
    generations = [conversation.generation(1, 0, 4), Conversation(later.imported()).generation(2, 0, 1)]
    right = (
        "- First request: Move the importer off the old queue. (gen 1 #1)\n- Never write to the production bucket. (#1)"
    )
    assert pointers(Document(right), generations) == (2, [])
    assert pointers(Document("- `make lint` → lint failed (g1#4)"), generations) == (1, [])
    for wrong in ("- Move the importer off the old queue. (#1)", "- Never write to the production bucket. (g1#99)"):
        assert pointers(Document(wrong), generations) == (1, [wrong.rpartition(" (")[0]])
    exchange = "- Move the importer off the old queue. → answered: all callers use the new one, and nothing else (g1#1)"
    assert pointers(Document(exchange), generations) == (1, [])
    reply = "- The agent's last reply (g1#4):\n  lint failed badly"
    assert pointers(Document(reply), generations) == (1, [])
    assert pointers(Document("by a pointer such as g1#1"), generations) == (0, [])
    assert pointers(Document("fixed the build in pull request #133 yesterday"), generations) == (0, [])


def test_a_decision_cut_at_a_dot_in_code_is_found() -> None:
    whole = "I use `strings.Cut` instead of `strings.SplitN` because it says what is meant."
    talk = Talk().user("go").says(f"I looked. {whole} Then I go on.").edit("a.go")
    assert scored(f"## Design decisions\n- {whole} (#3)", talk).decisions.wrong == ()
    cut = scored("## Design decisions\n- I use `strings.Cut` instead of `strings. (#3)", talk).decisions
    assert (cut.count, len(cut.wrong)) == (1, 1)


def test_questions_logs_and_pasted_lines_are_no_rules() -> None:
    talk = Talk().user("Never push.\n```\nDo not edit this generated file\n```\nMust it be so?")
    rules = "- Never push. (#1)\n- Do not edit this generated file\n- Must it be so?\n- 2026-11-02 only x"
    found = scored(f"### Rules you set\n{rules}", talk).rules
    assert (found.count, len(found.wrong)) == (4, 3)
