"""Shell text taken apart: simple commands, the pipelines they stand in, and the operators that join those.

Linear in the text, and never fails: what could not be read leaves `ok` false. The grammar of the risk check is exact
and costs a parser; this one is for thousands of recorded commands, most of them plain.
"""

from __future__ import annotations

import re

from baton.core.handoff.results.tokens import Token, Tokens
from baton.core.shell import Word
from baton.core.value import value

LONGEST = 20_000
DEEPEST = 12
MOST = 200
AND, OR, THEN, MAYBE = "&&", "||", ";", "?"
"""How a pipeline comes to run: after success, after failure, in any case, or nobody can tell."""


@value
class Simple:
    """A program with its words, the files it sends output to, and how it was written."""

    words: tuple[Word, ...]
    writes: tuple[str, ...] = ()
    text: str = ""


@value
class Group:
    """A list that runs as one command, or if `loose`, the inside of a loop or a condition."""

    body: Script
    loose: bool = False


@value
class Pipeline:
    elements: tuple[Simple | Group, ...]
    joined: str = THEN
    negated: bool = False
    background: bool = False


@value
class Script:
    pipelines: tuple[Pipeline, ...]
    ok: bool = True


_ENDS = frozenset({"then", "do", "else", "elif", "fi", "done", "esac", "}"})
_LOOSE = {"if": "fi", "while": "done", "until": "done", "for": "done", "select": "done", "case": "esac"}
_HEADED = ("for", "select", "case")
_RESERVED = frozenset({*_ENDS, *_LOOSE, "function", "[[", "!"})
_ERRORS = re.compile(r" 2>(?:&1|[ ]?/dev/null)(?= |$)")
_SPECIAL = re.compile(r"['\"\\$`(){}#\n<>*?\[~]")
_OPERATOR = re.compile(r"(&&|\|\||\|&|[|;&])")


def read_script(text: str) -> Script:
    """The script of a command as it was given to a shell; of a very long one, its beginning."""
    return _read_plain(text) or _read_any(text)


def _read_plain(text: str) -> Script | None:
    """Most commands: words and operators, nothing quoted or expanded. None for any other."""
    bare = _ERRORS.sub("", text)
    if len(text) > LONGEST or _SPECIAL.search(bare):
        return None
    found: list[Pipeline] = []
    elements: list[Simple | Group] = []
    joined = THEN
    for piece in (*_OPERATOR.split(bare), THEN):
        if piece in ("|", "|&"):
            continue
        if piece in (AND, OR, THEN, "&"):
            if elements:
                found.append(Pipeline(tuple(elements), joined, background=piece == "&"))
            joined, elements = THEN if piece == "&" else piece, []
        elif words := piece.split():
            if words[0] in _RESERVED:
                return None
            elements.append(Simple(tuple(map(Word, words)), (), piece.strip()))
    return Script(tuple(found)) if len(found) < MOST else None


def _read_any(text: str) -> Script:
    tokens = Tokens(text[:LONGEST])
    tokens.read()
    reader = _Reader(tokens)
    script = reader.read_list(frozenset(), 0)
    whole = tokens.ok and reader.ok and len(text) <= LONGEST and reader.at == len(tokens.found)
    return Script(script, whole)


class _Reader:
    """Pipelines from tokens, by descent; too deep or too many leave the rest unread."""

    def __init__(self, tokens: Tokens) -> None:
        self._text = tokens.text
        self._tokens = tokens.found
        self.at = 0
        self.ok = True
        self._count = 0

    def read_list(self, ends: frozenset[str], depth: int) -> tuple[Pipeline, ...]:
        found: list[Pipeline] = []
        joined = THEN
        while (token := self._peek()) is not None and not self._is_end(token, ends):
            if token.kind == "operator" and token.word.text != "(":
                if token.word.text == ")":
                    break
                joined = self._join(token.word.text, joined, found)
                self.at += 1
                continue
            begun = self.at
            pipeline = self._read_pipeline(ends, joined, depth)
            if pipeline.elements:
                found.append(pipeline)
            joined = THEN
            if self.at == begun:
                self.at += 1
        return tuple(found)

    def _join(self, operator: str, joined: str, found: list[Pipeline]) -> str:
        if operator in (AND, OR):
            return operator
        if operator == "&" and found:
            last = found[-1]
            found[-1] = Pipeline(last.elements, last.joined, last.negated, background=True)
        return joined if operator == "\n" and joined in (AND, OR) else THEN

    def _read_pipeline(self, ends: frozenset[str], joined: str, depth: int) -> Pipeline:
        elements: list[Simple | Group] = []
        negated = False
        while (token := self._peek()) is not None and not self._is_end(token, ends):
            text = token.word.text
            if token.kind == "word" and text == "!" and not elements:
                negated, self.at = not negated, self.at + 1
            elif (token.kind == "operator" and text in ("|", "|&")) or (
                token.kind == "operator" and text == "\n" and self._follows_pipe()
            ):
                self.at += 1
            elif token.kind == "operator" and text != "(":
                break
            else:
                begun = self.at
                elements += self._read_element(depth)
                if self.at == begun:
                    break
        return Pipeline(tuple(elements), joined, negated)

    def _follows_pipe(self) -> bool:
        return self.at > 0 and self._tokens[self.at - 1].word.text in ("|", "|&")

    def _read_element(self, depth: int) -> list[Simple | Group]:
        token = self._tokens[self.at]
        text = token.word.text
        self._count += 1
        if depth > DEEPEST or self._count > MOST:
            self.ok, self.at = False, len(self._tokens)
            return []
        if text == "(" and token.kind == "operator":
            return [self._read_group(frozenset(), ")", depth)]
        if text == "{" and token.kind == "word":
            return [self._read_group(frozenset({"}"}), "}", depth)]
        if token.kind == "word" and text in _LOOSE:
            return [self._read_loose(_LOOSE[text], depth, headed=text in _HEADED)]
        return self._read_simple()

    def _read_group(self, ends: frozenset[str], closing: str, depth: int) -> Group:
        self.at += 1
        body = self.read_list(ends, depth + 1)
        self._close(closing)
        return Group(Script(body))

    def _read_loose(self, closing: str, depth: int, *, headed: bool) -> Group:
        """A loop or condition: the commands in it, of which nobody can tell whether they ran."""
        self.at += 1
        found: list[Pipeline] = []
        if headed:
            self._skip_head()
        while (token := self._peek()) is not None and token.word.text != closing:
            begun = self.at
            found += self.read_list(_ENDS, depth + 1)
            if (token := self._peek()) is not None and token.word.text != closing:
                self.at += 1
            if self.at == begun:
                self.at += 1
        self._close(closing)
        return Group(Script(tuple(found)), loose=True)

    def _skip_head(self) -> None:
        """The name and the words of `for x in a b`; of `case x in`, to `in`."""
        while (token := self._peek()) is not None and token.kind == "word" and token.word.text not in ("do", "in"):
            self.at += 1
        if token is not None and token.word.text == "in":
            while (token := self._peek()) is not None and token.kind == "word":
                self.at += 1

    def _close(self, closing: str) -> None:
        token = self._peek()
        if token is None or token.word.text != closing:
            self.ok = False
            return
        self.at += 1
        while (token := self._peek()) is not None and token.kind == "redirect":
            self.at += 2

    def _read_simple(self) -> list[Simple | Group]:
        words: list[Word] = []
        writes: list[str] = []
        start = self._tokens[self.at].start
        end = start
        while (token := self._peek()) is not None and (token.kind != "operator" or _is_open_test(words)):
            self.at += 1
            end = token.end
            if token.kind == "word" or _is_open_test(words):
                words.append(token.word)
            elif (target := self._peek()) is not None and target.kind == "word":
                self.at += 1
                end = target.end
                if ">" in token.word.text and not token.word.text.startswith("2") and not token.word.text.endswith("&"):
                    writes.append(target.word.text)
        if words and self._is_function():
            self.at += 2
            return []
        return [Simple(tuple(words), tuple(writes), self._text[start:end])] if words or writes else []

    def _is_function(self) -> bool:
        return [token.word.text for token in self._tokens[self.at : self.at + 2]] == ["(", ")"]

    def _peek(self) -> Token | None:
        return self._tokens[self.at] if self.at < len(self._tokens) else None

    def _is_end(self, token: Token, ends: frozenset[str]) -> bool:
        return token.kind == "word" and token.word.text in ends


def _is_open_test(words: list[Word]) -> bool:
    """Whether these words begin `[[ … ]]`, in which operators join no commands."""
    return bool(words) and words[0].text == "[[" and words[-1].text != "]]"
