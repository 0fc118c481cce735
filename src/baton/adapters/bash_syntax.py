"""Shell text, read by tree-sitter's grammar of bash, as a list of commands and their words.

The grammar is tree-sitter's, which never fails and marks what it could not place. Where it did, or where it passed over
text without giving it a node, the script is not `ok`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from baton.core.shell import Command, Redirect, Script, Word

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

LONGEST = 16 * 1024
"""The parser's time grows with the square of the text it cannot parse: this much takes two seconds at worst."""
DEEPEST = 200
MOST = 5_000
_PIPES = ("|", "|&")
_HERE = ("heredoc_redirect", "herestring_redirect")
_NO_WORDS = (*_HERE, "file_redirect", "variable_assignment", "variable_assignments", "comment")


class BashSyntax:
    def parse(self, command: str) -> Script:
        source = command.encode(errors="surrogatepass")
        if len(source) > LONGEST or "\0" in command:
            return Script((), ok=False)
        root = _parser().parse(source).root_node
        found = _Found(source)
        found.take(root, piped=False, depth=0)
        return Script(tuple(found.commands), ok=found.ok and not root.has_error)


@cache
def _parser() -> Parser:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


class _Found:
    """Collects the commands of the tree, each once, in the order of the text."""

    def __init__(self, source: bytes) -> None:
        self.commands: list[Command] = []
        self.ok = True
        self._source = source

    def take(self, node: Node, *, piped: bool, depth: int) -> None:
        if depth > DEEPEST or len(self.commands) > MOST:
            self.ok = False
        elif node.type == "command":
            self._take_command(node, (), piped=piped, depth=depth)
        elif node.type == "redirected_statement":
            self._take_redirected(node, piped=piped, depth=depth)
        elif node.type == "variable_assignment":
            self.commands.append(Command((), assigned=(_assignment(node),)))
            self._take_children(node, piped=False, depth=depth)
        elif node.type == "pipeline":
            self._take_pipeline(node, piped=piped, depth=depth)
        else:
            self._take_children(node, piped=piped, depth=depth)

    def _take_children(self, node: Node, *, piped: bool, depth: int) -> None:
        for child in node.children:
            if child.child_count:
                self.take(child, piped=piped, depth=depth + 1)

    def _take_pipeline(self, node: Node, *, piped: bool, depth: int) -> None:
        for child in node.children:
            if child.type in _PIPES:
                piped = True
            else:
                self.take(child, piped=piped, depth=depth + 1)

    def _take_redirected(self, node: Node, *, piped: bool, depth: int) -> None:
        body = node.child_by_field_name("body")
        others = tuple(child for child in node.children if child != body)
        if body is not None and body.type == "command":
            self._take_command(body, others, piped=piped, depth=depth)
            return
        if body is not None:
            self.take(body, piped=piped, depth=depth + 1)
        self._add((), others, piped=piped)
        for child in others:
            self._take_children(child, piped=False, depth=depth + 1)

    def _take_command(self, node: Node, others: tuple[Node, ...], *, piped: bool, depth: int) -> None:
        self.ok = self.ok and not self._has_gap(node)
        words = tuple(read_word(child) for child in node.children if child.type not in _NO_WORDS)
        self._add(words, (*node.children, *others), piped=piped)
        for child in (*node.children, *others):
            self._take_children(child, piped=False, depth=depth + 1)

    def _add(self, words: tuple[Word, ...], nodes: tuple[Node, ...], *, piped: bool) -> None:
        inner = [child for node in nodes if node.type == "heredoc_redirect" for child in node.children]
        files = [node for node in (*nodes, *inner) if node.type == "file_redirect"]
        redirects = tuple(map(_redirect, files))
        words += tuple(read_word(child) for node in files for child in node.children_by_field_name("destination")[1:])
        here = next((self._here(node) for node in nodes if node.type in _HERE), None)
        assigned = tuple(_assignment(node) for node in nodes if node.type == "variable_assignment")
        self.commands.append(Command(words, redirects, piped, here, assigned))

    def _here(self, node: Node) -> Word:
        if node.type == "herestring_redirect":
            return read_word(node.children[-1])
        body = next((child for child in node.children if child.type == "heredoc_body"), None)
        start = next((child for child in node.children if child.type == "heredoc_start"), None)
        if body is None or start is None:
            return Word("", known=False)
        quoted = any(mark in text_of(start) for mark in "'\"\\")
        text = self._source[body.start_byte : body.end_byte].decode(errors="replace")
        return Word(text, known=quoted or not any(mark in text for mark in "$`\\"))

    def _has_gap(self, node: Node) -> bool:
        """Whether there is text between the parts of a command that belongs to none of them."""
        end = node.start_byte
        for child in node.children:
            if self._source[end : child.start_byte].replace(b"\\\n", b"").strip() not in (b"", b"-"):
                return True
            end = child.end_byte
        return False


def _assignment(node: Node) -> Word:
    held = read_word(node.children[-1]) if node.child_count > 2 else Word("")
    return Word(f"{text_of(node.children[0])}={held.text}", held.known)


def _redirect(node: Node) -> Redirect:
    """What follows the first word behind the operator belongs to the command, though the grammar counts it here."""
    target = (node.children_by_field_name("destination") or node.children[-1:])[0]
    operator = next((child.type for child in node.children if child.type[0] in "<>&"), "")
    return Redirect(operator, read_word(target))


_PATTERN = re.compile(r"(?<!\\)[*?\[]")
_ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
_IN_QUOTES = re.compile(r"\\([\"\\$`\n])")
_ANSI = re.compile(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|c.|.)", re.DOTALL)
_CONTROLS = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def text_of(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def read_word(node: Node) -> Word:
    """The text without its quotes. What only the shell could expand is returned as written, and is not `known`."""
    source = text_of(node)
    kind = node.type
    if kind in ("word", "number", "variable_name"):
        return Word(_ESCAPE.sub(_unescape, source), _PATTERN.search(source) is None)
    if kind == "raw_string":
        return Word(source[1:-1])
    if kind == "ansi_c_string":
        return Word(_ANSI.sub(_ansi, source[2:-1]))
    if kind == "string":
        simple = all(child.type in ('"', "string_content") for child in node.children)
        return Word(_IN_QUOTES.sub(_unescape, source[1:-1]), simple)
    if kind == "concatenation":
        parts = [read_word(child) for child in node.children]
        known = all(part.known for part in parts) and not _has_braces(source)
        return Word("".join(part.text for part in parts), known)
    if kind == "command_name" and node.child_count == 1:
        return read_word(node.children[0])
    return Word(source, known=False)


def _has_braces(source: str) -> bool:
    """Whether the shell may make several words of it."""
    return "{" in source and "}" in source and ("," in source or ".." in source)


def _unescape(match: re.Match[str]) -> str:
    return "" if match[1] == "\n" else match[1]


def _ansi(match: re.Match[str]) -> str:
    escape = match[1]
    if escape[0] in "xuU" and len(escape) > 1:
        code = int(escape[1:], 16)
        return chr(code) if code < 0x110000 else "\ufffd"
    if escape[0] in "01234567":
        return chr(int(escape, 8) & 0xFF)
    return chr(ord(escape[1]) & 31) if escape[0] == "c" and len(escape) > 1 else _CONTROLS.get(escape, escape)
