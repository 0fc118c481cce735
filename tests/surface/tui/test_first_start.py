"""The first start without a key: one screen, one key press to an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from textual.pilot import Pilot

from baton.surfaces.shared.setup import DEMO, KEY, SERVER, KeyProvider, Way
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.first_start import FirstStartScreen, KeyScreen
from baton.surfaces.tui.screens import PickScreen
from baton.testing.model import FakeModel
from tests.surface.tui.conftest import idle, screen_text, send, until

pytestmark = pytest.mark.anyio
MakeApp = Callable[..., ChatApp]
CODE = "sk-canary-5f1e"
NO_SERVER = Way(SERVER, "A local server", "none answers")
OLLAMA = Way(SERVER, "A local server", "Ollama answers: qwen3, gpt-oss", ("ollama:qwen3", "ollama:gpt-oss"))


class FakeSetup:
    """Finds what it is given, and refuses keys until the right one comes."""

    def __init__(self, server: Way = NO_SERVER) -> None:
        self._server = server
        self.kept: list[tuple[str, str, str]] = []

    def list_ways(self) -> Sequence[Way]:
        demo = Way(DEMO, "A small demo", "Qwen, 1.1 GB from huggingface.co, for a first try", ("local:qwen",))
        return [Way(KEY, "An API key", "Anthropic, OpenAI …", ("",)), self._server, demo]

    def list_providers(self) -> Sequence[KeyProvider]:
        return [KeyProvider("anthropic", "ANTHROPIC_API_KEY", "anthropic:claude"), KeyProvider("x", "X_KEY", "x:y")]

    async def try_model(self, model: str, variable: str = "", key: str = "") -> str:
        return "" if not variable or key == CODE else "the key was refused"

    def keep(self, model: str, variable: str = "", key: str = "") -> str:
        self.kept.append((model, variable, key))
        return "/home/me/credentials" if variable else ""


async def shown(pilot: Pilot[int], screen: type) -> ChatApp:
    app = pilot.app
    assert isinstance(app, ChatApp)
    await until(pilot, lambda: isinstance(app.screen, screen))
    await pilot.pause()
    return app


@pytest.mark.parametrize("size", [(80, 24), (50, 20)])
async def test_enter_takes_the_demo_and_the_first_word_is_answered(chat_app: MakeApp, size: tuple[int, int]) -> None:
    setup = FakeSetup()
    async with chat_app(FakeModel([["Hello!"]]), setup=setup).run_test(size=size) as pilot:
        app = await shown(pilot, FirstStartScreen)
        text = screen_text(app)
        assert "1.1 GB from huggingface.co" in text
        assert text.index("An API key") < text.index("A local server") < text.index("A small demo")
        await pilot.press("enter")
        await until(pilot, lambda: app.line.model == "local:qwen")
        await send(pilot, "hi")
        await idle(pilot, app)
        assert "Hello!" in screen_text(app)
    assert setup.kept == [("local:qwen", "", "")]


async def test_a_key_is_tried_before_it_is_kept_and_never_shown(chat_app: MakeApp) -> None:
    setup = FakeSetup()
    async with chat_app(FakeModel([["hi"]]), setup=setup).run_test(size=(80, 24)) as pilot:
        await shown(pilot, FirstStartScreen)
        await pilot.press("1")
        await shown(pilot, PickScreen)
        await pilot.press("enter")
        app = await shown(pilot, KeyScreen)
        await pilot.press(*"wrong", "enter")
        await until(pilot, lambda: "the key was refused" in screen_text(app))
        await pilot.press(*CODE)
        assert CODE not in screen_text(app)
        await pilot.press("enter")
        await until(pilot, lambda: app.line.model == "anthropic:claude")
        assert CODE not in screen_text(app)
    assert setup.kept == [("anthropic:claude", "ANTHROPIC_API_KEY", CODE)]


async def test_a_server_that_answers_offers_its_models(chat_app: MakeApp) -> None:
    setup = FakeSetup(OLLAMA)
    async with chat_app(FakeModel([["hi"]]), setup=setup).run_test(size=(80, 24)) as pilot:
        await shown(pilot, FirstStartScreen)
        await pilot.press("2")
        app = await shown(pilot, PickScreen)
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.line.model == "ollama:gpt-oss")
    assert setup.kept == [("ollama:gpt-oss", "", "")]


async def test_what_cannot_be_had_cannot_be_chosen_and_escape_is_later(chat_app: MakeApp) -> None:
    setup = FakeSetup()
    async with chat_app(FakeModel([["hi"]]), setup=setup).run_test(size=(80, 24)) as pilot:
        app = await shown(pilot, FirstStartScreen)
        await pilot.press("2")
        await pilot.pause()
        assert isinstance(app.screen, FirstStartScreen)
        await pilot.press("escape")
        await until(pilot, lambda: "baton setup" in screen_text(app))
        await send(pilot, "hi")
        await idle(pilot, app)
    assert setup.kept == []
