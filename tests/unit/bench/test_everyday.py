"""Everyday requests are judged by what is there afterwards, and claims by the record."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.everyday import EVERYDAY, HALF, RIGHT, WRONG, Done, false_claims, lay_out


def judge(request: str, done: Done) -> str:
    return next(judged(done) for asked, judged in EVERYDAY if asked.startswith(request))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    lay_out(tmp_path)
    return tmp_path


def test_there_are_thirty_different_ones() -> None:
    assert len({request for request, _ in EVERYDAY}) == 30


@pytest.mark.parametrize("request_", [request for request, _ in EVERYDAY])
def test_an_answer_of_nothing_is_never_right(project: Path, request_: str) -> None:
    assert judge(request_, Done("", (), project)) != RIGHT


def test_a_file_is_looked_at_not_the_answer(project: Path) -> None:
    told = "I created todo.txt."
    assert judge("Create a file todo.txt", Done(told, (), project)) == WRONG
    (project / "todo.txt").write_text("please water the plants")
    assert judge("Create a file todo.txt", Done(told, (), project)) == HALF
    (project / "todo.txt").write_text("water the plants\n")
    assert judge("Create a file todo.txt", Done(told, (), project)) == RIGHT


def test_small_talk_needs_no_tool(project: Path) -> None:
    assert judge("hi", Done("Hi! What shall I do?", (), project)) == RIGHT
    assert judge("hi", Done("I created hi.py and ran it.", ('write {"path": "hi.py"}',), project)) == WRONG


@pytest.mark.parametrize(
    "said", ["I created hi.py and ran it.", "The file has been deleted.", "I've just run the tests.", "It printed: hi"]
)
def test_a_claim_without_a_call_is_false(tmp_path: Path, said: str) -> None:
    assert false_claims(Done(said, ('read {"path": "a"}',), tmp_path))
    assert not false_claims(Done(said, ('shell {"command": "x"}',), tmp_path))


def test_what_claims_nothing_is_not_false(tmp_path: Path) -> None:
    assert not false_claims(Done("The owner is Maria. Shall I run the tests?", (), tmp_path))
