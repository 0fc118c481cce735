"""Many patterns at once, each tried only where a word begins with its first letter.

Tried one after the other at every place, the tables of a language cost more than the rest of a packet together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from baton.core.handoff.rules.folding import Folded

_GROUP = "(?:"
_QUANTIFIERS = ("?", "*", "{")


class Patterns:
    """Alternatives of one kind. Those that begin with `^` are tried at the beginning only."""

    def __init__(self, lines: Sequence[str], *, spaced: bool) -> None:
        self._at_start = join([line[1:] for line in lines if line.startswith("^")])
        self._by_letter: dict[str, list[str]] = {}
        self._compiled: dict[str, re.Pattern[str] | None] = {}
        rest: list[str] = []
        for line in lines:
            letters = find_initials(line) if spaced else frozenset[str]()
            for letter in letters:
                self._by_letter.setdefault(letter, []).append(line)
            if not letters and not line.startswith("^"):
                rest.append(line)
        self._rest = join(rest, r"\b" if spaced else "")

    def matches(self, sentence: Folded) -> bool:
        return next(self.find_spans(sentence), None) is not None

    def count(self, sentence: Folded, most: int) -> int:
        """How many of them are found, up to `most`."""
        found = 0
        for _ in self.find_spans(sentence):
            found += 1
            if found == most:
                break
        return found

    def find_spans(self, sentence: Folded) -> Iterator[tuple[int, int]]:
        """The places that match, where they begin and end."""
        text = sentence.text
        if self._at_start is not None and (match := self._at_start.match(text)):
            yield match.span()
        if self._by_letter:
            for at in sentence.starts:
                pattern = self._pattern(text[at])
                if pattern is not None and (match := pattern.match(text, at)):
                    yield match.span()
        if self._rest is not None:
            for match in self._rest.finditer(text):
                yield match.span()

    def match_at(self, text: str, at: int) -> bool:
        """Whether one of them matches at this place."""
        pattern = self._pattern(text[at]) if at < len(text) else None
        if pattern is not None and pattern.match(text, at):
            return True
        return self._rest is not None and self._rest.match(text, at) is not None

    def _pattern(self, letter: str) -> re.Pattern[str] | None:
        if letter not in self._compiled:
            self._compiled[letter] = join(self._by_letter.get(letter, []))
        return self._compiled[letter]


def join(patterns: Sequence[str], edge: str = "") -> re.Pattern[str] | None:
    return re.compile(f"{edge}(?:{'|'.join(f'(?:{each})' for each in patterns)})") if patterns else None


def find_initials(pattern: str) -> frozenset[str]:
    """The letters that a match can begin with; empty if that cannot be told."""
    parts = _alternatives(pattern)
    if len(parts) == 1 and pattern.startswith(_GROUP):
        end = _closing(pattern)
        parts = [] if pattern[end + 1 : end + 2] in _QUANTIFIERS else _alternatives(pattern[len(_GROUP) : end])
    elif len(parts) == 1:
        return frozenset(pattern[0] if pattern[:1].isalnum() and pattern[1:2] not in _QUANTIFIERS else "")
    each = [find_initials(part) for part in parts]
    return frozenset[str]().union(*each) if all(each) else frozenset()


def _closing(pattern: str) -> int:
    """Where the group that a pattern begins with is closed."""
    for at, depth in _depths(pattern):
        if depth == 0 and pattern[at] == ")":
            return at
    return len(pattern)


def _alternatives(pattern: str) -> list[str]:
    cuts = [at for at, depth in _depths(pattern) if depth == 0 and pattern[at] == "|"]
    return [pattern[a + 1 : b] for a, b in zip([-1, *cuts], [*cuts, len(pattern)], strict=True)]


def _depths(pattern: str) -> Iterator[tuple[int, int]]:
    """Each place outside classes that is not escaped, and how many groups are open after it."""
    depth = at = 0
    inside = False
    while at < len(pattern):
        mark = pattern[at]
        if mark == "\\":
            at += 2
            continue
        inside = mark == "[" if not inside else mark != "]"
        if not inside and mark != "]":
            depth += (mark == "(") - (mark == ")")
            yield at, depth
        at += 1
