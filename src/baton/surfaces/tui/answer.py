"""An answer as it streams: blocks of Markdown, with the thinking before it folded to a line."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from typing import ClassVar, cast

from markdown_it import MarkdownIt
from rich.console import JustifyMethod
from rich.markdown import Heading as RichHeading
from rich.markdown import Markdown, MarkdownElement
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.app import App
from textual.strip import Strip
from textual.widgets import Static

from baton.core.display import plain
from baton.surfaces.tui.blocks import Block, Blocks, tail
from baton.surfaces.tui.code import Line, paint_code
from baton.surfaces.tui.palette import Palette
from baton.surfaces.tui.widgets import Fold, Grows, LinesView, paint_rich
from baton.surfaces.words import chat as words

THOUGHT_LINES = 3
MARGIN = 2
CALM, PER_LINE, LONGEST = 0.08, 0.05, 0.3
"""Seconds between two frames that scroll, each of which draws the whole screen anew: the more lines come at once, the
fewer frames a reader could follow. A frame that only makes the last line longer is drawn as soon as it is asked for.
"""


class ThoughtView(Fold):
    """The end of the model's thinking while it thinks; afterwards all of it, folded."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._since = time.monotonic()
        self._shown = Static(classes="reasoning")
        super().__init__(words.REASONING, self._shown, folded=False, classes="thought")

    def feed(self, text: str) -> None:
        self._text.append(text)

    def draw(self) -> None:
        _, end = tail(plain("".join(self._text[-200:])).strip(), THOUGHT_LINES)
        self._shown.update(Text(end[-400:], style="italic"))

    def end(self) -> None:
        self.label = words.THOUGHT.format(seconds=time.monotonic() - self._since)
        self._shown.update(Text(plain("".join(self._text)).strip(), style="italic"))
        self.fold(True)


class AnswerView(Grows):
    """Text may be added at any time; it is drawn at the next `draw`.

    Nothing here awaits: the frame timer and the turn's events both call it, and neither may interrupt the other.
    """

    def __init__(self) -> None:
        super().__init__(classes="answer")
        self._blocks = Blocks()
        self._pending: list[str] = []
        self._view: BlocksView | None = None
        self._thought: ThoughtView | None = None
        self._thinking = False
        self._next = 0.0
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
        """Draws what came since the last time, unless it scrolled a moment ago."""
        if time.monotonic() >= self._next:
            self._draw()

    def _draw(self) -> None:
        if self._thinking and self._thought:
            self._thought.draw()
            self._thinking = False
        if not self._pending:
            return
        text, self._pending = "".join(self._pending), []
        if self._thought and not self.text:
            self._thought.end()
        self.text += text
        self._show(self._blocks.feed(text), self._blocks.open)

    def end(self) -> None:
        """Nothing more will come."""
        self._draw()
        if self._thought and not self.text:
            self._thought.end()
        self._show(self._blocks.end(), None)

    def _show(self, finished: Sequence[Block], still_open: Block | None) -> None:
        if self._view is None and (finished or (still_open and still_open.text)):
            self._view = BlocksView()
            self.mount(self._view)
        if self._view is not None and (more := self._view.show(finished, still_open)):
            self._next = time.monotonic() + min(LONGEST, CALM + PER_LINE * abs(more))


class Heading(RichHeading):
    LEVEL_ALIGN: ClassVar[dict[str, JustifyMethod]] = {}


class Prose(Markdown):
    """Rich's, with headings at the left. It would make a parser for each text, which takes longer than the parsing."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "heading_open": Heading}

    def __init__(self, text: str) -> None:
        self.__dict__.update(_defaults().__dict__)
        self.markup = text
        self.parsed = _parser().parse(text)


@cache
def _defaults() -> Markdown:
    return Markdown("", hyperlinks=False)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt().enable("strikethrough").enable("table")


class BlocksView(LinesView):
    """The blocks of an answer. What is finished is painted once; only the open block is painted in every frame."""

    def __init__(self) -> None:
        super().__init__("blocks")
        self._done: list[Block] = []
        self._open: Block | None = None
        self._rows: list[Line] = []
        self._rows_of = 0
        self._rows_for: object = None

    def show(self, finished: Sequence[Block], still_open: Block | None) -> int:
        """Adds finished blocks; the open one takes the place of the one before. How many lines there are more."""
        self._done += finished
        self._open = still_open if still_open and still_open.text else None
        return self.repaint(len(self._rows))

    def paint(self, width: int, palette: Palette) -> Sequence[Line]:
        if self._rows_for != (width, palette.name):
            self._rows_for, self._rows, self._rows_of = (width, palette.name), [], 0
        for block in self._done[self._rows_of :]:
            self._rows += self._paint(block, width, palette)
        self._rows_of = len(self._done)
        return [*self._rows, *self._paint(self._open, width, palette)] if self._open else self._rows

    def _paint(self, block: Block, width: int, palette: Palette) -> list[Line]:
        """One block, with the blank line before it."""
        if block.language is None:
            rows = paint_rich(cast("App[object]", self.app), Prose(plain(block.text)), width, palette)  # pyright: ignore[reportUnknownMemberType]
        else:
            rows = _paint_fence(block, width, palette)
        gap = [] if block.continues or not rows else [list[Segment]()]
        return [*gap, *rows]


def _paint_fence(block: Block, width: int, palette: Palette) -> list[Line]:
    """Code on a ground of its own, which reaches to the edge."""
    ground = Style(bgcolor=palette.raised)
    rows = paint_code(block.text, block.language or "", width - 2 * MARGIN, palette)
    left = Segment(" " * MARGIN, ground)
    return [list(Strip([left, *row]).apply_style(ground).adjust_cell_length(width, ground)) for row in rows]
