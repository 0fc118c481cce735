"""A packet before it is used: read it beside its score, then start, edit, compare or cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Markdown, Static

from baton.core.display import plain

if TYPE_CHECKING:
    from baton.surfaces.shared.handoffs import Review

START, EDIT, CANCEL, COMPARE = "start", "edit", "cancel", "compare"
TITLE = "Go on in a fresh session with this packet?"
HELP = "Enter start · e edit in $EDITOR · d compare with the last packet · Esc cancel"


class ReviewScreen(ModalScreen[str]):
    """Answers with start, edit, compare or cancel; with nothing when it is closed some other way."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter,s,y", "answer('start')", "Start"),
        ("e", "answer('edit')", "Edit"),
        ("d", "answer('compare')", "Compare"),
        ("c,n", "answer('cancel')", "Cancel"),
    ]

    def __init__(self, review: Review) -> None:
        super().__init__()
        self._review = review

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(TITLE), classes="dialog-title")
            with Horizontal(id="review"):
                with VerticalScroll(id="read"):
                    yield Markdown(plain(self._review.markdown), open_links=False)
                yield Static(self._side(), id="score")
            yield Static(Text(HELP), classes="dialog-help")

    def on_mount(self) -> None:
        self.query_one("#read", VerticalScroll).focus()

    def action_answer(self, answer: str) -> None:
        self.dismiss(answer)

    def _side(self) -> Text:
        side = Text()
        for name, kept, total in self._review.classes:
            side.append(f"{name:<16} {kept}/{total}\n", style="" if kept == total else "bold red")
        score = self._review.score
        side.append(f"\nclaims struck    {score['unsupported_claims']}\nstale            {score['stale_items']}\n")
        side.append(f"tokens           {score['tokens']:,} of {score['budget']:,}\n")
        if self._review.removed:
            side.append("\nremoved\n" + "".join(f"  {plain(kind)}\n" for kind in self._review.removed))
        if self._review.doubt:
            side.append(f"\n{plain(self._review.doubt)}\n", style="yellow")
        return side
