"""What a local model writes is read while it is written, in whatever pieces it comes."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from baton.adapters.models.local.reply import JsonString, NoReply, Reply

CUTS = st.lists(st.integers(min_value=0, max_value=10_000), max_size=40)


def pieces(text: str, cuts: list[int]) -> list[str]:
    """The text, cut at these places."""
    places = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


@given(st.text(), CUTS, st.booleans())
@example('a\U0001f600"\\\n\u2028é/', list(range(60)), True)
def test_any_text_cut_anywhere_comes_out_equal(text: str, cuts: list[int], ascii_only: bool) -> None:
    written = json.dumps({"tool": "answer", "args": {"text": text}}, ensure_ascii=ascii_only)
    reply = Reply()
    assert "".join(reply.feed(piece) for piece in pieces(written, cuts)) == text
    assert reply.call() is None


@given(st.text(alphabet=' \n\t{}[]",:\\u0', max_size=30), CUTS)
def test_text_that_looks_like_json_comes_out_equal(text: str, cuts: list[int]) -> None:
    written = json.dumps({"tool": "answer", "args": {"text": text}})
    reply = Reply()
    assert "".join(reply.feed(piece) for piece in pieces(written, cuts)) == text


@given(st.lists(st.integers(min_value=0xD7F0, max_value=0xE00F), max_size=6), CUTS)
def test_a_lone_half_of_a_surrogate_pair_becomes_a_replacement_character(units: list[int], cuts: list[int]) -> None:
    written = "".join(f"\\u{unit:04x}" for unit in units)
    decoded = json.loads(f'"{written}"')
    expected = "".join("�" if 0xD800 <= ord(each) <= 0xDFFF else each for each in decoded)
    string = JsonString()
    assert "".join(string.feed(piece) for piece in pieces(f'{written}"', cuts)) == expected
    assert string.ended


def test_text_is_given_out_as_soon_as_it_is_certain() -> None:
    reply = Reply()
    given_out = [reply.feed(piece) for piece in ['{"tool": "ans', 'wer", "args": {"text": "He', "llo\\", "nW", '"}}']]
    assert given_out == ["", "He", "llo", "\nW", ""]


@pytest.mark.parametrize("space", ["", " ", "\n  "])
def test_spaces_between_the_tokens_do_not_matter(space: str) -> None:
    s = space
    written = f'{s}{{{s}"tool"{s}:{s}"answer"{s},{s}"args"{s}:{s}{{{s}"text"{s}:{s}"hi"{s}}}{s}}}'
    reply = Reply()
    assert "".join(reply.feed(each) for each in written) == "hi"


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5), CUTS)
def test_a_call_comes_whole_and_shows_no_text(args: object, cuts: list[int]) -> None:
    written = json.dumps({"tool": "read", "args": {"given": args}})
    reply = Reply()
    assert "".join(reply.feed(piece) for piece in pieces(written, cuts)) == ""
    assert reply.call() == ("read", {"given": args})


def test_a_call_that_was_cut_off_says_whose_it_was() -> None:
    reply = Reply()
    reply.feed('{"tool": "write", "args": {"path": "a')
    with pytest.raises(NoReply, match="its call of write"):
        reply.call()


def test_lone_surrogates_in_arguments_can_be_stored() -> None:
    reply = Reply()
    reply.feed('{"tool": "write", "args": {"path": "a\\ud800", "more": ["\\udfff", {"\\ud800": 1}]}}')
    assert reply.call() == ("write", {"path": "a�", "more": ["�", {"�": 1}]})


def test_what_does_not_begin_like_an_object_is_the_answer() -> None:
    reply = Reply()
    assert "".join(reply.feed(piece) for piece in [" ", "Four", ', as in {"a": 1}']) == ' Four, as in {"a": 1}'
    assert reply.call() is None
