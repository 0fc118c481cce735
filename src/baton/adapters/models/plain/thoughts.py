"""Thoughts that a model writes into its text."""

from __future__ import annotations

from collections.abc import Iterator

from baton.ports.model import Reasoning, Text

_BEGIN, _END = "<think>", "</think>"


class Thoughts:
    """Open models without a parser of their server's put their thoughts before the answer, between two marks that come
    as one token each. Marks further inside are text.
    """

    def __init__(self) -> None:
        self._said = False
        self._thinking = False
        self._thought = False

    def split(self, text: str) -> Iterator[Text | Reasoning]:
        if not self._said and not self._thinking and text.lstrip().startswith(_BEGIN):
            self._thinking = self._thought = True
            text = text.lstrip().removeprefix(_BEGIN)
        if self._thinking:
            thought, end, text = text.partition(_END)
            self._thinking = not end
            if thought:
                yield Reasoning(thought)
        if not self._said and self._thought:
            text = text.lstrip()
        if text:
            self._said = True
            yield Text(text)
