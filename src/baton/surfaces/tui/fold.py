"""A line that opens and closes what is below it, by click or key."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Static

from baton.core.display import one_line


class FoldTitle(Static):
    """What it says is never read as markup: it holds words of models and tools."""

    def __init__(self) -> None:
        super().__init__(classes="fold-title")


class Fold(Vertical):
    """A title of one line and a body of any widgets; the body is not drawn while folded."""

    def __init__(self, label: str, *body: Widget, folded: bool, classes: str = "") -> None:
        super().__init__(classes=f"fold {classes}")
        self._label = label
        self._title = FoldTitle()
        self.body = Vertical(*body, classes="fold-body")
        self.folded = folded

    def compose(self) -> ComposeResult:
        yield self._title
        yield self.body

    def on_mount(self) -> None:
        self._redraw()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self._title:
            event.stop()
            self.fold(not self.folded)

    def fold(self, folded: bool) -> None:
        self.folded = folded
        self._redraw()

    @property
    def label(self) -> str:
        return self._label

    @label.setter
    def label(self, text: str) -> None:
        self._label = text
        self._redraw()

    def _redraw(self) -> None:
        self._title.update(
            Text(f"{'▸' if self.folded else '▾'} {one_line(self._label, 400)}", no_wrap=True, overflow="ellipsis")
        )
        self.body.display = not self.folded
