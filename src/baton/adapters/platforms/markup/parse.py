"""The one parser. Raw HTML is text, links lead to the web or to mail, and what is nested too deep stays as written.

The time is linear in the length of the text, whatever it holds: nesting is bounded, and there are no references to look
up.
"""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

_DEEPEST = 14
"""Levels of lists and quotes (a list counts twice); text below them stays as it was written."""

_LINK = re.compile(r"(?:https?://|mailto:)[^\s<>\"]+", re.IGNORECASE)
_DIVIDER = re.compile(r"^[ \t>|:-]*\|[ \t|:-]*$", re.MULTILINE)


def parse(markdown: str) -> list[Token]:
    return parser(tables=not _floods(markdown)).parse(markdown)


@cache
def parser(*, tables: bool) -> MarkdownIt:
    made = _Parser("commonmark", {"html": False, "breaks": True, "xhtmlOut": False, "maxNesting": _DEEPEST + 2})
    made.enable(["table", "strikethrough"] if tables else ["strikethrough"])
    made.disable(["reference", "html_block", "html_inline"])
    made.block.ruler.before("table", "too_deep", _too_deep)
    return made


def _floods(markdown: str) -> bool:
    """Whether padding short rows of its tables could make far more cells than there are characters."""
    columns = max((found[0].count("|") for found in _DIVIDER.finditer(markdown)), default=0)
    return columns * markdown.count("\n") > 4 * len(markdown) + 1000


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        return _LINK.fullmatch(url) is not None


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Makes the rest of a container one paragraph of plain text; the library would drop it."""
    if state.level < _DEEPEST or silent:
        return False
    last = start + 1
    while last < end and (state.isEmpty(last) or state.sCount[last] >= state.blkIndent):
        last += 1
    state.push("paragraph_open", "p", 1)
    state.push("inline", "", 0).children = _lines(state.getLines(start, last, state.blkIndent, False))
    state.push("paragraph_close", "p", -1)
    state.line = last
    return True


def _lines(text: str) -> list[Token]:
    found: list[Token] = []
    for line in text.strip("\n").split("\n"):
        found += [Token("softbreak", "br", 0), Token("text", "", 0, content=line)]
    return found[1:]
