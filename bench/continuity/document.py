"""A handoff document as the metric reads it: lines with the heading they stand under, whatever program wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bench.continuity.folding import folded

_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$|^([^-*>#\s`|].{3,120}):$")
_CODE = re.compile(r"``+ ?(.+?) ?``+|`([^`\n]+)`")


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
        self.flat = folded(markdown)
        self.lines = list(_lines(markdown))


def _lines(markdown: str) -> Iterator[Line]:
    heading = ""
    for raw in markdown.splitlines():
        text = raw.strip()
        if found := _HEADING.match(text):
            heading = found[1] or found[2]
        elif text:
            yield Line(heading, folded(text))
