from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.models.local.worker import LoopDetector


def noticed_after(text: str, piece: int = 4) -> int | None:
    """How many characters it took."""
    loop = LoopDetector()
    for at in range(0, len(text), piece):
        if loop.feed(text[at : at + piece]):
            return at + piece
    return None


@pytest.mark.parametrize("unit", [".", "I am a human. ", "x" * 59 + "\n", "one long sentence " * 6 + "and no end. "])
def test_what_repeats_is_noticed_soon(unit: str) -> None:
    found = noticed_after("A fair beginning. " + unit * 2000)
    assert found is not None
    assert found < 18 + max(400, 8 * len(unit)) + 50


@pytest.mark.parametrize(
    "text",
    [
        "|" + "---|" * 40 + "\n",
        "=" * 120 + "\n" + "word " * 60,
        "".join(f"{number}. Bird\n" for number in range(300)),
        "".join(f"    result[{number}] = values[{number}] + 1\n" for number in range(100)),
        "import os\n" * 7,
    ],
)
def test_what_only_looks_alike_is_left_alone(text: str) -> None:
    assert noticed_after(text) is None


@given(st.lists(st.integers(0, 10**9), min_size=50, max_size=200), st.integers(1, 30))
def test_numbers_that_differ_are_no_loop(numbers: list[int], piece: int) -> None:
    text = " ".join(f"{at}:{number}" for at, number in enumerate(numbers))
    assert noticed_after(text, piece) is None
