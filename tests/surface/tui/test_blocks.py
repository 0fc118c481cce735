from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.surfaces.tui.blocks import LONGEST, Block, Blocks, code_of

ANSWER = """Here:
```python
x = 1

y = 2
```
- one
- two

~~~
a
"""


def cut(*pieces: str) -> list[Block]:
    blocks = Blocks()
    finished = [block for piece in pieces for block in blocks.feed(piece)]
    return [*finished, *blocks.end()]


def test_blocks_end_at_blank_lines_and_fences_stand_alone() -> None:
    assert cut(ANSWER) == [
        Block("Here:"),
        Block("x = 1\n\ny = 2", "python"),
        Block("- one\n- two"),
        Block("a", ""),
    ]


@given(st.lists(st.integers(0, len(ANSWER)), max_size=20))
def test_it_does_not_matter_how_an_answer_comes_in(places: list[int]) -> None:
    ends = [0, *sorted(places), len(ANSWER)]
    assert cut(*(ANSWER[a:b] for a, b in pairwise(ends))) == cut(ANSWER)


@given(st.text(alphabet="ab `~\n|-", max_size=400))
def test_no_words_are_lost(text: str) -> None:
    letters = [c for c in text if c in "ab"]
    shown = [c for block in cut(text) for c in f"{block.language or ''}{block.text}" if c in "ab"]
    assert len(shown) <= len(letters)
    if "`" not in text and "~" not in text:
        assert shown == letters


@pytest.mark.parametrize("fence", ["", "```python\n"])
def test_what_runs_on_is_cut_and_continues(fence: str) -> None:
    lines = [f"line {number}" for number in range(3 * LONGEST)]
    blocks = cut(fence + "\n".join(lines))
    assert [block.text.count("\n") + 1 for block in blocks] == [LONGEST] * 3
    assert [block.continues for block in blocks] == [False, True, True]
    assert "\n".join(block.text for block in blocks) == "\n".join(lines)
    assert {block.language for block in blocks} == ({"python"} if fence else {None})


def test_a_fence_is_open_until_its_own_end() -> None:
    assert cut("````md\n```\ninner\n```\n````\nafter") == [Block("```\ninner\n```", "md"), Block("after")]


def test_the_code_of_an_answer_is_whole_and_the_last_comes_first() -> None:
    long = "\n".join(f"line {number}" for number in range(100))
    assert code_of(f"a\n```\n{long}\n```\nb\n```sh\nmake\n```") == ["make", long]
