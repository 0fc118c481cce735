"""Widgets that others are made of: a line that folds what is below it, and lines that are painted once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from rich.cells import cell_len
from rich.console import RenderableType
from rich.style import Style
from textual import events
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from baton.core.display import one_line
from baton.surfaces.tui.code import Line, paint_code
from baton.surfaces.tui.diff import paint_diff
from baton.surfaces.tui.palette import PALETTES, Palette, markdown_theme

_SIGNS = {"✓": "bold $good", "✗": "bold $bad", "⋯": "bold $accent"}


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
        if text != self._label:
            self._label = text
            self._redraw()

    def _redraw(self) -> None:
        label = one_line(self._label, 400)
        sign = next((sign for sign in _SIGNS if label.startswith(f"{sign} ")), "")
        arrow = "▸ " if self.folded else "▾ "
        self._title.update(
            Content.assemble((arrow, "$muted"), (sign, _SIGNS.get(sign, "")), label[len(sign) :]), layout=False
        )
        self.body.display = not self.folded


class Grows(Widget):
    """A widget whose height is measured by its container. Textual lays the whole screen out once more when one has got
    another virtual size; here that changes nothing, and it would double the cost of every line that comes.
    """

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False, repaint=False)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Its ground alone: what it contains draws itself over it."""
        strip = Strip.blank(crop.width, self.visual_style.rich_style)
        for each in self.get_line_filters():
            strip = strip.apply_filter(each, self.background_colors[1])
        return [strip] * crop.height


class LinesView(Grows):
    """Lines that are made once for a width and a theme; only those on the screen are ever finished.

    A long transcript costs what is seen of it: a finished line is kept whole, as the terminal gets it. Textual's own
    cache, which is emptied whenever a widget grows, is left out. Subclasses give `paint`, and call `repaint` when
    something has changed. It has no border and no padding: lines carry their own.
    """

    def __init__(self, classes: str = "") -> None:
        super().__init__(classes=classes)
        self._painted: tuple[tuple[int, str], Sequence[Line]] | None = None
        self._finished: dict[int, Strip] = {}
        self._finished_for: object = None

    def paint(self, width: int, palette: Palette) -> Sequence[Line]:
        """All lines, none of them wider than `width`."""
        raise NotImplementedError

    def repaint(self, first: int = 0) -> int:
        """Something has changed from line `first` on. Returns how many lines there are more. Nothing is laid out again
        while there are as many as before: most frames of an answer only make its last line longer.
        """
        before = len(self._painted[1]) if self._painted else 0
        self._painted = None
        for number in [number for number in self._finished if number >= first]:
            del self._finished[number]
        width = self.size.width
        more = (len(self._lines(width)) - before) if width else 1
        if more:
            self.refresh(layout=True)
        else:
            self.refresh(Region(0, first, width, before - first))
        return more

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        del container, viewport
        return len(self._lines(width))

    def get_selection(self, selection: Selection) -> tuple[str, str]:
        text = "\n".join("".join(piece.text for piece in line).rstrip() for line in self._lines(self.size.width))
        return selection.extract(text), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        del selection
        self._finished.clear()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        return self.render_lines(Region(0, y, self.size.width, 1))[0]

    def render_lines(self, crop: Region) -> list[Strip]:
        width, base = self.size.width, self.visual_style.rich_style
        now = (width, base, _palette(self).name)
        if self._finished_for != now:
            self._finished_for, self._finished = now, {}
        lines = self._lines(width)
        strips = [self._finish(number, lines, width, base) for number in crop.line_range]
        whole = crop.column_span == (0, width)
        return strips if whole else [strip.crop(*crop.column_span) for strip in strips]

    def _lines(self, width: int) -> Sequence[Line]:
        palette = _palette(self)
        made_for = (max(1, width), palette.name)
        if self._painted is None or self._painted[0] != made_for:
            self._painted = (made_for, self.paint(made_for[0], palette))
        return self._painted[1]

    def _finish(self, number: int, lines: Sequence[Line], width: int, base: Style) -> Strip:
        """The line as it goes to the terminal: on its ground, with what is selected, and knowing its place."""
        strip = self._finished.get(number)
        if strip is None:
            strip = Strip(lines[number] if number < len(lines) else []).apply_style(base)
            strip = strip.adjust_cell_length(width, base)
            if self.is_attached and (selection := self.text_selection) is not None:
                strip = self._mark(strip, selection.get_span(number))
            for each in self.get_line_filters():
                strip = strip.apply_filter(each, self.background_colors[1])
            strip = self._finished[number] = strip.apply_offsets(0, number)
        return strip

    def _mark(self, strip: Strip, span: tuple[int, int] | None) -> Strip:
        if span is None:
            return strip
        text = strip.text
        start, end = span[0], len(text) if span[1] == -1 else span[1]
        cuts = [cell_len(text[:start]), cell_len(text[:end]), strip.cell_length]
        before, chosen, after = strip.divide(cuts)
        return Strip.join(
            [before, chosen.apply_style(self.screen.get_component_rich_style("screen--selection")), after]
        )


def _palette(widget: Widget) -> Palette:
    return PALETTES[cast("App[object]", widget.app).theme]  # pyright: ignore[reportUnknownMemberType]


def paint_rich(app: App[object], picture: RenderableType, width: int, palette: Palette) -> list[Line]:
    """What Rich makes of it, without blank lines at either end."""
    console = app.console
    options = console.options.update(width=width, highlight=False)
    with console.use_theme(markdown_theme(palette)):
        lines = console.render_lines(picture, options, pad=False)
    filled = [number for number, line in enumerate(lines) if any(segment.text.strip() for segment in line)]
    return lines[filled[0] : filled[-1] + 1] if filled else []


class CodeView(LinesView):
    """Text with a language, such as a diff."""

    def __init__(self, text: str, language: str, classes: str = "") -> None:
        super().__init__(f"code-view {classes}")
        self._text = text
        self._language = language

    def paint(self, width: int, palette: Palette) -> Sequence[Line]:
        if self._language == "diff":
            return paint_diff(self._text, width, palette)
        return paint_code(self._text, self._language, width, palette)
