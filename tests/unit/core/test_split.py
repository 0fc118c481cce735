"""A long text becomes messages that each fit and, together, are the text."""

from __future__ import annotations

import re
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.split import split


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf8(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


FAMILY = "👩‍👩‍👧‍👦"


@pytest.mark.parametrize(
    ("text", "limit", "parts"),
    [
        ("", 10, []),
        ("short", 10, ["short"]),
        ("exactly 10", 10, ["exactly 10"]),
        ("one two three", 10, ["one two ", "three"]),
        ("A first one. Then on it goes", 20, ["A first one. ", "Then on it goes"]),
        ("第一句。第二句没有完", 7, ["第一句。", "第二句没有完"]),
        ("aaaa bbbb\ncc dd ee ff", 14, ["aaaa bbbb\n", "cc dd ee ff"]),
        ("aaaa\nbb\n\ncc\ndd ee ff", 14, ["aaaa\nbb\n\n", "cc\ndd ee ff"]),
        ("a\n\nbbbbbbbbbbbbbbbbbb", 12, ["a\n\nbbbbbbbbb", "bbbbbbbbb"]),
        ("abcdefghij" * 2, 8, ["abcdefgh", "ijabcdef", "ghij"]),
        ("aaaaaa\r\nbbb", 7, ["aaaaaa", "\r\nbbb"]),
        ("\n\n\n\n", 2, ["\n\n", "\n\n"]),
    ],
)
def test_parts_end_where_a_reader_would_pause(text: str, limit: int, parts: list[str]) -> None:
    assert split(text, limit, len) == parts


@pytest.mark.parametrize(
    ("text", "limit", "parts"),
    [
        ("😀😀😀", 5, ["😀😀", "😀"]),
        (f"ab{FAMILY}", 12, ["ab", FAMILY]),
        (f"{FAMILY}{FAMILY}", 15, [FAMILY, FAMILY]),
        ("xe\u0301e\u0301", 4, ["xe\u0301", "e\u0301"]),
        ("🇩🇪🇫🇷🇮🇹", 7, ["🇩🇪", "🇫🇷", "🇮🇹"]),
        ("a👍🏽", 3, ["a", "👍", "🏽"]),
        ("a👍🏽", 4, ["a", "👍🏽"]),
        ("\u1100\u1161\u11a8" * 2, 4, ["\u1100\u1161\u11a8"] * 2),
        ("a\ud83d\ude00", 2, ["a", "\ud83d\ude00"]),
    ],
)
def test_a_character_is_cut_only_if_it_does_not_fit_alone(text: str, limit: int, parts: list[str]) -> None:
    assert split(text, limit, utf16) == parts


def test_what_does_not_fit_at_all_stands_alone() -> None:
    assert split("a😀b", 1, utf16) == ["a", "😀", "b"]
    assert split("ab", 0, len) == ["a", "b"]
    assert split("ab", 5, lambda _: 99) == ["a", "b"]
    assert split("e\u0301" + "\u0302" * 300, 10, len)[0] == "e\u0301" + "\u0302" * 8


@pytest.mark.parametrize(
    ("text", "limit", "parts"),
    [
        (
            "```py\nline one\nline two\nline three\n```\nend",
            36,
            ["```py\nline one\nline two\n```", "```py\nline three\n```\nend"],
        ),
        ("intro text\n\n```\ncode\ncode\n```", 24, ["intro text\n\n", "```\ncode\ncode\n```"]),
        ("~~~~ js x\naaaaaaaa\n```\nbb\n~~~~", 29, ["~~~~ js x\naaaaaaaa\n```\n~~~~", "~~~~ js x\nbb\n~~~~"]),
        ("```\nnever closed\nand on and on\non", 24, ["```\nnever closed\n```", "```\nand on and on\non"]),
        ("```\naaaaaaaaaaaaaaaaaaaa\n```", 18, ["```\naaaaaaaaaa\n```", "```\naaaaaaaaaa\n```"]),
        ("> ```\n> aaaaaaaa\n> bbbbbbbb\n> ```", 26, ["> ```\n> aaaaaaaa\n> ```", "> ```\n> bbbbbbbb\n> ```"]),
        ("1. ```sh\n   aaaaa\n   bbbb\n   ```", 29, ["1. ```sh\n   aaaaa\n   ```", "```sh\nbbbb\n```"]),
        (
            "      ```\n      aaaa\n       b\n      ```\nend",
            36,
            ["      ```\n      aaaa\n      ```", "```\n b\n```\nend"],
        ),
        ("```\naaaa\n```\ntext text", 14, ["```\naaaa\n```\n", "text text"]),
        ("`not ``` a fence` and on it goes", 20, ["`not ``` a fence` ", "and on it goes"]),
        ("```" + "x" * 30 + "\ncode\n```", 20, None),
    ],
)
def test_a_cut_fence_is_closed_and_opened_again(text: str, limit: int, parts: list[str] | None) -> None:
    found = split(text, limit, len)
    assert found == parts if parts else "".join(found) == text
    assert all(len(part) <= limit for part in found)


CHARACTERS = st.text(alphabet="ab .\n\t😀\u200d👩\u0301ü🇩表", max_size=200)
LINES = st.lists(
    st.sampled_from(["```", "```py", "~~~", "````", "> ```", "- ```", "    ```"])
    | st.sampled_from(["", "a b c", "x" * 30, "e. f! g", "😀 " * 9]),
    max_size=25,
).map("\n".join)


@given(CHARACTERS, st.integers(2, 60))
def test_the_parts_are_the_text_and_fit(text: str, limit: int) -> None:
    for size in (len, utf16):
        parts = split(text, limit, size)
        assert "".join(parts) == text
        assert all(size(part) <= limit for part in parts)
        assert all(parts)


@given(LINES, st.integers(2, 90))
def test_with_fences_too_every_part_fits_and_every_word_stays(text: str, limit: int) -> None:
    parts = split(text, limit, len)
    assert all(0 < len(part) <= limit for part in parts)
    words = r"[^`~>\-py \n]"
    assert re.findall(words, "".join(parts)) == re.findall(words, text)


@given(LINES, st.integers(40, 90))
def test_no_part_but_the_last_leaves_a_fence_open(text: str, limit: int) -> None:
    from baton.core.split import fences

    for part in split(text, limit, len)[:-1]:
        for fence in fences(part):
            assert fence.closed < fence.end


@given(st.lists(st.sampled_from([FAMILY, "e\u0301\u0302", "👍🏽", "🇩🇪", "a", " ", ".", "\n", "\r\n"]), max_size=60))
def test_no_character_is_cut_when_there_is_room(characters: list[str]) -> None:
    edges = set(accumulate(map(len, characters)))
    assert set(accumulate(map(len, split("".join(characters), 24, len)))) <= edges


def test_the_work_stays_near_linear_when_size_is_costly() -> None:
    """Measured in characters that `size` was given, for each character of the text."""

    def seen_per_character(text: str, limit: int, weight: int) -> float:
        seen = 0

        def size(part: str) -> int:
            nonlocal seen
            seen += len(part)
            return len(part) * weight // 4

        split(text, limit, size)
        return seen / len(text)

    prose = "word and more words. " * 40_000
    for limit, weight in ((4096, 4), (2000, 9), (4096, 1), (30_000, 17)):
        assert seen_per_character(prose, limit, weight) < 25
    assert seen_per_character("```\ncode\n```\n" * 20_000, 4096, 4) < 25
    assert seen_per_character("```\n" + "code\n" * 100_000, 4096, 4) < 25


def test_a_size_that_shrinks_with_more_text_does_no_harm() -> None:
    """As when the end of a link turns an address into a word."""
    text = ("[label](https://example.org/" + "x" * 300 + ") and words ") * 50

    def rendered(part: str) -> int:
        return len(re.sub(r"\[(\w+)\]\([^()\s]*\)", r"\1", part))

    parts = split(text, 200, rendered)
    assert "".join(parts) == text
    assert all(rendered(part) <= 200 for part in parts)
