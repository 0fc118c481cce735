"""Anchors: short patterns that say where a layer has to look, and the layers that ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from baton.adapters.redaction.span import Span
from baton.adapters.redaction.work import Work
from baton.core.value import value

Hit = tuple[int, int]
"""Which of a layer's anchors matched, and where it ended."""


@value
class Anchor:
    pattern: str
    caseless: bool = False


class Layer(Protocol):
    def anchors(self) -> Sequence[Anchor]: ...

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterable[Span]:
        """What to cut, given its own anchors' hits. Asks `work` before each close look."""
        ...

    def kinds(self) -> Iterable[str]:
        """Every kind its spans may have."""
        ...
