"""Anchors: short patterns that say where a layer has to look, and the layers that ask for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from baton.adapters.redaction.span import Span
from baton.adapters.redaction.work import Work
from baton.core.value import value

Hit = tuple[int, int]
"""Which of a layer's anchors matched, and where it ended."""
_TOGETHER = 25
"""Words in one anchor; more would be slow to compile."""


@value
class Anchor:
    pattern: str
    caseless: bool = False


def longest_first(word: str) -> tuple[int, str]:
    """An order that every process agrees on: what is compiled from it is kept in a file under its hash."""
    return -len(word), word


def word_anchors(words: Iterable[str]) -> list[Anchor]:
    """Anchors at any of these words: whole ones in any case, or, in scripts without capitals, as they are."""
    ordered = sorted(set(words), key=longest_first)
    plain = [re.escape(word) for word in ordered if word.isascii()]
    other = ["".join(f"\\x{byte:02x}" for byte in word.encode()) for word in ordered if not word.isascii()]
    return [
        *(Anchor(rf"\b(?:{'|'.join(group)})\b", caseless=True) for group in _groups(plain)),
        *(Anchor("|".join(group)) for group in _groups(other)),
    ]


def _groups(words: Sequence[str]) -> Iterator[Sequence[str]]:
    return (words[at : at + _TOGETHER] for at in range(0, len(words), _TOGETHER))


class Layer(Protocol):
    def anchors(self) -> Sequence[Anchor]: ...

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterable[Span]:
        """What to cut, given its own anchors' hits. Asks `work` before each close look."""
        ...

    def kinds(self) -> Iterable[str]:
        """Every kind its spans may have."""
        ...
