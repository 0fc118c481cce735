"""The completions offered for what is being typed, above the prompt."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from baton.surfaces.tui.completion import Offer, offers


class OfferList(OptionList, can_focus=False):
    """Shown while there is something to offer; the first is marked."""

    def __init__(self) -> None:
        super().__init__(id="offers")
        self._offers: list[Offer] = []

    def show(self, typed: str, files: list[str]) -> bool:
        """Whether anything is offered."""
        self._offers = offers(typed, files)
        self.clear_options()
        self.add_options([Option(Text.assemble((each.text, "bold"), "  ", each.about)) for each in self._offers])
        self.set_class(bool(self._offers), "shown")
        self.highlighted = 0 if self._offers else None
        return bool(self._offers)

    def hide(self) -> None:
        self.remove_class("shown")

    @property
    def marked(self) -> Offer | None:
        return self._offers[self.highlighted or 0] if self._offers else None
