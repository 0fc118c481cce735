"""Where the fenced code blocks of a Markdown text are."""

from __future__ import annotations

import re

from baton.core.value import value

_OPENING = re.compile(r"^((?:[ \t]|>|[-*+][ \t]|[0-9]{1,9}[.)][ \t])*)((`{3,})[^`\n]*|(~{3,})[^\n]*)$", re.MULTILINE)
_MARKER = re.compile(r"[^ \t>]")


@value
class Fence:
    """Offsets into the text: the opening line, its first line of code, the closing line (or the end of the text).

    `opening` and `closing` are the lines that open and close it again, without line breaks. `indent` is how far a list
    moves it to the right.
    """

    start: int
    inside: int
    closed: int
    end: int
    opening: str
    closing: str
    indent: int

    def at_margin(self, text: str) -> str:
        """Lines of it as they stand where the list is gone."""
        return re.sub(rf"^[ \t]{{1,{self.indent}}}", "", text, flags=re.MULTILINE) if self.indent else text


def fences(text: str) -> list[Fence]:
    """In order; none overlaps another. A fence that is never closed reaches to the end."""
    found: list[Fence] = []
    at = 0
    while at < len(text) and (opening := _OPENING.search(text, at)):
        found.append(_fence(text, opening))
        at = found[-1].end
    return found


def _fence(text: str, opening: re.Match[str]) -> Fence:
    ticks = opening[3] or opening[4]
    inside = min(opening.end() + 1, len(text))
    closing = re.compile(rf"^[ \t>]*{re.escape(ticks[0])}{{{len(ticks)},}}[ \t]*$", re.MULTILINE).search(text, inside)
    lead = _MARKER.sub(" ", opening[1])
    indent = 0 if lead.strip() else len(lead)
    return Fence(
        opening.start(),
        inside,
        closing.start() if closing else len(text),
        closing.end() if closing else len(text),
        lead[indent:] + opening[2].rstrip(),
        closing[0] if closing else lead + ticks,
        indent,
    )
