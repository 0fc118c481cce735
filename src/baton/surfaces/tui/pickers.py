"""Lists to pick from: models and conversations, narrowed as one types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from baton.core.display import fitted, plain
from baton.core.log.conversation import Row
from baton.core.value import value
from baton.surfaces.cli.sessions import elsewhere, tilde
from baton.surfaces.cli.words import ago, count

if TYPE_CHECKING:
    from baton.surfaces.cli.app import Offered

HELP = "type to narrow · ↑↓ · Enter choose · Esc cancel"
NOTHING = "Nothing fits."
USED = "used now"
WIDEST = 120
MARGINS = 10


@value
class Choice:
    """One row: `key` is given back, `words` are what typing is compared with. A disabled one only informs."""

    key: str
    main: str
    about: str
    words: str
    enabled: bool = True


Other = Callable[[str], "Choice | None"]


class PickScreen(ModalScreen[str | None]):
    """Gives back the chosen key, or None. `other` may make a choice of what was typed itself."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("down", "move(1)", show=False, priority=True),
    ]

    def __init__(self, title: str, choices: Sequence[Choice], other: Other | None = None) -> None:
        super().__init__()
        self._title = title
        self._choices = choices
        self._other = other
        self._shown: list[Choice] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(plain(self._title)), classes="dialog-title")
            yield Input(placeholder="type to narrow", id="narrow")
            yield OptionList(id="choices")
            yield Static(Text(HELP), classes="dialog-help")

    def on_mount(self) -> None:
        self.query_one("#choices", OptionList).can_focus = False
        self._narrow("")
        self.query_one(Input).focus()

    def on_resize(self) -> None:
        self._narrow(self.query_one(Input).value)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._narrow(event.value)

    def on_input_submitted(self) -> None:
        at = self.query_one("#choices", OptionList).highlighted
        if at is not None and at < len(self._shown) and self._shown[at].enabled:
            self.dismiss(self._shown[at].key)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._shown[event.option_index].key)

    def action_move(self, step: int) -> None:
        listed = self.query_one("#choices", OptionList)
        listed.action_cursor_up() if step < 0 else listed.action_cursor_down()

    def _narrow(self, typed: str) -> None:
        words = typed.lower().split()
        self._shown = [each for each in self._choices if all(word in each.words.lower() for word in words)]
        if self._other and (own := self._other(typed.strip())) and own.key not in {each.key for each in self._shown}:
            self._shown.insert(0, own)
        listed = self.query_one("#choices", OptionList)
        listed.clear_options()
        width = min(WIDEST, int(self.app.size.width * 0.96)) - MARGINS  # pyright: ignore[reportUnknownMemberType]
        listed.add_options([Option(_row(each, width), disabled=not each.enabled) for each in self._shown])
        if not self._shown:
            listed.add_option(Option(Text(NOTHING, style="dim"), disabled=True))
        listed.highlighted = next((at for at, each in enumerate(self._shown) if each.enabled), None)


def _row(choice: Choice, width: int) -> Text:
    """On one line, whatever the width."""
    main = min(44, width // 2)
    about = fitted(choice.about, max(1, width - main - 2))
    return Text.assemble((fitted(choice.main, main), "bold" if choice.enabled else "dim"), "  ", (about, "dim"))


def model_choices(offers: Iterable[Offered], current: str) -> list[Choice]:
    """What can be used first; of the others, why not."""
    rows = [_model(offer, current) for offer in offers]
    if current not in {row.key for row in rows}:
        rows.insert(0, Choice(current, current, USED, current))
    return [*(row for row in rows if row.enabled), *(row for row in rows if not row.enabled)]


def _model(offer: Offered, current: str) -> Choice:
    named = not offer.model.endswith(":NAME")
    about = f"{offer.reason}{f' → {offer.fix}' if offer.fix else ''}"
    if offer.usable and not named:
        about += " · type its name"
    if offer.model == current:
        about = f"{USED} · {about}"
    return Choice(offer.model, offer.model, about, f"{offer.model} {about}", enabled=offer.usable and named)


def other_model(typed: str) -> Choice | None:
    """Any `provider:name`."""
    provider, colon, name = typed.partition(":")
    if not (provider and colon and name) or any(c.isspace() for c in typed):
        return None
    return Choice(typed, typed, "as typed", typed)


def conversation_choices(rows: Iterable[Row], now: int) -> list[Choice]:
    return [_conversation(row, now) for row in rows]


def _conversation(row: Row, now: int) -> Choice:
    one = row.conversation
    where = elsewhere(row)
    about = f"{ago(one.updated_at, now)} · {count(row.entries, 'entry', 'entries')} · {tilde(one.workspace)}"
    return Choice(
        one.id, one.title, f"{where} · {about}" if where else about, f"{one.title} {one.workspace} {one.id} {where}"
    )
