"""A growing answer, cut into finished blocks and the one that is still open.

A block ends at a blank line, a code fence is a block of its own, and a very long block is cut between two lines.
Finished blocks are rendered once; only the open one, which is short, is drawn again while text streams in. So the cost
of a long answer stays linear.
"""

from __future__ import annotations

import re

from baton.core.value import value

LONGEST = 40
_FENCE = re.compile(r"(`{3,}|~{3,})\s*([^\s`{]*)")


@value
class Block:
    """Markdown, or the text of a code fence with its `language`. `continues` a block that was cut."""

    text: str
    language: str | None = None
    continues: bool = False


class Blocks:
    """Feed it text; take what is finished."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._rest = ""
        self._fence = ""
        self._language: str | None = None
        self._continues = False

    def feed(self, text: str) -> list[Block]:
        """Adds text; returns the blocks it finished, in order."""
        *lines, self._rest = (self._rest + text).split("\n")
        finished: list[Block] = []
        for line in lines:
            finished += self._take(line)
        return finished

    @property
    def open(self) -> Block:
        """The block that is not finished, as far as it has come."""
        rest = "" if self._fence and self._rest.strip().startswith(self._fence) else self._rest
        return Block("\n".join([*self._lines, rest]), self._language, self._continues)

    def end(self) -> list[Block]:
        """Returns what is left when no more text will come."""
        finished = self.feed("\n") if self._rest else []
        return [*finished, *self._cut()]

    def _take(self, line: str) -> list[Block]:
        if self._fence:
            return self._in_fence(line)
        if found := _FENCE.match(line):
            before = self._cut()
            self._fence, self._language = found[1], found[2]
            return before
        if not line.strip():
            return self._cut()
        self._lines.append(line)
        return self._cut(continues=True) if len(self._lines) >= LONGEST and not line.startswith("|") else []

    def _in_fence(self, line: str) -> list[Block]:
        if line.strip().startswith(self._fence) and not line.strip().strip(self._fence[0]):
            finished = self._cut()
            self._fence, self._language = "", None
            return finished
        self._lines.append(line)
        return self._cut(continues=True) if len(self._lines) >= LONGEST else []

    def _cut(self, *, continues: bool = False) -> list[Block]:
        """The open block, now finished, unless it is empty."""
        made = [Block("\n".join(self._lines), self._language, self._continues)] if self._lines else []
        self._lines, self._continues = [], continues
        return made


def code_of(answer: str) -> list[str]:
    """The code blocks of an answer, the last one first."""
    blocks = Blocks()
    found: list[str] = []
    for block in [*blocks.feed(answer), *blocks.end()]:
        if block.language is None:
            continue
        if block.continues:
            found[-1] += f"\n{block.text}"
        else:
            found.append(block.text)
    return found[::-1]


def tail(text: str, lines: int) -> tuple[int, str]:
    """The last lines of a text, and how many were left out."""
    parts = text.split("\n")
    hidden = max(0, len(parts) - lines)
    return hidden, "\n".join(parts[hidden:])
