from __future__ import annotations

import pytest

from baton.core.errors import BadId, NotFound
from baton.core.ids import (
    ALPHABET,
    check_id,
    check_session_id,
    is_id,
    is_session_id,
    new_id,
    new_session_id,
    not_found,
    quote,
    unused_session_id,
)

NOUNS = {"conversation": "c", "packet": "p", "draft": "d", "transfer": "t"}
AT = 1_779_885_296_000_000


def test_a_session_id_begins_with_its_start_in_utc() -> None:
    assert new_session_id(AT, b"\xab\xcd\xef") == "20260527_123456_abcdef"
    assert new_session_id(AT + 999_999, b"\xab\xcd\xef") == "20260527_123456_abcdef"
    assert new_session_id(0, b"\x00\x00\x00") == "19700101_000000_000000"


def test_session_ids_sort_by_time() -> None:
    ids = [new_session_id(AT + second * 1_000_000) for second in range(0, 200_000, 7_919)]
    assert ids == sorted(ids)


def test_a_new_id_is_its_nouns_letter_and_twelve_characters() -> None:
    for noun, letter in NOUNS.items():
        made = new_id(noun)
        assert made.startswith(f"{letter}_")
        assert is_id(noun, made)
    assert new_id("conversation", bytes(range(12))) == "c_0123456789ab"
    assert new_id("draft", bytes([31] * 12)) == "d_zzzzzzzzzzzz"


def test_new_ids_differ() -> None:
    assert len({new_id("packet") for _ in range(1000)}) == 1000


def test_an_id_uses_no_character_that_is_misread_aloud() -> None:
    assert len(ALPHABET) == len(set(ALPHABET)) == 32
    assert not set(ALPHABET) & set("ilou")


def test_an_id_that_is_taken_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = iter([b"aaa", b"bbb", b"aaa", b"ccc"])
    monkeypatch.setattr("os.urandom", lambda _: next(dice))
    known = {"20260527_123456_616161", "20260527_123456_626262"}
    assert unused_session_id(AT, known.__contains__) == "20260527_123456_636363"


@pytest.mark.parametrize(
    "value",
    [
        "",
        "20260527_123456_abcde",
        "20260527_123456_abcdeff",
        "20260527_123456_ABCDEF",
        "20260527_123456_ghijkl",
        "2026052_123456_abcdef",
        "20260527-123456-abcdef",
        "20260527_123456_abcdef\n",
        " 20260527_123456_abcdef",
        "٢٠٢٦٠٥٢٧_123456_abcdef",
        "../20260527_123456_abcdef",
    ],
)
def test_anything_else_is_not_a_session_id(value: str) -> None:
    assert not is_session_id(value)
    with pytest.raises(BadId):
        check_session_id(value)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "c_",
        "c_0123456789a",
        "c_0123456789abc",
        "c_0123456789aB",
        "c_0123456789ai",
        "C_0123456789ab",
        "0123456789ab",
        "p_0123456789ab",
        "c_0123456789ab\n",
        "c__123456789ab",
        "../c_0123456789ab",
        "c_０123456789ab",
    ],
)
def test_anything_else_is_not_a_conversation_id(value: str) -> None:
    assert not is_id("conversation", value)
    with pytest.raises(BadId) as caught:
        check_id("conversation", value)
    assert caught.value.facts["noun"] == "conversation"


def test_an_id_that_fits_is_given_back() -> None:
    assert check_id("transfer", "t_0123456789ab") == "t_0123456789ab"
    assert check_session_id("20260527_123456_abcdef") == "20260527_123456_abcdef"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", "'plain'"),
        ("ä 😀", "'ä 😀'"),
        ("a\nb", r"'a\nb'"),
        ("\x1b[31m", r"'\x1b[31m'"),
        ("\ud800", r"'\ud800'"),
        ("\u202e", r"'\u202e'"),
        ("", "''"),
    ],
)
def test_a_value_is_shown_without_harm(value: str, expected: str) -> None:
    assert quote(value) == expected


def test_a_long_value_is_cut_when_shown() -> None:
    assert quote("x" * 100) == "'" + "x" * 58 + "…"
    assert len(quote("\0" * 1000)) == 60
    assert quote("x" * 58) == "'" + "x" * 58 + "'"


def test_what_is_missing_is_named_with_what_to_do() -> None:
    assert str(not_found("session", "a\0")) == (
        r"There is no session 'a\x00'. `baton sessions list` shows what there is."
    )
    assert str(not_found("draft", "d1")) == "There is no draft 'd1'. It may have been removed."
    assert isinstance(not_found("packet", "p"), NotFound)
