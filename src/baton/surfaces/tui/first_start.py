"""The first start without a key: one screen with what there is to work with. Enter takes the small demo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from baton.core.display import fit
from baton.engine.aio import in_thread
from baton.surfaces.shared.formats import shorten_home
from baton.surfaces.shared.setup import DEMO, KEY, KeyProvider, Setup, Way
from baton.surfaces.tui.screens import Choice, PickScreen
from baton.surfaces.words import chat as words
from baton.surfaces.words import setup as asking

if TYPE_CHECKING:
    from baton.surfaces.tui.app import ChatApp

_MARGINS = 12
_WIDEST = 120


class FirstStartScreen(ModalScreen[int]):
    """Returns the row that was chosen; None for later."""

    BINDINGS: ClassVar[list[BindingType]] = [(str(number), f"choose({number})", "") for number in range(1, 10)]

    def __init__(self, ways: Sequence[Way]) -> None:
        super().__init__()
        self._ways = ways

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(asking.QUESTION), classes="dialog-title")
            yield OptionList(id="choices")
            yield Static(Text(words.CHOOSE_HELP), classes="dialog-help")

    def on_mount(self) -> None:
        self._show()
        self.query_one(OptionList).focus()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        listed = self.query_one(OptionList)
        at = listed.highlighted
        listed.clear_options()
        width = min(_WIDEST, int(self.app.size.width * 0.96)) - _MARGINS  # pyright: ignore[reportUnknownMemberType]
        listed.add_options(
            Option(_row(number, way, width), disabled=not way.models) for number, way in enumerate(self._ways, 1)
        )
        usual = max((number for number, way in enumerate(self._ways) if way.models), default=None)
        listed.highlighted = usual if at is None else at

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)

    def action_choose(self, number: int) -> None:
        if number <= len(self._ways) and self._ways[number - 1].models:
            self.dismiss(number - 1)


class KeyScreen(ModalScreen[str]):
    """Returns the key that was typed or pasted, which is never shown; None for back."""

    def __init__(self, provider: KeyProvider, why: str = "") -> None:
        super().__init__()
        self._provider = provider
        self._why = why

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(asking.ASK_KEY.format(variable=self._provider.variable)), classes="dialog-title")
            if self._why:
                yield Static(Text(self._why), classes="dialog-warning")
            yield Input(password=True, id="key")
            yield Static(Text(words.KEY_HELP), classes="dialog-help")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if key := event.value.strip():
            self.dismiss(key)


class FirstStart:
    """Asks until something was chosen that answers, or until you put it off."""

    def __init__(self, app: ChatApp, setup: Setup) -> None:
        self._app = app
        self._setup = setup

    async def ask(self) -> str:
        """The model to use; empty for later."""
        ways = await in_thread(self._setup.list_ways)
        while (at := await self._app.answer_of(FirstStartScreen(ways))) is not None:
            way = ways[at]
            chosen = await self._with_key() if way.kind == KEY else await self._with_models(way)
            if chosen:
                return chosen
        await self._app.notice(asking.LATER)
        return ""

    async def _with_models(self, way: Way) -> str:
        model: str | None = way.models[0]
        if len(way.models) > 1:
            choices = [Choice(each, each, "", each) for each in way.models]
            model = await self._app.answer_of(PickScreen(words.MODELS, choices))
        if model and (way.kind == DEMO or await self._try(model) == ""):
            await in_thread(self._setup.keep, model)
            return model
        return ""

    async def _with_key(self) -> str:
        providers = {each.name: each for each in self._setup.list_providers()}
        choices = [
            Choice(each.name, each.name, each.variable, f"{each.name} {each.variable}") for each in providers.values()
        ]
        name = await self._app.answer_of(PickScreen(words.PROVIDERS, choices))
        why = ""
        while name and (key := await self._app.answer_of(KeyScreen(providers[name], why))):
            found = providers[name]
            why = await self._try(found.model, found.variable, key)
            if not why:
                path = await in_thread(self._setup.keep, found.model, found.variable, key)
                await self._app.notice(asking.KEPT_KEY.format(path=shorten_home(path)))
                return found.model
        return ""

    async def _try(self, model: str, variable: str = "", key: str = "") -> str:
        self._app.show_status(state=asking.TESTING.format(model=model))
        why = await self._setup.try_model(model, variable, key)
        self._app.show_status(state="")
        if why:
            told = asking.FAILED.format(model=model, why=why)
            await self._app.notice(told, "error")
            return told
        return ""


def _row(number: int, way: Way, width: int) -> Text:
    """On one line where there is room, else on two."""
    style: Any = "bold" if way.models else "dim"
    head = f"{number}  {way.title:<15}"
    room = width - len(head) - 1
    if room >= len(way.about):
        return Text.assemble((head, style), " ", (way.about, "dim"))
    return Text.assemble((head, style), "\n   ", (fit(way.about, max(10, width - 3)), "dim"))
