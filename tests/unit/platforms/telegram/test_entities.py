"""Markdown as entities that the server takes as they are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.platforms.telegram.entities import MOST, rendered, size
from tests.support.platforms.telegram.rules import entity_faults, units

_WORDS = ["**", "*", "`", "~~", "> ", "# ", "- ", "\n", "\n\n", "```\n", "[", "](https://a.b/c)", "](http://local)"]
_MARKDOWN = st.lists(st.sampled_from([*_WORDS, "a", "😀", " ", "x y", "\ud800", "|", "1. "]), max_size=40).map("".join)


def shown(markdown: str) -> tuple[str, list[tuple[str, str, str]]]:
    """The text, and each entity with its type, its words and its detail."""
    found = rendered(markdown)
    raw = found.text.encode("utf-16-le")
    words = [raw[2 * each.offset : 2 * (each.offset + each.length)].decode("utf-16-le") for each in found.entities]
    details = [each.url or each.language or "" for each in found.entities]
    return found.text, [
        (str(each.type), word, detail) for each, word, detail in zip(found.entities, words, details, strict=True)
    ]


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("plain", ("plain", [])),
        ("😀 **b** *i* ~~s~~", ("😀 b i s", [("bold", "b", ""), ("italic", "i", ""), ("strikethrough", "s", "")])),
        ("**a `c` b**", ("a c b", [("bold", "a ", ""), ("code", "c", ""), ("bold", " b", "")])),
        ("**`c`**", ("c", [("code", "c", "")])),
        ("```py\nx\n```", ("x", [("pre", "x", "py")])),
        ("> q `c`", ("q c", [("blockquote", "q c", ""), ("code", "c", "")])),
        ("[t](https://a.b)", ("t", [("text_link", "t", "https://a.b")])),
        (
            "**[😀](http://box:80/) [u](https://a.b)**",
            ("😀 (http://box:80/) u", [("bold", "😀 (http://box:80/) u", ""), ("text_link", "u", "https://a.b")]),
        ),
        ("[a](mailto:x@y.z) **b**", ("a (mailto:x@y.z) b", [("bold", "b", "")])),
        ("[**x**](http://box) y", ("x (http://box) y", [("bold", "x", "")])),
    ],
)
def test_styles_become_entities(markdown: str, expected: tuple[str, list[Any]]) -> None:
    assert shown(markdown) == expected


@given(_MARKDOWN)
def test_entities_never_break_a_rule_of_the_server(markdown: str) -> None:
    found = rendered(markdown)
    assert list(entity_faults(found.text, [each.to_dict() for each in found.entities])) == []
    assert units(found.text) == size(markdown)
    found.text.encode()


def test_no_more_entities_than_the_server_shows() -> None:
    assert len(rendered("*a* " * 150).entities) == MOST
