"""A packet before it is used: read it, then start, edit or cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Markdown, Static

from baton.core.display import plain

if TYPE_CHECKING:
    from baton.surfaces.handoffs import Review

START, EDIT, CANCEL = "start", "edit", "cancel"
TITLE = "Go on in a fresh session with this packet?"
HELP = "Enter start the new session · e edit in your editor · c or Esc cancel · ↑↓ scroll"


class ReviewScreen(ModalScreen[str]):
    """Answers with start, edit or cancel; with nothing when it is closed some other way."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter,s,y", "answer('start')", "Start"),
        ("e", "answer('edit')", "Edit"),
        ("c,n", "answer('cancel')", "Cancel"),
    ]

    def __init__(self, review: Review) -> None:
        super().__init__()
        self._review = review

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(TITLE), classes="dialog-title")
            for line in self._review.lines:
                yield Static(Text(plain(line)), classes="score")
            with VerticalScroll(id="read"):
                yield Markdown(plain(self._review.markdown), open_links=False)
            yield Static(Text(HELP), classes="dialog-help")

    def on_mount(self) -> None:
        self.query_one("#read", VerticalScroll).focus()

    def action_answer(self, answer: str) -> None:
        self.dismiss(answer)
