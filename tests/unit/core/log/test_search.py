from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.errors import BadInput
from baton.core.log.search import INDEXED_LIMIT, TERM_LIMIT, Term, parse_query, snippet, snippet_of, words
from tests.unit.core.steady import STEADY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("Hello, World!", ["hello", "world"]),
        ("foo_bar.baz-qux", ["foo", "bar", "baz", "qux"]),
        ("it's 3.14", ["it", "s", "3", "14"]),
        ("naïve CAFÉ", ["naive", "cafe"]),
        ("e\u0301 é", ["e", "e"]),
        ("Straße", ["strasse"]),
        ("検索 test", ["検", "索", "test"]),
        ("ab検cd", ["ab", "検", "cd"]),
        ("한국어", ["한", "국", "어"]),
        ("ＡＢＣ", ["abc"]),
        ("™ 𝕳𝖊𝖑𝖑𝖔 №", ["tm", "hello", "no"]),
        ("Ⅷ ²", ["viii", "2"]),
        ("İ", ["i"]),
        ("\ud800a\0b", ["a", "b"]),
        ("🎉", []),
        ("Привет", ["привет"]),
    ],
)
def test_a_text_becomes_plain_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@STEADY
@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=50))
def test_words_are_their_own_words(text: str) -> None:
    """What was found in a text can be searched for."""
    for word in words(text):
        assert words(word) == [word]


@STEADY
@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=60))
def test_ascii_is_read_the_same_with_and_without_other_characters_beside_it(text: str) -> None:
    assert words(f"{text} ä") == [*words(text), "a"]


def test_only_the_first_part_of_a_text_is_read() -> None:
    assert words("a " * INDEXED_LIMIT) == ["a"] * (INDEXED_LIMIT // 2)


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("foo bar", (Term(("foo",)), Term(("bar",)))),
        ('"two words" x', (Term(("two", "words")), Term(("x",)))),
        ("foo_bar", (Term(("foo", "bar")),)),
        ("pre*", (Term(("pre",), prefix=True),)),
        ("foo_pre*", (Term(("foo", "pre"), prefix=True),)),
        ('"not a prefix*"', (Term(("not", "a", "prefix")),)),
        ('"unclosed phrase', (Term(("unclosed", "phrase")),)),
        ("... foo !!!", (Term(("foo",)),)),
        ("検索", (Term(("検", "索")),)),
        ('a"b c"d', (Term(("a", "b")), Term(("c", "d")))),
    ],
)
def test_a_query_is_read_as_terms(query: str, terms: tuple[Term, ...]) -> None:
    assert parse_query(query) == terms


@pytest.mark.parametrize("query", ["", " ", "*", '""', "_", "🎉", "\ud800"])
def test_a_query_needs_a_word(query: str) -> None:
    with pytest.raises(BadInput, match="no word"):
        parse_query(query)


def test_a_query_has_a_limited_number_of_terms() -> None:
    assert len(parse_query("x " * TERM_LIMIT)) == TERM_LIMIT
    with pytest.raises(BadInput, match="33 terms"):
        parse_query("x " * (TERM_LIMIT + 1))


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("The quick fox", "quick", ["quick"]),
        ("The Quick fox", "QUICK the", ["The", "Quick"]),
        ("snake_case here", "snake_case", ["snake_case"]),
        ("two\n\n  words", '"two words"', ["two words"]),
        ("prefixes", "pre*", ["prefixes"]),
        ("checkout check", "check", ["check"]),
        ("Ein Café für alle", "cafe fur", ["Café", "für"]),
        ("Cafe\u0301!", "café", ["Cafe\u0301"]),
        ("これは検索のテスト", "検索", ["検索"]),
        ("ﬁnd it", "fi*", ["ﬁnd"]),
        ("Straße", "strasse", ["Straße"]),
        ("a.b+c", "a.b", ["a.b"]),
        ("nothing here", "else", []),
    ],
)
def test_a_snippet_marks_what_was_found(text: str, query: str, marked: list[str]) -> None:
    line, spans = snippet(text, parse_query(query))
    assert line == " ".join(text.split())
    assert [line[start:end] for start, end in spans] == marked


def test_a_snippet_is_one_line_around_the_first_term() -> None:
    line, spans = snippet("x " * 500 + "needle" + " y" * 500, parse_query("needle"))
    assert line.startswith("…")
    assert line.endswith("…")
    assert len(line) == 122
    assert [line[start:end] for start, end in spans] == ["needle"]


def test_a_snippet_of_a_huge_text_looks_only_at_what_was_indexed() -> None:
    line, spans = snippet("ä " * 40_000 + "needle " + "x" * 2_000_000, parse_query("needle"))
    assert spans == ()
    assert line.startswith("ä ä")


@STEADY
@given(
    st.text(alphabet=st.characters(exclude_categories=()), max_size=200),
    st.text(alphabet="aäbß検 _*\"'", min_size=1, max_size=10),
)
def test_the_marks_of_a_snippet_lie_inside_it_in_order(text: str, query: str) -> None:
    try:
        terms = parse_query(query)
    except BadInput:
        return
    line, spans = snippet(text, terms)
    assert "\n" not in line
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(0 <= start < end <= len(line) for start, end in spans)


@pytest.mark.parametrize(
    ("query", "line"), [("migrations", "never touch the migrations"), ("u_1", "never touch the migrations u_1 gpt")]
)
def test_a_snippet_of_an_entry_holds_names_only_if_they_were_looked_for(query: str, line: str) -> None:
    body = '{"text": "never touch the migrations", "turn": "u_1", "model": "gpt"}'
    assert snippet_of(body, parse_query(query))[0] == line
