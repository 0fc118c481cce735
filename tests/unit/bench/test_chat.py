from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from bench.chat import UNTYPED
from bench.streaming import LAST, markdown, paced
from bench.terminal import Silent, Terminal

from tests.support.model_servers import Wait

ECHO = """
import sys, time
print("ready", flush=True)
for line in sys.stdin:
    end = time.process_time() + 0.1
    while time.process_time() < end: pass
    print("heard", line.strip(), flush=True)
"""


def test_the_answer_has_its_lines_and_no_letter_that_is_typed() -> None:
    text = markdown(2_000)
    assert text.count("\n") == 1_999
    assert text.endswith(LAST)
    assert text.isascii()
    assert len(set(UNTYPED)) == len(UNTYPED) > 300


def test_pauses_stretch_the_answer_and_the_pieces_are_all_of_it() -> None:
    text = markdown(500)
    parts = list(paced(text, 10))
    assert "".join(part for part in parts if isinstance(part, str)) == text
    assert sum(part.seconds for part in parts if isinstance(part, Wait)) == pytest.approx(10, rel=0.1)


def test_a_terminal_shows_what_is_drawn_and_counts_the_work(tmp_path: Path) -> None:
    with Terminal([sys.executable, "-c", ECHO], {}, tmp_path) as terminal:
        terminal.until(lambda drawn: b"ready" in drawn)
        before, began = terminal.work(), time.perf_counter_ns()
        terminal.type("hello\n")
        assert terminal.until(lambda drawn: b"heard hello" in drawn) > began
        assert 90 < terminal.work() - before < 200
        assert terminal.cpu() >= 90
        with pytest.raises(Silent, match="not drawn within 0 s"):
            terminal.until(lambda drawn: b"never" in drawn, 0.05)


def test_a_program_that_ends_is_told(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "print('last words')"]
    with Terminal(command, {}, tmp_path) as terminal, pytest.raises(Silent, match="last words"):
        terminal.until(lambda drawn: b"never" in drawn, 20)
