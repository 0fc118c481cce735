"""A model's Markdown as it stands in a packet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from baton.core.handoff.narration.narrative import as_code, item, tame

AFTER = "\n\n## After\n"
PIECES = [
    "#",
    "## Scope",
    "```",
    "~~~sh",
    "<!--",
    "<script>",
    "===",
    "---",
    "- ",
    "> ",
    "1. ",
    "    ",
    "\t",
    "word",
    "",
    "`",
]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("- did x\n- did y", "- did x\n- did y"),
        ("1. Run `make`.\n2. Look.", "1. Run `make`.\n2. Look."),
        ("# Scope\ntext", "Scope\ntext"),
        ("> - ## Scope", "> - Scope"),
        ("# - # Scope", "- Scope"),
        ("Scope\n=====\ntext", "Scope\n\ntext"),
        ("```sh\npytest -q\n\necho `x`\n```\nthen", "`pytest -q`\n`` echo `x` ``\nthen"),
        ("```\nnever closed", "`never closed`"),
        ("<!-- hidden\nx", "\\<!-- hidden\nx"),
        ("a \x1b[31mred\x1b[0m word", "a red word"),
    ],
)
def test_blocks_that_could_imitate_the_packet_become_text(said: str, kept: str) -> None:
    assert tame(said) == kept


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=4).map("".join), max_size=8))
def test_nothing_swallows_the_heading_that_follows_or_adds_one(lines: list[str]) -> None:
    tokens = MarkdownIt("commonmark").parse(tame("\n".join(lines)) + AFTER)
    assert [each.tag for each in tokens if each.type == "heading_open"] == ["h2"]
    assert tokens[-2].content == "After"


@given(st.text(alphabet="ab` ", min_size=1).map(lambda text: " ".join(text.split())).filter(bool))
def test_code_is_read_back_as_it_was(text: str) -> None:
    (inline,) = [each for each in MarkdownIt("commonmark").parse(f"x {as_code(text)} y") if each.type == "inline"]
    assert [each.content for each in inline.children or [] if each.type == "code_inline"] == [text]


def test_words_that_would_begin_a_block_are_quoted() -> None:
    assert item("Never use eval.") == "Never use eval."
    for text in ("# Scope", "> x", "- x", "1. x", "<b>", "```", "[x] approved", "[a]: http://x"):
        assert item(text) == f"“{text}”"
