"""A handoff document as the metric reads it: lines with the heading they stand under, whatever program wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bench.continuity.fact import Fact
from bench.continuity.folding import bare, folded

_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$|^([^-*>#\s`|].{3,120}):$")
_CODE = re.compile(r"``+ ?(.+?) ?``+|`([^`\n]+)`")
_BESIDE = 160


@dataclass(frozen=True, slots=True)
class Line:
    heading: str
    text: str

    @property
    def quoted(self) -> bool:
        return self.text.startswith(">")

    def spans(self) -> list[str]:
        """What is set in code marks."""
        return [first or second for first, second in _CODE.findall(self.text)]


class Document:
    def __init__(self, markdown: str) -> None:
        self.markdown = markdown
        self.flat = bare(markdown)
        self.lines = list(_lines(markdown))

    def has(self, fact: Fact) -> bool:
        """Whether a fact is there, and in its sense where the words beside it decide that."""
        if not fact.within(self.flat):
            return False
        return not fact.near or self._says_beside(fact)

    def _says_beside(self, fact: Fact) -> bool:
        """On its line, in the heading over it, or right before or behind it in the text."""
        near = re.compile(fact.near, re.IGNORECASE)
        for line in self.lines:
            if all(each in bare(line.text) for each in fact.probes) and near.search(f"{line.heading} {line.text}"):
                return True
        place = self.flat.find(fact.probes[0])
        return near.search(self.flat[max(0, place - _BESIDE) : place + len(fact.text) + _BESIDE]) is not None


def _lines(markdown: str) -> Iterator[Line]:
    heading = ""
    for raw in markdown.splitlines():
        text = raw.strip()
        if found := _HEADING.match(text):
            heading = found[1] or found[2]
        elif text:
            yield Line(heading, folded(text))
