"""Widgets that others are made of: a line that folds what is below it, and Rich output as text that can be copied."""

from __future__ import annotations

from typing import cast

from rich.console import RenderableType
from rich.syntax import Syntax
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from baton.core.display import one_line, plain


class FoldTitle(Static):
    """Its text is never read as markup: it holds words of models and tools."""

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


class RichWidget(Widget):
    """Painted again when the width or the theme changes. Subclasses say what; call `repaint` when that has changed."""

    def __init__(self, classes: str = "") -> None:
        super().__init__(classes=classes)
        self._kept: tuple[tuple[int, bool], Content] | None = None

    def content(self, width: int, *, dark: bool) -> Content:
        raise NotImplementedError

    def repaint(self) -> None:
        self._kept = None
        self.clear_cached_dimensions()
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        del container, viewport
        text = self._paint_cached(width).plain
        return text.count("\n") + 1 if text else 0

    def render(self) -> Content:
        return self._paint_cached(self.content_size.width)

    def _paint_cached(self, width: int) -> Content:
        now = (max(1, width), _app(self).current_theme.dark)
        if self._kept is None or self._kept[0] != now:
            self._kept = (now, self.content(now[0], dark=now[1]))
        return self._kept[1]

    def paint(self, picture: RenderableType, width: int) -> Content:
        console = _app(self).console
        options = console.options.update(width=width, highlight=False)
        lines = [
            Text.assemble(*((segment.text, segment.style or "") for segment in line))
            for line in console.render_lines(picture, options, pad=False)
        ]
        for line in lines:
            line.rstrip()
        return Content.from_rich_text(Text("\n").join(_trim(lines)), console)


def _app(widget: Widget) -> App[object]:
    return cast("App[object]", widget.app)  # pyright: ignore[reportUnknownMemberType]


def _trim(lines: list[Text]) -> list[Text]:
    """Removes blank lines at either end."""
    filled = [number for number, line in enumerate(lines) if line.plain.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def code(text: str, language: str, *, dark: bool) -> Syntax:
    theme = "ansi_dark" if dark else "ansi_light"
    return Syntax(plain(text), language or "text", theme=theme, background_color="default", word_wrap=True)


class CodeView(RichWidget):
    """Text with a language, such as a diff."""

    def __init__(self, text: str, language: str, classes: str = "") -> None:
        super().__init__(classes)
        self._text = text
        self._language = language

    def content(self, width: int, *, dark: bool) -> Content:
        return self.paint(code(self._text, self._language, dark=dark), width)
