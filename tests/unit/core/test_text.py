from __future__ import annotations

import time

import pytest

from baton.core.errors import BadText, BadTitle
from baton.core.text import FIELD_LIMIT, TITLE_LIMIT, check_text, check_title, flaw, title_key


@pytest.mark.parametrize(
    "value", ["", "plain", "a\tb\r\nc", "\x01\x1b\x7f\x9b", "\u202e\u2028\ufeff", "\uffff\U0010ffff"]
)
def test_text_without_nul_and_surrogates_can_be_stored(value: str) -> None:
    assert flaw(value, 100) == ""
    assert check_text("field", value) == value


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("\0", "character 1 is NUL (U+0000)"),
        ("ab\0", "character 3 is NUL (U+0000)"),
        ("a\ud800", "character 2 is a lone surrogate (U+D800)"),
        ("\udfff\0", "character 1 is a lone surrogate (U+DFFF)"),
        ("x" * 101, "it has 101 characters, at most 100 are allowed"),
    ],
)
def test_the_reason_names_the_character(value: str, reason: str) -> None:
    assert flaw(value, 100) == reason
    with pytest.raises(BadText) as caught:
        check_text("note", value, 100)
    assert caught.value.facts["field"] == "note"
    assert str(caught.value.facts["reason"]) == reason


def test_the_limit_is_counted_in_characters() -> None:
    assert check_text("field", "😀" * FIELD_LIMIT) == "😀" * FIELD_LIMIT
    with pytest.raises(BadText):
        check_text("field", "x" * (FIELD_LIMIT + 1))


def test_a_long_text_is_checked_quickly() -> None:
    start = time.monotonic()
    assert flaw("ä\n" * 4_000_000, 16_000_000) == ""
    assert time.monotonic() - start < 2


@pytest.mark.parametrize(
    "value",
    ["a\nb", "a\x1bb", "a\u2028b", "a\u2029b", "a\u202eb", "a\u200bb", "\ufeffa", "a\x00b", "\ud800", "a\u00adb"],
)
def test_a_title_is_one_line_without_controls(value: str) -> None:
    with pytest.raises(BadTitle):
        check_title(value)


@pytest.mark.parametrize("value", ["", " ", "\n\t", "\u00a0\u3000"])
def test_a_title_is_not_empty(value: str) -> None:
    with pytest.raises(BadTitle) as caught:
        check_title(value)
    assert caught.value.facts["reason"] == "it is empty"


def test_a_title_loses_only_the_space_around_it() -> None:
    assert check_title(" \n a  b \t") == "a  b"
    assert check_title("👨\u200d👩\u200d👧 न\u200cम") == "👨\u200d👩\u200d👧 न\u200cम"
    assert check_title("x" * TITLE_LIMIT) == "x" * TITLE_LIMIT
    with pytest.raises(BadTitle):
        check_title("x" * (TITLE_LIMIT + 1))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Straße", "STRASSE"), ("Ａbc", "abc"), ("e\u0301", "É"), ("ﬁx", "FIX"), ("ΣΑΣ", "σας"), ("x²", "X2")],
)
def test_titles_that_a_person_would_call_the_same_have_one_key(one: str, other: str) -> None:
    assert title_key(one) == title_key(other)


@pytest.mark.parametrize(("one", "other"), [("resume", "résumé"), ("a b", "a  b"), ("a", "b"), ("ship", "ship it")])
def test_titles_that_differ_have_different_keys(one: str, other: str) -> None:
    assert title_key(one) != title_key(other)
