"""Plain text with ranges: what Telegram and Signal are given."""

from __future__ import annotations

import pytest
from hypothesis import given

from baton.adapters.platforms.markup.layout import column_width
from baton.adapters.platforms.markup.spans import Span, Spans, to_spans, utf8, utf16
from tests.unit.platforms.markup.marked import anything, prose


def cut(spans: Spans, span: Span) -> str:
    """The text below a span, counted the way platforms count."""
    units = spans.text.encode("utf-16-le", "surrogatepass")
    return units[2 * span.start : 2 * (span.start + span.length)].decode("utf-16-le", "surrogatepass")


def below(markdown: str, **options: bool) -> list[tuple[str, str, str]]:
    spans = to_spans(markdown, **options)
    return [(span.kind, cut(spans, span), span.detail) for span in spans.spans]


@pytest.mark.parametrize(
    ("markdown", "text", "found"),
    [
        ("plain", "plain", []),
        ("**b** *i*", "b i", [("bold", "b", ""), ("italic", "i", "")]),
        ("~~s~~ `c`", "s c", [("strike", "s", ""), ("code", "c", "")]),
        ("***both***", "both", [("italic", "both", ""), ("bold", "both", "")]),
        ("😀 **ü👩‍👩‍👧** x", "😀 ü👩‍👩‍👧 x", [("bold", "ü👩‍👩‍👧", "")]),
        ("# Title **x**", "Title x", [("bold", "Title x", "")]),
        ("[l](https://a.b/c_(d))", "l", [("link", "l", "https://a.b/c_(d)")]),
        ("[l](<https://a.b/c d>)", "l", [("link", "l", "https://a.b/c%20d")]),
        ("<https://a.b>", "https://a.b", [("link", "https://a.b", "https://a.b")]),
        ("[](https://a.b)", "https://a.b", [("link", "https://a.b", "https://a.b")]),
        ("![pic **x**](https://a.b/p.png)", "pic x", [("link", "pic x", "https://a.b/p.png")]),
        ("[`f()`](https://a.b)", "f()", [("link", "f()", "https://a.b")]),
        ("[no](javascript:alert(1))", "[no](javascript:alert(1))", []),
        ("[no](src/x.py)", "[no](src/x.py)", []),
        ("```python title\nif x:\n  y\n```", "if x:\n  y", [("pre", "if x:\n  y", "python")]),
        ("    indented\n    code", "indented\ncode", [("pre", "indented\ncode", "")]),
        ("> q\n> **r**", "q\nr", [("quote", "q\nr", ""), ("bold", "r", "")]),
        ("> a\n>> b", "a\n\nb", [("quote", "a\n\nb", "")]),
        ("a\nb  \nc\\\nd", "a\nb\nc\nd", []),
        ("a <b>x</b> &lt; &copy;", "a <b>x</b> < ©", []),
        ("<script>alert(1)</script>", "<script>alert(1)</script>", []),
        ("a\n\n---\n\nb", "a\n\n———\n\nb", []),
        ("[r]: https://a.b", "[r]: https://a.b", []),
        ("```\n```", "```\n```", []),
        ("", "", []),
    ],
)
def test_marks_become_ranges(markdown: str, text: str, found: list[tuple[str, str, str]]) -> None:
    assert (to_spans(markdown).text, below(markdown)) == (text, found)


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("- a\n- b", "• a\n• b"),
        ("- a\n\n- b", "• a\n\n• b"),
        ("- a\n  - b\n    - c\n      - d\n- e", "• a\n  ◦ b\n    ▪ c\n      • d\n• e"),
        ("9. a\n10. b\n    - c", "9. a\n10. b\n    • c"),
        ("- a\n  more\n\n  para", "• a\n  more\n\n  para"),
        ("- [x] done", "• [x] done"),
        ("- a\n\n      code\n- b", "• a\n\ncode\n\n• b"),
        ("-\n- b", "• \n• b"),
        ("- > q\n- b", "• q\n• b"),
    ],
)
def test_lists_are_laid_out(markdown: str, text: str) -> None:
    assert to_spans(markdown).text == text


def test_a_table_is_an_aligned_code_block() -> None:
    spans = to_spans("|name|n|\n|:-|-:|\n|**a**|1|\n|表格|`22`|\n|long \\| cell||")
    assert spans.text == "name         n\n───────────  ──\na            1\n表格         22\nlong | cell"
    assert [span.kind for span in spans.spans] == ["pre"]


def test_an_address_can_stand_behind_its_text() -> None:
    assert to_spans("[l](https://a.b) <https://c.d> <m@e.f>", links=False) == Spans(
        "l (https://a.b) https://c.d m@e.f", ()
    )


def test_nothing_is_lost_below_the_deepest_level() -> None:
    assert to_spans("> " * 60 + "bottom").text.endswith("bottom")
    assert to_spans("- " * 60 + "bottom\n\nnext").text.endswith("bottom\n\nnext")


@given(anything)
def test_spans_lie_within_the_text(markdown: str) -> None:
    spans = to_spans(markdown)
    for span in spans.spans:
        assert 0 <= span.start < span.start + span.length <= utf16(spans.text)
        assert cut(spans, span).encode("utf-16-le", "surrogatepass")
    assert list(spans.spans) == sorted(spans.spans, key=lambda span: (span.start, -span.length))


@given(anything)
def test_spans_nest_and_code_holds_none(markdown: str) -> None:
    open_until: list[Span] = []
    for span in to_spans(markdown).spans:
        while open_until and open_until[-1].start + open_until[-1].length <= span.start:
            open_until.pop()
        if open_until:
            outer = open_until[-1]
            assert span.start + span.length <= outer.start + outer.length
            assert outer.kind not in ("code", "pre")
        assert span.kind not in [each.kind for each in open_until]
        open_until.append(span)


@given(prose)
def test_prose_stays_as_it_is(markdown: str) -> None:
    assert to_spans(markdown) == Spans(markdown, ())


@pytest.mark.parametrize(
    ("text", "units", "size", "width"),
    [
        ("abc", 3, 3, 3),
        ("ü", 1, 2, 1),
        ("😀", 2, 4, 2),
        ("👩‍👧", 5, 11, 4),
        ("表", 1, 3, 2),
        ("e\u0301", 2, 3, 1),
        ("\ud800", 1, 3, 1),
    ],
)
def test_lengths_are_counted_as_platforms_do(text: str, units: int, size: int, width: int) -> None:
    assert (utf16(text), utf8(text), column_width(text)) == (units, size, width)
