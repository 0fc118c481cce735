"""Text to read, over the chat."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from baton.core.display import plain

HELP = "↑↓ PgUp PgDn scroll · Esc close"


class ReadScreen(ModalScreen[None]):
    """Scrolled with the arrows; begins at its end if that is what matters."""

    BINDINGS: ClassVar[list[BindingType]] = [("q,enter", "dismiss", "Close")]

    def __init__(self, title: str, text: str, *, at_end: bool = False) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._at_end = at_end

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(plain(self._title)), classes="dialog-title")
            with VerticalScroll(id="read"):
                yield Static(Text(plain(self._text)))
            yield Static(Text(HELP), classes="dialog-help")

    def on_mount(self) -> None:
        scroll = self.query_one("#read", VerticalScroll)
        scroll.focus()
        if self._at_end:
            self.call_after_refresh(scroll.scroll_end, animate=False)
