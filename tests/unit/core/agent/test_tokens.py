from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.agent.tokens import Gauge, estimate

ASCII = st.text(st.characters(max_codepoint=127))
BEYOND = "\N{NO-BREAK SPACE}"
BEYOND_WEIGHS = 0.33


@given(ASCII)
def test_plain_text_counts_the_same_beside_one_character_that_is_not(text: str) -> None:
    """Two ways of counting, one result, up to the one character and to rounding."""
    assert abs(estimate(f"{text} {BEYOND}") - estimate(f"{text} ") - BEYOND_WEIGHS) <= 1


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("word", 1), ("internationalisation", 5), ("2026-11-15", 10), ("a_b\n", 4), ("漢字漢字", 4)],
)
def test_what_texts_weigh(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


def test_a_very_long_text_is_measured_by_parts_of_it() -> None:
    text = "def name(self): return 42\n" * 40_000
    assert abs(estimate(text) / (estimate(text[:100_000]) * len(text) / 100_000) - 1) < 0.02


def test_one_odd_report_cannot_switch_compression_off() -> None:
    assert Gauge().learn(1, 1_000).tokens(1_000) == 400
    assert Gauge().learn(100_000, 1_000).tokens(1_000) == 3_000
    assert Gauge().learn(0, 1_000).tokens(1_000) == 1_000
