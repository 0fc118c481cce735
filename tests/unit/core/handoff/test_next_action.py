"""What the last message is about, where the record holds more than one thing it could be about."""

from __future__ import annotations

import pytest

from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.narration.narrative import Narrative
from baton.core.handoff.next_action import ANSWER, CONTINUE, FIX, PLAN, WAIT, NextAction, live_failures, next_action
from baton.core.handoff.packet_text import Scene, render
from tests.unit.core.handoff.ledger.talk import Talk

REFUSED = {"refused": True, "by": "user", "words": "wrong one, that waits for Ines"}


def advice(talk: Talk) -> NextAction:
    return next_action(gather(talk.entries))


def broken_off() -> Talk:
    """The agent announces a call, you refuse it, it works on and you stop it."""
    talk = Talk().say("Add the same chart to the sales page.")
    talk.call("shell", {"command": "rm old_export.py"}, ok=False, said="I begin with the old export.", **REFUSED)
    return talk.write("sales.py").add("turn_ended", turn="t", end="cancelled")


def test_words_on_the_way_to_a_call_are_not_what_a_message_answers() -> None:
    ledger = gather(broken_off().say("oops, wrong key. carry on please").entries)
    assert ledger.last is not None
    assert ledger.last.question == ""


def test_a_message_after_a_stop_names_what_was_stopped() -> None:
    after = advice(broken_off().say("oops, wrong key. carry on please"))
    assert after.kind == ANSWER
    assert "Add the same chart to the sales page." in after.text
    assert "old export" not in after.text


def test_words_on_the_way_to_a_call_are_not_called_a_reply() -> None:
    shown = render(gather(broken_off().say("carry on").entries), Scene(), Narrative(missing="no model")).markdown
    assert "The agent's last words, before this request" in shown
    assert "The agent's last reply" not in shown


def test_a_reply_that_was_finished_before_the_stop_can_be_answered() -> None:
    talk = Talk().say("Tidy up.").add("assistant", text="Drop the cache, or keep it?", calls=[])
    ledger = gather(talk.add("turn_ended", turn="t", end="cancelled").say("keep it").entries)
    assert ledger.last is not None
    assert "Drop the cache" in ledger.last.question


def test_a_request_in_the_middle_of_a_plan_comes_before_the_plan() -> None:
    talk = Talk().say("Move the settings.").plan(fill_the_table="doing", switch_reads="pending")
    talk.say("Wait, the report page is broken since your change. Look at that one before you go on.").run("cat a.py")
    assert advice(talk).kind == CONTINUE
    talk.run("pytest tests/report", 1, "1 failed in 0.2s")
    assert advice(talk).kind == FIX
    assert advice(talk.plan(fill_the_table="doing", switch_reads="pending")).kind == PLAN


def test_a_failure_from_before_a_request_is_not_what_the_request_wants() -> None:
    talk = Talk().say("Check the style.").run("ruff check src", 1, "Found 2 errors.")
    talk.add("assistant", text="Two old ones are left, as agreed.", calls=[])
    talk.say("Then please write the release notes for version 2.4 now.").run("git log --oneline")
    assert advice(talk).kind == CONTINUE


def test_a_remark_leaves_the_work_what_it_was() -> None:
    talk = Talk().say("Check the style.").run("ruff check src", 1, "Found 2 errors.")
    assert advice(talk.say("ok, go on").run("cat src/a.py")).kind == FIX


@pytest.mark.parametrize(
    "talk",
    [
        Talk(),
        Talk().say("Tidy up."),
        broken_off(),
        Talk().say("Tidy up.").add("assistant", text="Drop the cache, or keep it?", calls=[]),
        Talk().say("Tidy up.").add("assistant", text="It is tidy.", calls=[]),
        Talk().say("Tidy up.").plan(clean="doing").add("assistant", text="It is tidy.", calls=[]),
        Talk().say("Tidy up.").call("shell", {"command": "rm a"}, ok=False, refused=True, by="user"),
    ],
)
def test_whoever_reads_it_in_the_chat_is_called_you(talk: Talk) -> None:
    assert "the person" not in advice(talk).for_you


def test_an_answered_remark_brings_no_old_failure_back() -> None:
    talk = Talk().say("Check the style.").run("ruff check src", 1, "Found 2 errors.")
    talk.add("assistant", text="Two old ones are left, as agreed.", calls=[])
    talk.say("is CI green?").run("gh pr checks 412", 0, "test pass")
    assert advice(talk.add("assistant", text="It is.", calls=[])).kind == WAIT


def test_a_failure_that_a_refusal_left_standing_is_the_persons_move() -> None:
    talk = Talk().say("Make it eight attempts.").run("go test ./queue", 1, "--- FAIL: TestDead (0.02s)")
    talk.call("edit", {"path": "dead_test.go"}, ok=False, **REFUSED).write("dead.go")
    assert advice(talk).kind == FIX
    assert advice(talk.add("assistant", text="TestDead still fails; I left it alone.", calls=[])).kind == WAIT


def test_a_refusal_before_the_failure_does_not_excuse_it() -> None:
    talk = Talk().say("Make it eight attempts.").call("edit", {"path": "dead_test.go"}, ok=False, **REFUSED)
    talk.run("go test ./queue", 1, "--- FAIL: TestDead (0.02s)")
    assert advice(talk.add("assistant", text="TestDead fails.", calls=[])).kind == FIX


CHECKOUT = "git checkout compose.yml"
MORE = "Next: translate the onboarding mails into Dutch."


def left(talk: Talk) -> list[str]:
    return [fact.text for fact in live_failures(gather(talk.entries))]


def attempt(command: str, output: str, *, answered: bool = True) -> Talk:
    talk = Talk().say("Drop the change of compose.yml, I have my own.").run(command, 1, output)
    return talk.add("assistant", text="It was never committed, so I edited it by hand.", calls=[]) if answered else talk


def test_a_change_that_failed_is_history_once_the_person_moved_on() -> None:
    talk = attempt(CHECKOUT, "error: pathspec did not match")
    assert left(talk) == [CHECKOUT]
    shown = render(gather(talk.say(MORE).entries), Scene(), Narrative(missing="no model")).markdown
    assert left(talk) == []
    assert f"`{CHECKOUT}` → failed" in shown
    assert "Fails: " not in shown


def test_a_change_that_failed_is_live_while_its_request_is() -> None:
    assert left(attempt(CHECKOUT, "error: pathspec did not match").say("try it again")) == [CHECKOUT]
    talk = attempt(CHECKOUT, "error: pathspec did not match", answered=False)
    assert left(talk.add("turn_ended", turn="t", end="cancelled").say(MORE)) == [CHECKOUT]


def test_a_failed_check_is_live_until_it_passes() -> None:
    talk = attempt("pytest -q", "1 failed in 0.10s").say(MORE).add("assistant", text="They are Dutch.", calls=[])
    assert left(talk.say(MORE)) == ["pytest -q"]


def test_a_change_that_failed_is_tried_again_with_another_limit() -> None:
    talk = (
        Talk().say("Restart it.").run("kubectl rollout status sts/redis --timeout=60s", 1, "error: timed out waiting")
    )
    assert len(left(talk)) == 1
    assert left(talk.run("kubectl rollout status sts/redis --timeout=120s", 1, "error: timed out waiting")) == [
        "kubectl rollout status sts/redis --timeout=120s"
    ]
    assert left(talk.run("kubectl rollout status sts/redis --timeout=300s", 0, "roll out complete")) == []


@pytest.mark.parametrize("command", ["python -m build --wheel", "npm run icons", "yarn run storybook"])
def test_a_failed_step_of_the_project_is_live(command: str) -> None:
    talk = Talk().say("Get the release ready.").run(command, 1, "error: the step ended early")
    assert left(talk) == [command]
    assert left(talk.run(command, 0, "done")) == []


@pytest.mark.parametrize("exit_", [130, 143])
def test_a_server_that_was_stopped_is_no_blocker(exit_: int) -> None:
    talk = Talk().say("Start it and look at the page.").run("npm run dev", exit_, "VITE ready in 310 ms")
    assert left(talk) == []
    assert left(talk.run("npm run dev", 1, "Error: port 3000 is in use")) == ["npm run dev"]
