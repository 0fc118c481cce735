"""An answer as it streams: blocks of Markdown, with the thinking before it folded to a line."""

from __future__ import annotations

import time

from rich.console import RenderableType
from rich.markdown import Markdown
from rich.text import Text
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from baton.core.display import plain
from baton.surfaces.tui.blocks import Block, Blocks, tail
from baton.surfaces.tui.widgets import Fold, RichWidget, code

THOUGHT_LINES = 3
THINKING = "Thinking…"
THOUGHT = "Thought for {seconds:.0f} s"
PAGE = 150


class ThoughtView(Fold):
    """The end of the model's thinking while it thinks; afterwards all of it, folded."""

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
    """Text may be added at any time; it is drawn at the next `draw`.

    Nothing here awaits: the frame timer and the turn's events both call it, and neither may interrupt the other.
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
        """Draws what came since the last time."""
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
        """The widget this block goes to. There are few of them, because each costs time in every frame."""
        if self._view is None or not self._view.takes(block):
            if self._view is not None:
                self._view.show(None)
            self._view = BlockView()
            self.mount(self._view)
        return self._view


class BlockView(RichWidget):
    """Blocks of an answer: one of code, or about a page of prose. Finished blocks are painted once."""

    def __init__(self) -> None:
        super().__init__("block")
        self._done: list[Block] = []
        self._pictures: list[Content] = []
        self._painted_for: tuple[int, bool] | None = None
        self._open: Block | None = None
        self._lines = 0

    def takes(self, block: Block) -> bool:
        """Whether the next block belongs here."""
        if self._done:
            return block.language is None and self._done[0].language is None and self._lines < PAGE
        return self._open is None or (self._open.language is None) == (block.language is None)

    def finish(self, block: Block) -> None:
        self._done.append(block)
        self._lines += block.text.count("\n") + 1
        self.show(None)

    def show(self, block: Block | None) -> None:
        """Shows the block that is not finished yet, if any."""
        self._open = block
        first = self._done[0] if self._done else block
        if first is not None:
            self.set_class(first.language is not None, "code")
            self.set_class(first.continues, "continues")
        self.repaint()

    def content(self, width: int, *, dark: bool) -> Content:
        if self._painted_for != (width, dark):
            self._painted_for, self._pictures = (width, dark), []
        for block in self._done[len(self._pictures) :]:
            self._pictures.append(self.paint(_picture(block, dark=dark), width))
        whole = Content()
        blocks = [*self._done, *([self._open] if self._open else [])]
        pictures = [*self._pictures, *([self.paint(_picture(self._open, dark=dark), width)] if self._open else [])]
        for block, picture in zip(blocks, pictures, strict=True):
            if picture:
                whole += (("\n" if block.continues else "\n\n") if whole else "") + picture
        return whole


def _picture(block: Block, *, dark: bool) -> RenderableType:
    if block.language is not None:
        return code(block.text, block.language, dark=dark)
    return Markdown(plain(block.text), code_theme="ansi_dark" if dark else "ansi_light", hyperlinks=False)
