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

PAGE = 150


class Painted(Widget):
    """Subclasses say what is painted; `repaint` when that has changed."""

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
        text = self._painted(width).plain
        return text.count("\n") + 1 if text else 0

    def render(self) -> Content:
        return self._painted(self.content_size.width)

    def _painted(self, width: int) -> Content:
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


class CodeView(Painted):
    """Text with a language, such as a diff."""

    def __init__(self, text: str, language: str, classes: str = "") -> None:
        super().__init__(classes)
        self._text = text
        self._language = language

    def content(self, width: int, *, dark: bool) -> Content:
        return self.paint(code(self._text, self._language, dark=dark), width)


class BlockView(Painted):
    """Blocks of an answer: one of code, or as much prose as makes a page. What is finished is painted once."""

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
        """The block that is not finished yet, if any."""
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
