"""A question has one answer, however many give one at once, on every store."""

from __future__ import annotations

import time

import pytest

from baton.core.agent.choice import NO, YES
from baton.core.agent.question import ANSWERED, LAPSED, Question, to_body
from baton.core.errors import AnsweredAlready, QuestionGone
from baton.core.value import replace
from baton.engine.turns import questions
from baton.ports.store import Store
from tests.contract.store.kit import at_once


def opened(store: Store, owner: str = "terminal:1:abc") -> Question:
    """A question that a turn of this owner waits with."""
    conversation, _ = store.conversations.start("test")
    proof = store.conversations.claim(conversation.id, owner, 60)
    question = Question(
        conversation.id, "0011223344556677", "c1", "shell", "make", "it wants to", "make", "d1g357", owner,
        proof.epoch, time.time_ns() // 1000,
    )  # fmt: skip
    store.register.put(question.key, to_body(question), expected=0)
    return question


def test_a_question_is_open_while_its_turn_runs(store: Store, other: Store) -> None:
    question = opened(store)
    assert questions.list_open(other) == questions.list_open(other, question.conversation_id) == [question]
    assert questions.list_open(other, "c_000000000000") == []
    store.conversations.claim(question.conversation_id, question.owner, 60)
    assert questions.list_open(other) == []


def test_one_of_many_answers_in_the_same_moment_counts(store: Store, other: Store) -> None:
    question = opened(store)

    def give(number: int) -> str:
        choice = YES if number % 2 else NO
        try:
            return questions.answer((store, other)[number % 2], question, choice, where="telegram").question.choice
        except AnsweredAlready as error:
            return str(error)

    said = at_once(*(lambda number=number: give(number) for number in range(8)))
    counted = [each for each in said if each in (YES, NO)]
    assert len(counted) == 1
    assert questions.find(store, question.conversation_id, question.handle).choice == counted[0]
    how = {YES: "allowed", NO: "refused"}[counted[0]]
    assert [each for each in said if each not in (YES, NO)] == [f"Already answered: {how} on Telegram."] * 7


def test_an_answer_for_a_turn_that_ended_is_kept_and_said_to_be(store: Store) -> None:
    question = opened(store)
    store.conversations.claim(question.conversation_id, question.owner, 60)
    given = questions.answer(store, question, YES, where="api")
    assert (given.kept, given.question.state) == (True, ANSWERED)


def test_a_question_that_lapsed_or_never_was_takes_no_answer(store: Store) -> None:
    question = opened(store)
    store.register.put(question.key, to_body(replace(question, state=LAPSED)))
    for each in (question, replace(question, handle="ffffffffffffffff")):
        with pytest.raises(QuestionGone):
            questions.answer(store, each, YES, where="api")
