"""Many patterns at once, each tried only where a word begins as the pattern does.

Tried one after the other at every place, the tables of a language cost more than the rest of a packet together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from baton.core.handoff.rules.folding import Folded

_GROUP = "(?:"
_QUANTIFIERS = ("?", "*", "{", "+")
_LETTERS = " '-"


class Patterns:
    """Alternatives of one kind. Those that begin with `^` are tried at the beginning only."""

    def __init__(self, lines: Sequence[str], *, spaced: bool) -> None:
        self._at_start = join([line[1:] for line in lines if line.startswith("^")])
        self._starts: dict[str, list[str]] = {}
        self._compiled: dict[str, re.Pattern[str]] = {}
        rest: list[str] = []
        for line in lines:
            starts = find_starts(line) if spaced else frozenset[str]()
            for start in starts:
                self._starts.setdefault(start, []).append(line)
            if not starts and not line.startswith("^"):
                rest.append(line)
        self._rest = join(rest, r"\b" if spaced else "")

    def matches(self, sentence: Folded) -> bool:
        return next(self.find_spans(sentence), None) is not None

    def count(self, sentence: Folded, most: int) -> int:
        """How many places match that do not overlap, up to `most`."""
        found, reached = 0, 0
        for start, end in self.find_spans(sentence):
            found += start >= reached
            reached = max(reached, end)
            if found == most:
                break
        return found

    def find_spans(self, sentence: Folded) -> Iterator[tuple[int, int]]:
        """The places that match, where they begin and end."""
        text = sentence.text
        if self._at_start is not None and (match := self._at_start.match(text)):
            yield match.span()
        known = self._starts
        for at in sentence.starts if known else ():
            if (text[at : at + 2] in known or text[at] in known) and (match := self._match(text, at)):
                yield match.span()
        if self._rest is not None:
            for match in self._rest.finditer(text):
                yield match.span()

    def match_at(self, text: str, at: int) -> bool:
        """Whether one of them matches at this place."""
        return self._match(text, at) is not None or (self._rest is not None and self._rest.match(text, at) is not None)

    def _match(self, text: str, at: int) -> re.Match[str] | None:
        for start in (text[at : at + 2], text[at : at + 1]):
            if start in self._starts and (match := self._compile(start).match(text, at)):
                return match
        return None

    def _compile(self, start: str) -> re.Pattern[str]:
        if start not in self._compiled:
            self._compiled[start] = re.compile("|".join(f"(?:{each})" for each in self._starts[start]))
        return self._compiled[start]


def join(patterns: Sequence[str], edge: str = "") -> re.Pattern[str] | None:
    return re.compile(f"{edge}(?:{'|'.join(f'(?:{each})' for each in patterns)})") if patterns else None


def find_starts(pattern: str) -> frozenset[str]:
    """The one or two letters that a match can begin with; empty if that cannot be told."""
    parts = _alternatives(pattern)
    if len(parts) == 1 and pattern.startswith(_GROUP):
        end = _closing(pattern)
        parts = [] if pattern[end + 1 : end + 2] in _QUANTIFIERS else _alternatives(pattern[len(_GROUP) : end])
    elif len(parts) == 1:
        return _literal(pattern)
    each = [find_starts(part) for part in parts]
    return frozenset[str]().union(*each) if all(each) else frozenset()


def _literal(pattern: str) -> frozenset[str]:
    if not pattern[:1].isalnum() or pattern[1:2] in _QUANTIFIERS:
        return frozenset()
    second = pattern[1:2]
    plain = (second.isalnum() or second in _LETTERS) and pattern[2:3] not in _QUANTIFIERS
    return frozenset({pattern[:2] if second and plain else pattern[0]})


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
