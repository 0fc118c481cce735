"""A tool call in the transcript: its title, its state and its output."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from typing import Any

from rich.text import Text
from textual.app import ComposeResult
from textual.widgets import Static

from baton.core.display import one_line, plain
from baton.surfaces.shared.call_end import describe_call_end, shown_output
from baton.surfaces.tui.blocks import tail
from baton.surfaces.tui.widgets import CodeView, Fold
from baton.surfaces.words import chat as words

OUTPUT_LINES = 30
LAST_LINES = 3
_QUIET = ("read", "list", "search", "recall", "show", "write", "edit", "plan", "fetch")
"""Of these nobody needs to see the end: what they give is for the model, or is told in a form of its own."""
_KEPT = 400
_SLOW = 2.0


class ToolView(Fold):
    """Open while it runs; folded if it succeeded and changed nothing. Folded, the last lines of what a command printed
    still show.
    """

    def __init__(self, tool: str, title: str) -> None:
        self.tool = tool
        self._heading = one_line(title or tool, 300)
        self._since = time.monotonic()
        self._pieces: deque[str] = deque(maxlen=_KEPT)
        self._left_out = 0
        self._dirty = False
        self._output = Static(classes="output")
        self._last = Static(classes="output last")
        self._last.display = False
        super().__init__(f"⋯ {self._heading}", self._output, folded=False, classes="tool")

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield self._last

    @property
    def title(self) -> str:
        return self.label

    def feed(self, text: str) -> None:
        """Adds output; it is drawn at the next `draw`."""
        for line in text.splitlines(keepends=True):
            if len(self._pieces) == _KEPT:
                self._left_out += self._pieces[0].count("\n")
            self._pieces.append(line)
        self._dirty = True

    def draw(self) -> None:
        if (seconds := time.monotonic() - self._since) >= _SLOW:
            self.label = f"⋯ {self._heading} · {seconds:.0f} s"
        if self._dirty:
            self._dirty = False
            self._output.update(_tail(self._output_text(), self._left_out))

    def _output_text(self) -> str:
        return plain("".join(self._pieces)).rstrip("\n")

    async def finish(self, text: str, details: Mapping[str, Any], *, ok: bool) -> None:
        seconds = time.monotonic() - self._since
        took = f" · {seconds:.0f} s" if seconds >= _SLOW else ""
        end = describe_call_end(self.tool, text, details, ok=ok)
        self.set_class(not end.ok, "failed")
        note = f" · {end.note}" if end.note else ""
        self.label = f"{'✓' if end.ok else '✗'} {self._heading}{note}{took}"
        if diff := details.get("diff"):
            await self._output.remove()
            await self.body.mount(CodeView(str(diff), "diff", "output"))
        else:
            printed = f"{self._output_text()}\n" if details.get("cancelled") and self._pieces else ""
            said = shown_output(plain(text))
            self._output.update(_tail(printed + said, 0))
            quiet = self.tool in _QUIET or details.get("refused")
            self._last.update("" if quiet else Text(_last_lines(said, end.note)))
        self.fold((end.ok or bool(details.get("refused"))) and not diff)

    def fold(self, folded: bool) -> None:
        super().fold(folded)
        self._last.display = folded and bool(str(self._last.content))


def _last_lines(text: str, note: str) -> str:
    """The last lines that say something the title does not, each within the width of a screen."""
    lines = [line.rstrip() for line in text.split("\n") if line.strip() and line.strip("= ") != note]
    return "\n".join(lines[-LAST_LINES:])


def _tail(text: str, left_out: int) -> Text:
    hidden, shown = tail(text, OUTPUT_LINES)
    hidden += left_out
    return Text((f"{words.LINES_HIDDEN.format(count=hidden)}\n" if hidden else "") + shown)
