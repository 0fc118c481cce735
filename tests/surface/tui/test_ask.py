"""A question over the chat: Enter is yes, everything else that closes it is no, and a late Enter answers nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.screens import AskScreen
from baton.testing.model import FakeModel
from tests.surface.tui.conftest import SIZE, ready, screen_text, until

pytestmark = pytest.mark.anyio
TEXT = "1.1 GB would be fetched from hub.test."


async def opened(pilot: Pilot[int], app: ChatApp) -> asyncio.Task[bool]:
    asking = asyncio.create_task(app.ask("Pull the model?", TEXT))
    await until(pilot, lambda: isinstance(app.screen, AskScreen))
    return asking


def armed(app: ChatApp) -> bool:
    return isinstance(app.screen, AskScreen) and app.screen.armed


@pytest.mark.parametrize(("key", "answer"), [("enter", True), ("y", True), ("n", False), ("escape", False)])
async def test_a_key_answers(chat_app: Callable[..., ChatApp], key: str, answer: bool) -> None:
    async with chat_app(FakeModel([])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        asking = await opened(pilot, app)
        await until(pilot, lambda: armed(app))
        assert TEXT in screen_text(app)
        await pilot.press(key)
        assert await asking is answer
        await until(pilot, lambda: not isinstance(app.screen, AskScreen))


async def test_an_enter_meant_for_the_prompt_does_not_answer(
    chat_app: Callable[..., ChatApp], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("baton.surfaces.tui.screens.PAUSE", 600)
    async with chat_app(FakeModel([])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        asking = await opened(pilot, app)
        await pilot.press("enter", "y")
        await pilot.pause()
        assert not asking.done()
        await pilot.press("escape")
        assert await asking is False


async def test_a_line_that_is_typed_into_it_does_not_answer(
    chat_app: Callable[..., ChatApp], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with chat_app(FakeModel([])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        asking = await opened(pilot, app)
        await until(pilot, lambda: armed(app))
        monkeypatch.setattr("baton.surfaces.tui.screens.PAUSE", 600)
        await pilot.press("/", "p", "y", "n", "enter")
        await pilot.pause()
        assert not asking.done()
        monkeypatch.setattr("baton.surfaces.tui.screens.PAUSE", 0.01)
        await pilot.press("x")
        await until(pilot, lambda: armed(app))
        await pilot.press("enter")
        assert await asking is True


async def test_a_question_of_a_turn_that_was_stopped_is_taken_back(chat_app: Callable[..., ChatApp]) -> None:
    async with chat_app(FakeModel([])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        asking = await opened(pilot, app)
        asking.cancel()
        await until(pilot, lambda: not isinstance(app.screen, AskScreen))
        early = asyncio.create_task(app.ask("Pull the model?", TEXT))
        early.cancel()
        await pilot.pause()
        assert not isinstance(app.screen, AskScreen)
