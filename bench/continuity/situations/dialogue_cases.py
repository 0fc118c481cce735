"""Situations of the dialogue: who has the floor, what was refused, answered, replaced."""

from __future__ import annotations

from bench.continuity.corpus import phrases
from bench.continuity.next_action import ANSWER, FINISHED, FIX, NONE, OTHER, PLAN, WAIT
from bench.continuity.probes.replies import last_sentence
from bench.continuity.situations import words
from bench.continuity.situations.script import Expected, Script

AT_WORK = frozenset((ANSWER, PLAN, FIX, OTHER))
"""Right where the agent is in the middle of a request: continue it, by whatever name."""
AT_REST = frozenset((FINISHED, WAIT, NONE))


def unanswered(script: Script) -> Expected:
    request = script.request()
    return Expected(frozenset((ANSWER,)), tells=(request,))


def unanswered_with_old_trouble(script: Script) -> Expected:
    """The person's words come before an open plan and a failure."""
    script.request()
    items = script.items()
    script.plan((items[0], "done"), (items[1], "doing"), (items[2], "pending"))
    command = script.run(script.test(), "1 failed, 3 passed", 1)
    script.reply(script.pick(words.DONE))
    request = script.request()
    return Expected(frozenset((ANSWER,)), tells=(request, items[1], command))


def waiting(script: Script) -> Expected:
    script.request()
    script.work(script.dice.randint(1, 4))
    question = script.reply(script.pick(words.QUESTIONS))
    return Expected(frozenset((WAIT,)), tells=(last_sentence(question),))


def finished(script: Script) -> Expected:
    request = script.request()
    script.work(script.dice.randint(2, 6))
    script.run(script.test(), "14 passed in 2.1s")
    done = script.finish()
    return Expected(AT_REST, never_advises=(request,), tells=(last_sentence(done),))


def short_reply(script: Script) -> Expected:
    """Reproduction 4: what "yes" means stands in the question before it."""
    script.request()
    script.work(script.dice.randint(1, 3))
    question = script.reply(script.pick(words.QUESTIONS))
    script.say(script.pick(words.YES))
    return Expected(frozenset((ANSWER,)), tells=(last_sentence(question),))


def refused_with_words(script: Script) -> Expected:
    """Reproduction 2: the words replace the request that they contradict."""
    number = script.dice.randint(100, 999)
    script.say(f"mark the PR {number} ready")
    said = script.pick(phrases.REFUSAL_WORDS)
    command = script.refuse(f"gh pr ready {number}", said)
    return Expected(frozenset((ANSWER, WAIT, OTHER)), advises=(said,), never_advises=(command,), tells=(said, command))


def refused_without_words(script: Script) -> Expected:
    script.request()
    script.work(script.dice.randint(1, 3))
    command = script.refuse(script.fill(script.dice.choice(words.CHANGES)))
    return Expected(frozenset((WAIT,)), never_advises=(command,), tells=(command,))


def refused_and_three_options(script: Script) -> Expected:
    """Reproduction 6: a forbidden force-push, and the agent offers three ways out."""
    script.request()
    said = script.pick(phrases.REFUSAL_WORDS)
    command = script.refuse(script.fill(script.dice.choice(words.RISKY)), said)
    options = script.reply(script.fill(words.OPTIONS))
    return Expected(frozenset((WAIT,)), never_advises=(command,), tells=(said, last_sentence(options)))


def superseded(script: Script) -> Expected:
    old = script.request()
    script.work(script.dice.randint(1, 4))
    script.interrupt()
    new = script.say(script.pick(words.INSTEAD))
    return Expected(frozenset((ANSWER,)), never_advises=(old,), tells=(new,))


def superseded_and_begun(script: Script) -> Expected:
    old = script.request()
    script.work(script.dice.randint(1, 3))
    script.interrupt()
    new = script.say(script.pick(words.INSTEAD))
    script.edit()
    return Expected(AT_WORK, never_advises=(old,), tells=(new,))


def answered_form(script: Script) -> Expected:
    script.request()
    question, options = script.dice.choice(phrases.QUESTIONS)
    asked = script.fill(question)
    answer = script.dice.choice(options)
    script.ask(asked, list(options), answer)
    script.edit()
    return Expected(AT_WORK, tells=(asked, answer))


def typed_answer(script: Script) -> Expected:
    script.request()
    question, options = script.dice.choice(phrases.QUESTIONS)
    answer = script.fill("Neither: first measure {module} and write the figures into {file}.")
    script.ask(script.fill(question), list(options), answer)
    return Expected(AT_WORK, tells=(answer,))


def approved_plan(script: Script) -> Expected:
    script.request()
    steps = script.items()
    script.approve(
        "\n".join([f"# Plan for {script.fill('{module}')}", "", *(f"{n}. {s}" for n, s in enumerate(steps, 1))])
    )
    script.edit()
    return Expected(AT_WORK, tells=tuple(steps))


def question_at_the_end(script: Script) -> Expected:
    """Reproduction 9: a long message whose question is its last line."""
    lines = [script.fill("2026-11-02T10:00:0{number} INFO {module} handled {file}") for _ in range(600)]
    question = script.pick(words.QUESTIONS)
    script.say("\n".join(["The log of last night:", *lines, "", question]))
    return Expected(frozenset((ANSWER,)), tells=(last_sentence(question),))


def rule_without_keyword(script: Script) -> Expected:
    rule = script.pick(phrases.PLAIN_RULES)
    script.say(rule)
    script.reply(script.pick(words.DONE))
    script.earlier(2)
    request = script.request()
    return Expected(frozenset((ANSWER,)), tells=(rule, request))


CASES = {
    "unanswered request": unanswered,
    "unanswered, old trouble": unanswered_with_old_trouble,
    "waiting for an answer": waiting,
    "finished": finished,
    "short reply": short_reply,
    "refused with words": refused_with_words,
    "refused without words": refused_without_words,
    "refused, three options": refused_and_three_options,
    "superseded": superseded,
    "superseded, begun": superseded_and_begun,
    "answer in a form": answered_form,
    "typed answer in a form": typed_answer,
    "approved plan": approved_plan,
    "question at the end of 40 kB": question_at_the_end,
    "rule without a keyword": rule_without_keyword,
}
