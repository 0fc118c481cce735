"""From bash's grammar to a list of commands.

The grammar is tree-sitter's, which never fails and marks what it could not place. Where it did, or where it passed over
text without giving it a node, the script is not `ok`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from baton.adapters.shell_syntax.words import text_of, word
from baton.core.shell import Command, Redirect, Script, Word

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

LONGEST = 16 * 1024
"""The parser's time grows with the square of what makes no sense: this much takes two seconds at worst."""
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
    """What was met on the way through the tree, each command once, in the order it stands."""

    def __init__(self, source: bytes) -> None:
        self.commands: list[Command] = []
        self.ok = True
        self._source = source

    def take(self, node: Node, *, piped: bool, depth: int) -> None:
        if depth > DEEPEST or len(self.commands) > MOST:
            self.ok = False
        elif node.type == "command":
            self._command(node, (), piped=piped, depth=depth)
        elif node.type == "redirected_statement":
            self._redirected(node, piped=piped, depth=depth)
        elif node.type == "pipeline":
            self._pipeline(node, piped=piped, depth=depth)
        else:
            self._below(node, piped=piped, depth=depth)

    def _below(self, node: Node, *, piped: bool, depth: int) -> None:
        for child in node.children:
            if child.child_count:
                self.take(child, piped=piped, depth=depth + 1)

    def _pipeline(self, node: Node, *, piped: bool, depth: int) -> None:
        for child in node.children:
            if child.type in _PIPES:
                piped = True
            else:
                self.take(child, piped=piped, depth=depth + 1)

    def _redirected(self, node: Node, *, piped: bool, depth: int) -> None:
        body = node.child_by_field_name("body")
        others = tuple(child for child in node.children if child != body)
        if body is not None and body.type == "command":
            self._command(body, others, piped=piped, depth=depth)
            return
        if body is not None:
            self.take(body, piped=piped, depth=depth + 1)
        self._add((), others, piped=piped)
        for child in others:
            self._below(child, piped=False, depth=depth + 1)

    def _command(self, node: Node, others: tuple[Node, ...], *, piped: bool, depth: int) -> None:
        self.ok = self.ok and not self._passed_over(node)
        words = tuple(word(child) for child in node.children if child.type not in _NO_WORDS)
        self._add(words, (*node.children, *others), piped=piped)
        for child in (*node.children, *others):
            self._below(child, piped=False, depth=depth + 1)

    def _add(self, words: tuple[Word, ...], nodes: tuple[Node, ...], *, piped: bool) -> None:
        inner = [child for node in nodes if node.type == "heredoc_redirect" for child in node.children]
        redirects = tuple(_redirect(node) for node in (*nodes, *inner) if node.type == "file_redirect")
        here = next((self._here(node) for node in nodes if node.type in _HERE), None)
        self.commands.append(Command(words, redirects, piped, here))

    def _here(self, node: Node) -> Word:
        if node.type == "herestring_redirect":
            return word(node.children[-1])
        body = next((child for child in node.children if child.type == "heredoc_body"), None)
        start = next((child for child in node.children if child.type == "heredoc_start"), None)
        if body is None or start is None:
            return Word("", known=False)
        quoted = any(mark in text_of(start) for mark in "'\"\\")
        text = self._source[body.start_byte : body.end_byte].decode(errors="replace")
        return Word(text, known=quoted or not any(mark in text for mark in "$`\\"))

    def _passed_over(self, node: Node) -> bool:
        """Whether there is text between the parts of a command that none of them holds."""
        end = node.start_byte
        for child in node.children:
            if self._source[end : child.start_byte].replace(b"\\\n", b"").strip() not in (b"", b"-"):
                return True
            end = child.end_byte
        return False


def _redirect(node: Node) -> Redirect:
    target = node.children[-1]
    operator = next((child.type for child in node.children if child.type[0] in "<>&"), "")
    return Redirect(operator, word(target))
