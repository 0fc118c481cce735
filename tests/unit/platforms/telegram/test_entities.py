"""Markdown as entities that the server takes as they are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.platforms.telegram.entities import MOST_ENTITIES, render, size
from tests.support.platforms.telegram.calling import called_by
from tests.support.platforms.telegram.rules import entity_faults, units

_WORDS = ["**", "*", "`", "~~", "> ", "# ", "- ", "\n", "\n\n", "```\n", "[", "](https://a.b/c)", "](http://local)"]
_MARKDOWN = st.lists(
    st.sampled_from([*_WORDS, "a", "😀", " ", "@olga", "@", "x y", "\ud800", "|", "1. "]), max_size=40
).map("".join)


def shown(markdown: str) -> tuple[str, list[tuple[str, str, str]]]:
    """The text, and each entity with its type, its words and its detail."""
    found = render(markdown)
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
    found = render(markdown)
    assert list(entity_faults(found.text, [each.to_dict() for each in found.entities])) == []
    assert units(found.text) == size(markdown)
    found.text.encode()


def test_no_more_entities_than_the_server_shows() -> None:
    assert len(render("*a* " * 150).entities) == MOST_ENTITIES


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("@olga 😀 @all", ("@\u200bolga 😀 @\u200ball", [])),
        ("**😀 @olga** *x*", ("😀 @\u200bolga x", [("bold", "😀 @\u200bolga", ""), ("italic", "x", "")])),
        ("@*olga* @**olga**", ("@\u200bolga @\u200bolga", [("italic", "olga", ""), ("bold", "olga", "")])),
        ("`@a` @b `c`", ("@a @\u200bb c", [("code", "@a", ""), ("code", "c", "")])),
        ("@`a`", ("@\u200ba", [("code", "a", "")])),
        ("```py\n@fixture\n```", ("@fixture", [("pre", "@fixture", "py")])),
        ("[@olga](https://a.b)", ("@\u200bolga", [("text_link", "@\u200bolga", "https://a.b")])),
        ("ann@a.b https://a.b/@olga @ x", ("ann@a.b https://a.b/@olga @ x", [])),
    ],
)
def test_in_a_group_nobody_is_called_and_code_and_addresses_stay(
    markdown: str, expected: tuple[str, list[Any]]
) -> None:
    assert shown(markdown) == expected


def test_in_a_chat_of_two_names_stay_as_they_are() -> None:
    assert render("install @types/node, @olga", group=False).text == "install @types/node, @olga"


@given(_MARKDOWN)
def test_what_is_shown_to_the_eye_is_the_same_in_both(markdown: str) -> None:
    group, alone = render(markdown), render(markdown, group=False)
    assert group.text.replace("\u200b", "") == alone.text
    assert len(group.entities) == len(alone.entities)
    assert called_by({"text": group.text, "entities": [each.to_dict() for each in group.entities]}) == []
