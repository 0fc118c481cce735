"""The transcript: what was said and done, newest at the bottom, older parts unmounted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.syntax import Syntax
from rich.text import Text
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Collapsible, Static

from baton.core.display import one_line, plain
from baton.surfaces.tui.blocks import Blocks, tail

MOUNTED = 200
OPEN_LINES = 60
OUTPUT_LINES = 30
OLDER = "… older messages: /transcript shows everything"


class Transcript(VerticalScroll, can_focus=False):
    """Follows its end while the reader is at the end."""

    def on_mount(self) -> None:
        self.anchor()

    async def add(self, widget: Widget) -> None:
        await self.mount(widget)
        if len(self.children) > MOUNTED:
            await self.remove_children(list(self.children)[: len(self.children) - MOUNTED])

    async def clear(self) -> None:
        await self.remove_children()


class UserView(Static):
    def __init__(self, text: str, *, queued: bool = False) -> None:
        super().__init__(Text.assemble(("› ", "bold"), plain(text)), classes="user")
        self.set_class(queued, "queued")


class NoticeView(Static):
    def __init__(self, text: str, level: str = "info") -> None:
        super().__init__(Text(f"◆ {plain(text)}"), classes=f"notice {level}")


class AnswerView(Widget):
    """An answer as it streams: finished blocks as Markdown, the open one as plain text."""

    def __init__(self) -> None:
        super().__init__(classes="answer")
        self._blocks = Blocks()
        self._pending = ""
        self._open = Static(classes="open")
        self._reasoning = Static(classes="reasoning")
        self._thought = ""
        self.text = ""

    def compose(self) -> Any:
        yield self._reasoning
        yield self._open

    def feed(self, text: str) -> None:
        """Takes text as often as it comes; it is drawn at the next `draw`."""
        self._pending += text
        self.text += text

    def think(self, text: str) -> None:
        self._thought += text

    async def draw(self) -> None:
        if self._thought:
            self._reasoning.update(Text(one_line(self._thought[-400:], 200), style="dim italic"))
        if not self._pending:
            return
        pending, self._pending = self._pending, ""
        finished = self._blocks.feed(pending)
        if finished:
            await self._finish("".join(finished))
        hidden, shown = tail(plain(self._blocks.open), OPEN_LINES)
        note = Text(f"… {hidden:,} lines\n", style="dim") if hidden else Text("")
        self._open.update(Group(note, Text(shown)) if hidden else Text(shown))

    async def end(self) -> None:
        await self.draw()
        if left := self._blocks.end():
            await self._finish(left)
        await self._open.remove()
        if not self._thought:
            await self._reasoning.remove()

    async def _finish(self, text: str) -> None:
        await self.mount(Static(markdown(text), classes="block"), before=self._open)


def markdown(text: str) -> RenderableType:
    return Markdown(plain(text), code_theme="ansi_dark", hyperlinks=False)


class ToolView(Collapsible):
    """A tool call that folds: its title and state in one line, what it printed below."""

    def __init__(self, tool: str, title: str) -> None:
        self._output = ""
        self._body = Static(classes="output")
        self._label = one_line(f"{tool}: {title}" if not title.startswith(tool) else title, 100)
        super().__init__(self._body, title=f"⋯ {self._label}", collapsed=False, classes="tool")

    def feed(self, text: str) -> None:
        self._output += text
        hidden, shown = tail(plain(self._output), OUTPUT_LINES)
        self._body.update(Text((f"… {hidden:,} lines\n" if hidden else "") + shown))

    def finish(self, text: str, details: Mapping[str, Any], *, ok: bool) -> None:
        self.title = f"{'✓' if ok else '✗'} {self._label}{_suffix(details)}"
        self.set_class(not ok, "failed")
        self._body.update(_result(text, details))
        self.collapsed = ok and "diff" not in details


def _suffix(details: Mapping[str, Any]) -> str:
    if details.get("refused"):
        return " · refused"
    if "exit" in details:
        return f" · exit {details['exit']}"
    return ""


def _result(text: str, details: Mapping[str, Any]) -> RenderableType:
    if diff := details.get("diff"):
        return Syntax(plain(str(diff)), "diff", theme="ansi_dark", background_color="default", word_wrap=True)
    hidden, shown = tail(plain(text), OUTPUT_LINES)
    return Padding(Text((f"… {hidden:,} lines\n" if hidden else "") + shown), (0, 1))
