"""An answer as it streams: blocks of Markdown, the thinking before it folded to a line."""

from __future__ import annotations

import time

from rich.text import Text
from textual.widget import Widget
from textual.widgets import Static

from baton.core.display import plain
from baton.surfaces.tui.blocks import Block, Blocks, tail
from baton.surfaces.tui.fold import Fold
from baton.surfaces.tui.painted import BlockView

THOUGHT_LINES = 3
THINKING = "Thinking…"
THOUGHT = "Thought for {seconds:.0f} s"


class ThoughtView(Fold):
    """The end of the model's thinking while it thinks, all of it for who unfolds it later."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._since = time.monotonic()
        self._shown = Static(classes="reasoning")
        super().__init__(THINKING, self._shown, folded=False, classes="thought")

    def feed(self, text: str) -> None:
        self._text.append(text)

    def draw(self) -> None:
        _, end = tail(plain("".join(self._text[-200:])).strip(), THOUGHT_LINES)
        self._shown.update(Text(end[-400:], style="italic"))

    def end(self) -> None:
        self.label = THOUGHT.format(seconds=time.monotonic() - self._since)
        self._shown.update(Text(plain("".join(self._text)).strip(), style="italic"))
        self.fold(True)


class AnswerView(Widget):
    """Takes text as often as it comes; it is drawn at the next `draw`.

    Nothing here waits: the frame's clock and the turn's events both call it, and neither may come between.
    """

    def __init__(self) -> None:
        super().__init__(classes="answer")
        self._blocks = Blocks()
        self._pending: list[str] = []
        self._view: BlockView | None = None
        self._thought: ThoughtView | None = None
        self._thinking = False
        self.text = ""

    def feed(self, text: str) -> None:
        self._pending.append(text)

    def think(self, text: str) -> None:
        if self._thought is None:
            self._thought = ThoughtView()
            self.mount(self._thought)
        self._thought.feed(text)
        self._thinking = True

    def draw(self) -> None:
        """What came since the last time."""
        if self._thinking and self._thought:
            self._thought.draw()
            self._thinking = False
        if not self._pending:
            return
        text, self._pending = "".join(self._pending), []
        if self._thought and not self.text:
            self._thought.end()
        self.text += text
        for block in self._blocks.feed(text):
            self._view_for(block).finish(block)
        if (block := self._blocks.open).text:
            self._view_for(block).show(block)

    def end(self) -> None:
        """Nothing more will come."""
        self.draw()
        if self._thought and not self.text:
            self._thought.end()
        for block in self._blocks.end():
            self._view_for(block).finish(block)

    def _view_for(self, block: Block) -> BlockView:
        """Where this block goes: few widgets, for each costs at every frame."""
        if self._view is None or not self._view.takes(block):
            if self._view is not None:
                self._view.show(None)
            self._view = BlockView()
            self.mount(self._view)
        return self._view
