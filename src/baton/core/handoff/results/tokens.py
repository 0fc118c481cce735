"""Shell text as words, operators and redirects. Linear: no text is looked at more than a few times."""

from __future__ import annotations

import re

from baton.core.shell import Word

_TOKEN = re.compile(
    r"(?P<space>(?:[ \t]|\\\n)+)|(?P<newline>\n)|(?P<comment>\#[^\n]*)"
    r"|(?P<redirect>(?:\d{1,3}|\{\w{1,40}\})?(?:<<<|<<-?|<>|<&|>>|>&|>\||&>>|&>|[<>])(?!\())"
    r"|(?P<operator>&&|\|\||;;&?|;&|\|&|[;&|()])"
)
_HERE = re.compile(r"(?<!<)<<-?[ \t]*['\"\\]?(\w{1,60})['\"]?")
_PLAIN = re.compile(r"[^ \t\n'\"\\$`|&;<>()]+")
_PATTERN = re.compile(r"[*?\[{~]")
_EXPANDED = re.compile(r"[$`]")
_IN_DOUBLE = re.compile(r"\\([\"\\$`\n])")


class Token:
    __slots__ = ("end", "here", "kind", "start", "word")

    def __init__(self, kind: str, word: Word, start: int, end: int) -> None:
        self.kind, self.word, self.start, self.end = kind, word, start, end
        self.here = False


class Tokens:
    """Words, operators and redirects in order. The bodies of here-documents are passed over."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Token] = []
        self.ok = True
        self._at = 0
        self._here: list[str] = []
        self._wants_mark = False

    def read(self) -> None:
        while self._at < len(self.text):
            begun = self._at
            match = _TOKEN.match(self.text, begun)
            if match is None:
                self._add("word", self._read_word(), begun)
                continue
            self._at = match.end()
            if match.lastgroup == "newline":
                self._add("operator", Word("\n"), begun)
                self._skip_here_documents()
            elif match.lastgroup in ("operator", "redirect"):
                self._add(match.lastgroup, Word(match[0]), begun)
        self.ok = self.ok and not self._here

    def _add(self, kind: str, word: Word, begun: int) -> None:
        if self._wants_mark and kind == "word":
            self._here.append(word.text)
        bare = word.text.lstrip("0123456789") if kind == "redirect" else ""
        self._wants_mark = bare in ("<<", "<<-")
        self.found.append(Token(kind, word, begun, self._at))

    def _skip_here_documents(self) -> None:
        for mark in self._here:
            self._at = min(self._find_mark(mark, self._at) + 1, len(self.text))
        self._here = []

    def _find_mark(self, mark: str, at: int) -> int:
        """Where the here-document ends that begins behind `at`; the end of the text if it does not."""
        end = re.compile(rf"^[ \t]*{re.escape(mark)}[ \t]*$", re.MULTILINE).search(self.text, at)
        if end is None:
            self.ok = False
        return end.end() if end else len(self.text)

    def _read_word(self) -> Word:
        parts: list[str] = []
        known = True
        while self._at < len(self.text):
            if match := _PLAIN.match(self.text, self._at):
                self._at = match.end()
                parts.append(match[0])
                known = known and _PATTERN.search(match[0]) is None
                continue
            piece = self._read_piece()
            if piece is None:
                break
            parts.append(piece.text)
            known = known and piece.known
        return Word("".join(parts), known)

    def _read_piece(self) -> Word | None:
        """What stands in quotes, behind a backslash or is expanded; None where the word ends."""
        text, at = self.text, self._at
        mark = text[at]
        if mark == "'":
            return Word(self._until("'", at + 1))
        if mark == '"':
            inside = self._double(at + 1)
            return Word(_IN_DOUBLE.sub(r"\1", inside), _EXPANDED.search(inside) is None)
        if mark == "\\":
            self._at = at + 2
            return Word("" if text[at + 1 : at + 2] == "\n" else text[at + 1 : at + 2])
        if mark == "$":
            return self._expansion(at)
        if mark == "`":
            self._until("`", at + 1)
            return Word(text[at : self._at], known=False)
        if mark in "<>" and text[at + 1 : at + 2] == "(":
            self._balance("(", ")", at + 1)
            return Word(text[at : self._at], known=False)
        return None

    def _expansion(self, at: int) -> Word:
        following = self.text[at + 1 : at + 2]
        if following == "'":
            return Word(self._until("'", at + 2, escapes=True))
        if following == "(":
            self._balance("(", ")", at + 1)
        elif following == "{":
            self._balance("{", "}", at + 1)
        else:
            self._at = at + 1
        return Word(self.text[at : self._at], known=False)

    def _until(self, mark: str, at: int, *, escapes: bool = False) -> str:
        end = self.text.find(mark, at)
        while escapes and end > 0 and self.text[end - 1] == "\\":
            end = self.text.find(mark, end + 1)
        if end < 0:
            self.ok, end = False, len(self.text)
        self._at = min(end + 1, len(self.text))
        return self.text[at:end]

    def _double(self, at: int) -> str:
        """What stands between double quotes, with substitutions inside it passed over."""
        begun, text = at, self.text
        while at < len(text):
            if text[at] == '"':
                self._at = at + 1
                return text[begun:at]
            if text[at] == "\\":
                at += 2
            elif text.startswith("$(", at):
                self._balance("(", ")", at + 1)
                at = self._at
            else:
                at += 1
        self.ok, self._at = False, len(text)
        return text[begun:]

    def _balance(self, opening: str, closing: str, at: int) -> None:
        """Moves behind the bracket that closes the one at `at`. Quotes inside may hold any."""
        depth, text = 0, self.text
        while at < len(text):
            mark = text[at]
            if mark == "\\":
                at += 1
            elif mark == "<" and (match := _HERE.match(text, at)):
                at = self._find_mark(match[1], match.end()) - 1
            elif mark in "'\"" and (end := text.find(mark, at + 1)) > 0:
                at = end
            elif mark == opening:
                depth += 1
            elif mark == closing:
                depth -= 1
                if not depth:
                    self._at = at + 1
                    return
            at += 1
        self.ok, self._at = False, len(text)
