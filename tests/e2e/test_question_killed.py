"""The process that asked is killed with its question open: nothing is stuck, no answer is lost or used twice."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.agent.choice import YES
from baton.engine.turns import questions
from tests.support.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


def start(database: Path, conversation_id: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.workers.asking", str(database), conversation_id]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def asked(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    word, _, handle = process.stdout.readline().strip().partition(" ")
    assert word == "asked"
    return handle


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def test_an_answer_after_kill_9_counts_once_for_the_same_call(tmp_path: Path) -> None:
    database = tmp_path / "store" / "baton.db"
    with closing(open_sqlite(str(database))) as store:
        conversation, _ = store.conversations.start("deploy")
        dead = start(database, conversation.id)
        handle = asked(dead)
        (question,) = questions.list_open(store)
        assert question.handle == handle
        kill(dead)
        assert questions.list_open(store) == [], "a question of a dead process is still called open"
        assert questions.answer(store, question, YES, where="telegram:777").kept
        out, _ = start(database, conversation.id).communicate(timeout=PATIENCE)
        assert out.splitlines()[1:] == ["deployed to production", "ended True"]
        again = start(database, conversation.id)
        assert asked(again) != handle
        questions.answer(store, questions.list_open(store)[0], YES, where="api")
        out, _ = again.communicate(timeout=PATIENCE)
        assert out.splitlines() == ["deployed to production", "ended True"]


def test_a_question_that_nobody_answered_is_asked_again_after_kill_9(tmp_path: Path) -> None:
    database = tmp_path / "store" / "baton.db"
    with closing(open_sqlite(str(database))) as store:
        conversation, _ = store.conversations.start("deploy")
        dead = start(database, conversation.id)
        first = asked(dead)
        kill(dead)
        living = start(database, conversation.id)
        second = asked(living)
        assert [each.handle for each in questions.list_open(store)] == [second] != [first]
        assert questions.find(store, conversation.id, first).state == "lapsed"
        kill(living)
