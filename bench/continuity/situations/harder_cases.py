"""Situations whose plain reading is wrong: a refusal that was lifted, a question that was not the last word."""

from __future__ import annotations

from bench.continuity.corpus import phrases
from bench.continuity.next_action import ANSWER, WAIT
from bench.continuity.probes.replies import last_sentence
from bench.continuity.situations import words
from bench.continuity.situations.dialogue_cases import AT_REST, AT_WORK
from bench.continuity.situations.script import Expected, Script


def allowed_after_all(script: Script) -> Expected:
    """The refusal is history: the same command ran later."""
    script.request()
    command = script.refuse(script.fill("gh pr ready {number}"), script.pick(phrases.REFUSAL_WORDS))
    script.say(script.fill("fine now, {file} is reviewed: do it"))
    script.run(command, "Pull request is marked as ready")
    done = script.finish()
    return Expected(AT_REST, never_advises=(command,), tells=(last_sentence(done),))


def question_answered_by_another_request(script: Script) -> Expected:
    script.request()
    script.reply(script.pick(words.QUESTIONS))
    request = script.request()
    return Expected(frozenset((ANSWER,)), tells=(request,))


def question_within_a_finished_reply(script: Script) -> Expected:
    """The agent asks itself something and answers it; nobody is waited for."""
    request = script.request()
    script.work(2)
    script.run(script.test(), "9 passed in 0.8s")
    asked = script.fill("Why was {module} slow? The lock was held during the retry, and that is gone now.")
    script.reply(f"{asked} {script.pick(words.DONE)}")
    return Expected(AT_REST, never_advises=(request,))


def stopped_without_a_word(script: Script) -> Expected:
    """The person stopped the agent: it does not simply continue."""
    request = script.request()
    script.edit()
    script.interrupt()
    return Expected(frozenset((WAIT, ANSWER)), tells=(request,))


def two_messages_wait(script: Script) -> Expected:
    script.earlier(1)
    first, second = script.request(), script.request()
    return Expected(frozenset((ANSWER,)), tells=(first, second))


def plan_done_but_not_said(script: Script) -> Expected:
    """Every item is done and the reply is missing: what is left is to answer."""
    request = script.request()
    items = script.items()
    script.plan(*((item, "done") for item in items))
    script.run(script.test(), "12 passed in 1.1s")
    return Expected(AT_WORK, never_advises=tuple(items), tells=(request,))


def other_target_is_no_mending(script: Script) -> Expected:
    """The same tool passed on something else: the failure is still live."""
    request = script.request()
    command = script.run(script.fill("pytest tests/unit/test_{module}.py -q"), "1 failed, 2 passed", 1)
    script.run("pytest tests/api/test_elsewhere.py -q", "31 passed in 2.0s")
    script.edit()
    return Expected(AT_WORK, tells=(request,), open=(command,))


def broken_off_and_run_again(script: Script) -> Expected:
    """A change broke off, and the next try went through: nothing is unknown any more."""
    script.request()
    command = script.fill(script.dice.choice(words.CHANGES))
    script.lose("shell", command=command)
    script.run(command, "done")
    script.finish()
    return Expected(AT_REST, never_advises=(command,))


CASES = {
    "refused, allowed later": allowed_after_all,
    "question, another request": question_answered_by_another_request,
    "question inside a finished reply": question_within_a_finished_reply,
    "stopped without a word": stopped_without_a_word,
    "two messages wait": two_messages_wait,
    "plan done, reply missing": plan_done_but_not_said,
    "another target passed": other_target_is_no_mending,
    "broken off, then run again": broken_off_and_run_again,
}
