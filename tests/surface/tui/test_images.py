from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events

from baton.core.agent.message import Image, UserMessage
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.prompt import Prompt
from baton.testing.model import FakeModel
from tests.surface.tui.conftest import SIZE, idle, ready, screen_text, send, until

pytestmark = pytest.mark.anyio
MakeApp = Callable[..., ChatApp]
GIF = b"GIF89a" + bytes(30)


async def test_a_named_picture_is_attached(chat_app: MakeApp, tmp_path: Path) -> None:
    (tmp_path / "shot.png").write_bytes(GIF)
    (tmp_path / "notes.png").write_bytes(b"no picture, whatever its name\0")
    model = FakeModel([["a cat"]])
    async with chat_app(model, workspace=str(tmp_path)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "what is @shot.png and @notes.png and me@shot.png?")
        await idle(pilot, app)
        assert "▣ shot.png" in screen_text(app)
    text = "what is @shot.png and @notes.png and me@shot.png?"
    image = Image("image/gif", base64.b64encode(GIF).decode(), "shot.png")
    assert model.prompts[-1].messages[-1] == UserMessage(text, (image,))
    async with chat_app(FakeModel([["-"]]), resume="what is", workspace=str(tmp_path)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await until(pilot, lambda: "▣ shot.png" in screen_text(app))
        await send(pilot, "/transcript")
        await until(pilot, lambda: "› You · " in screen_text(app))
        assert "  ▣ shot.png" in screen_text(app)
        assert base64.b64encode(GIF).decode()[:12] not in screen_text(app)


async def test_a_model_without_eyes_gets_the_name_only_and_that_is_said(chat_app: MakeApp, tmp_path: Path) -> None:
    (tmp_path / "shot.png").write_bytes(GIF)
    model = FakeModel([["I cannot see it"]])
    model.images = False
    async with chat_app(model, workspace=str(tmp_path)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "what is @shot.png?")
        await idle(pilot, app)
        assert "fake:model does not take images" in screen_text(app)
    assert model.prompts[-1].messages[-1] == UserMessage("what is @shot.png?")


async def test_a_picture_that_is_too_large_is_not_sent(
    chat_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("baton.surfaces.shared.images.LARGEST", 20)
    (tmp_path / "shot.png").write_bytes(GIF)
    model = FakeModel([["-"]])
    async with chat_app(model, workspace=str(tmp_path)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "what is @shot.png?")
        await until(pilot, lambda: "shot.png cannot be attached" in screen_text(app))
        await pilot.press("up")
        assert app.query_one(Prompt).text == "what is @shot.png?"
    assert model.prompts == []


@pytest.mark.parametrize("form", ["{}", "'{}'", "file://{}", "escaped"])
async def test_the_path_of_a_picture_can_be_pasted(chat_app: MakeApp, tmp_path: Path, form: str) -> None:
    picture = tmp_path / "my shot.png"
    picture.write_bytes(GIF)
    pasted = str(picture).replace(" ", "\\ ") if form == "escaped" else form.format(picture)
    async with chat_app(FakeModel([["-"]]), workspace=str(tmp_path)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        prompt = app.query_one(Prompt)
        prompt.post_message(events.Paste(pasted))
        await until(pilot, lambda: bool(prompt.text))
        assert prompt.text == f'@"{picture}" '
