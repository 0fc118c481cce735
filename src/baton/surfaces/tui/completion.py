"""Completions of what was typed, and the list that shows them: a command after a slash, a file after an at sign."""

from __future__ import annotations

import os
import re

from rich.text import Text
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from baton.core.value import value
from baton.surfaces.shared.commands import COMMANDS
from baton.surfaces.shared.images import mention

_WORD = re.compile(r"(?<!\S)@([^\s@]*)$")
_MOST = 8


@value
class Offer:
    """`text` replaces the last `length` characters of what was typed. A `whole` one can be sent as it stands."""

    text: str
    about: str
    length: int
    whole: bool = False


def offers(typed: str, files: list[str]) -> list[Offer]:
    """At most a handful, best first."""
    if typed.startswith("/") and " " not in typed and "\n" not in typed:
        return _commands(typed)
    if match := _WORD.search(typed):
        part = match[1].lower()
        fits = sorted((path for path in files if part in path.lower()), key=lambda path: _rank(path, part))
        named = [path for path in fits[:_MOST] if path != match[1]]
        return [Offer(f"{mention(path)} ", "", len(match[0])) for path in named]
    return []


def _commands(typed: str) -> list[Offer]:
    """One that was typed whole comes first, since Enter takes the first: /pin must not run /pins."""
    found = [command for command in COMMANDS if command.name.startswith(typed[1:])]
    if [f"/{each.name}" for each in found] == [typed]:
        return []
    found.sort(key=lambda each: f"/{each.name}" != typed)
    return [Offer(f"/{each.name} ", each.summary, len(typed), whole=each.complete) for each in found]


def _rank(path: str, part: str) -> tuple[bool, bool, int, str]:
    name = os.path.basename(path).lower()
    return (not name.startswith(part), part not in name, len(path), path)


class OfferList(OptionList, can_focus=False):
    """Shown while there is something to offer; the first one is highlighted."""

    def __init__(self) -> None:
        super().__init__(id="offers")
        self._offers: list[Offer] = []
        self.typed = ""

    def show(self, typed: str, files: list[str]) -> bool:
        """Whether anything is offered for what was `typed`."""
        self.typed = typed
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
