"""A growing answer, cut into finished blocks and the one that is still open.

A block ends at a blank line outside a code fence. Finished blocks are rendered once; only the open one is drawn again
while text streams in, so the cost of a long answer stays linear.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r"^\s{0,3}(```|~~~)", re.MULTILINE)
CHUNK = 40


class Blocks:
    """Feed it text; take what is finished."""

    def __init__(self) -> None:
        self._open = ""

    @property
    def open(self) -> str:
        return self._open

    def feed(self, text: str) -> list[str]:
        """What this text finished: whole blocks, in order."""
        self._open += text
        finished: list[str] = []
        while (end := self._boundary()) is not None:
            finished.append(self._open[:end])
            self._open = self._open[end:]
        return finished

    def end(self) -> str:
        """What is left when nothing more will come."""
        left, self._open = self._open, ""
        return left

    def _boundary(self) -> int | None:
        """Where the first blank line outside a fence ends."""
        start = 0
        while (found := self._open.find("\n\n", start)) != -1:
            if len(_FENCE.findall(self._open, 0, found + 1)) % 2 == 0:
                return found + 2
            start = found + 1
        return None


def tail(text: str, lines: int) -> tuple[int, str]:
    """The last lines of a text, and how many were left out."""
    parts = text.split("\n")
    hidden = max(0, len(parts) - lines)
    return hidden, "\n".join(parts[hidden:])
