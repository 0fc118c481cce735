"""Rich's pictures as text that can be selected and copied, made anew when the width or the theme changes."""

from __future__ import annotations

from typing import cast

from rich.console import RenderableType
from rich.markdown import Markdown
from rich.syntax import Syntax
from rich.text import Text
from textual.app import App
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from baton.core.display import plain
from baton.surfaces.tui.blocks import Block


class Painted(Widget):
    """Subclasses say what is painted; `repaint` when that has changed."""

    def __init__(self, classes: str = "") -> None:
        super().__init__(classes=classes)
        self._kept: tuple[tuple[int, bool], Content] | None = None

    def picture(self, *, dark: bool) -> RenderableType:
        raise NotImplementedError

    def repaint(self) -> None:
        self._kept = None
        self.clear_cached_dimensions()
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        del container, viewport
        text = self._content(width).plain
        return text.count("\n") + 1 if text else 0

    def render(self) -> Content:
        return self._content(self.content_size.width)

    def notify_style_update(self) -> None:
        self._kept = None
        super().notify_style_update()

    def _content(self, width: int) -> Content:
        dark = _app(self).current_theme.dark
        if self._kept is None or self._kept[0] != (width, dark):
            self._kept = ((width, dark), self._paint(max(1, width), dark=dark))
        return self._kept[1]

    def _paint(self, width: int, *, dark: bool) -> Content:
        console = _app(self).console
        options = console.options.update(width=width, highlight=False)
        lines = [
            Text.assemble(*((segment.text, segment.style or "") for segment in line))
            for line in console.render_lines(self.picture(dark=dark), options, pad=False)
        ]
        for line in lines:
            line.rstrip()
        return Content.from_rich_text(Text("\n").join(_trimmed(lines)), console)


def _app(widget: Widget) -> App[object]:
    return cast("App[object]", widget.app)  # pyright: ignore[reportUnknownMemberType]


def _trimmed(lines: list[Text]) -> list[Text]:
    """Without blank lines at either end."""
    filled = [number for number, line in enumerate(lines) if line.plain.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def code(text: str, language: str, *, dark: bool) -> Syntax:
    theme = "ansi_dark" if dark else "ansi_light"
    return Syntax(plain(text), language or "text", theme=theme, background_color="default", word_wrap=True)


class BlockView(Painted):
    """One block of an answer."""

    def __init__(self, block: Block) -> None:
        super().__init__("block")
        self.show(block)

    def show(self, block: Block) -> None:
        """Paints another block in place of the one before."""
        self._block = block
        self.set_class(block.language is not None, "code")
        self.set_class(block.continues, "continues")
        self.repaint()

    def picture(self, *, dark: bool) -> RenderableType:
        if self._block.language is not None:
            return code(self._block.text, self._block.language, dark=dark)
        return Markdown(plain(self._block.text), code_theme="ansi_dark" if dark else "ansi_light", hyperlinks=False)


class CodeView(Painted):
    """Text with a language, such as a diff."""

    def __init__(self, text: str, language: str, classes: str = "") -> None:
        super().__init__(classes)
        self._text = text
        self._language = language

    def picture(self, *, dark: bool) -> RenderableType:
        return code(self._text, self._language, dark=dark)
