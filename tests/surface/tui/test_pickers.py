from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.screens import PickScreen
from baton.testing.model import FakeModel
from tests.surface.tui.conftest import SIZE, idle, matches_snapshot, ready, screen_text, send, until

pytestmark = pytest.mark.anyio
MakeApp = Callable[..., ChatApp]


async def picking(pilot: Pilot[int], command: str) -> None:
    await send(pilot, command)
    await until(pilot, lambda: isinstance(pilot.app.screen, PickScreen) and "Enter choose" in screen_text(pilot.app))


async def closed(pilot: Pilot[int]) -> None:
    await until(pilot, lambda: len(pilot.app.screen_stack) == 1)


async def test_models_that_can_be_used_come_first_and_others_say_why_not(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await picking(pilot, "/model")
        matches_snapshot("models", screen_text(app))
        await pilot.press("down", "enter")
        await closed(pilot)
        await until(pilot, lambda: app.line.model == "fake:other")


async def test_a_model_that_cannot_be_used_cannot_be_chosen(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await picking(pilot, "/model")
        await pilot.press(*"claude", "enter")
        assert isinstance(app.screen, PickScreen)
        await pilot.press("escape")
        await closed(pilot)
        assert app.line.model == "fake:model"


async def test_any_model_can_be_typed(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await picking(pilot, "/model")
        await pilot.press(*"ollama:qwen3", "enter")
        await closed(pilot)
        await until(pilot, lambda: app.line.model == "ollama:qwen3")


async def test_conversations_are_found_by_typing(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["the answer"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        for title in ("fix the [bold]checkout[/] race", "write the docs", "mend the cart"):
            await send(pilot, "/new")
            await until(pilot, lambda: app.backend.chat.conversation is None)
            await send(pilot, title)
            await until(pilot, lambda: app.backend.chat.conversation is not None)
            await idle(pilot, app)
        await picking(pilot, "/sessions")
        matches_snapshot("sessions", screen_text(app))
        await pilot.press(*"race")
        await until(pilot, lambda: "write the docs" not in screen_text(app))
        await pilot.press("enter")
        await closed(pilot)
        await until(pilot, lambda: "Resumed: fix the [bold]checkout[/] race" in screen_text(app))


async def test_nothing_to_resume_is_said(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]]), resume="").run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await until(pilot, lambda: "No conversations yet." in screen_text(app))
        assert len(app.screen_stack) == 1
