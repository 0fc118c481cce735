"""Regular expressions over bytes, in linear time whatever the text: google-re2 behind a typed front.

Bytes, because positions found by the prefilter are bytes. Compiled on first use: most are never needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any


class Match:
    """Where the groups are; group 0 is the whole."""

    __slots__ = ("_data", "_spans")

    def __init__(self, data: bytes, spans: list[tuple[int, int]]) -> None:
        self._data = data
        self._spans = spans

    def span(self, group: int = 0) -> tuple[int, int]:
        return self._spans[group]

    def start(self, group: int = 0) -> int:
        return self._spans[group][0]

    def end(self, group: int = 0) -> int:
        return self._spans[group][1]

    def groups(self) -> list[tuple[int, int]]:
        """Where the groups after the whole are; -1 for one that did not match."""
        return self._spans[1:]

    def group(self, group: int = 0) -> bytes:
        """Empty for a group that did not match."""
        start, end = self._spans[group]
        return self._data[start:end] if start >= 0 else b""


class Expression:
    """A pattern, compiled when it is first used: modules hold expressions without loading the library."""

    __slots__ = ("_anywhere", "_at_start", "_match", "_whole", "pattern")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._match: Any = None

    def search(self, data: bytes, start: int = 0, end: int | None = None) -> Match | None:
        match = self._match or self._compile()
        size = len(data)
        if end is None or end > size:
            end = size
        if start > end:
            return None
        spans = match(self._anywhere, data, start, end)
        return None if spans[0][0] < 0 else Match(data, spans)

    def match(self, data: bytes, start: int = 0, end: int | None = None) -> Match | None:
        match = self._match or self._compile()
        size = len(data)
        if end is None or end > size:
            end = size
        if start > end:
            return None
        spans = match(self._at_start, data, start, end)
        return None if spans[0][0] < 0 else Match(data, spans)

    def fullmatch(self, data: bytes) -> Match | None:
        match = self._match or self._compile()
        spans = match(self._whole, data, 0, len(data))
        return None if spans[0][0] < 0 else Match(data, spans)

    def finditer(self, data: bytes, start: int = 0, end: int | None = None) -> Iterator[Match]:
        """Matches from left to right, without overlap. Stops after an empty match."""
        while found := self.search(data, start, end):
            yield found
            if start == found.end():
                return
            start = found.end()

    @property
    def groups(self) -> int:
        return len((self._match or self._compile())(self._at_start, b"", 0, 0)) - 1

    def _compile(self) -> Any:
        """The library's inner matcher: its Python wrapper costs several times as much as matching does. For the same
        reason the three ways to match do not share their lines.
        """
        library = re2()
        options = library.Options()
        options.encoding = library.Options.Encoding.LATIN1
        options.log_errors = False
        made = library.compile(self.pattern.encode("ascii"), options)
        kinds = library._re2.RE2.Anchor
        self._anywhere, self._at_start, self._whole = kinds.UNANCHORED, kinds.ANCHOR_START, kinds.ANCHOR_BOTH
        self._match = made._regexp.Match
        return self._match


def re2() -> Any:
    """The library, which has no types of its own."""
    from importlib import import_module

    return import_module("re2")


@cache
def compile_rule(pattern: str) -> Expression:
    """The expression of a rule, cached for ever. Never call it with a pattern made from text."""
    return Expression(pattern)
