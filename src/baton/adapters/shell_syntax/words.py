"""A word of the syntax tree as the program would see it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from baton.core.shell import Word

if TYPE_CHECKING:
    from tree_sitter import Node

_PATTERN = re.compile(r"(?<!\\)[*?\[]")
_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
_IN_QUOTES = re.compile(r"\\([\"\\$`\n])")
_ANSI = re.compile(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|c.|.)", re.DOTALL)
_CONTROLS = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def text_of(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def word(node: Node) -> Word:
    """The text with its quotes taken off. What only the shell could tell is given as written, and is not `known`."""
    source = text_of(node)
    kind = node.type
    if kind in ("word", "number", "variable_name"):
        return Word(_ESCAPE.sub(_plain, source), _PATTERN.search(source) is None)
    if kind == "raw_string":
        return Word(source[1:-1])
    if kind == "ansi_c_string":
        return Word(_ANSI.sub(_ansi, source[2:-1]))
    if kind == "string":
        simple = all(child.type in ('"', "string_content") for child in node.children)
        return Word(_IN_QUOTES.sub(_plain, source[1:-1]), simple)
    if kind == "concatenation":
        parts = [word(child) for child in node.children]
        known = all(part.known for part in parts) and not _has_braces(source)
        return Word("".join(part.text for part in parts), known)
    if kind == "command_name" and node.child_count == 1:
        return word(node.children[0])
    return Word(source, known=False)


def _has_braces(source: str) -> bool:
    """Whether the shell may make several words of it."""
    return "{" in source and "}" in source and ("," in source or ".." in source)


def _plain(match: re.Match[str]) -> str:
    return "" if match[1] == "\n" else match[1]


def _ansi(match: re.Match[str]) -> str:
    escape = match[1]
    if escape[0] in "xuU" and len(escape) > 1:
        code = int(escape[1:], 16)
        return chr(code) if code < 0x110000 else "\ufffd"
    if escape[0] in "01234567":
        return chr(int(escape, 8) & 0xFF)
    return chr(ord(escape[1]) & 31) if escape[0] == "c" and len(escape) > 1 else _CONTROLS.get(escape, escape)
