"""A long message with a picture, typed when a handoff is due."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from baton.core.handoff.policy import FRESH_SESSION, PROMPT_USER, Policy
from baton.surfaces.tui.app import ChatApp
from baton.testing.model import FakeModel
from tests.support.handoffs import git, kit, repository
from tests.support.whole_message import LONG, PNG, came_whole
from tests.surface.tui.conftest import SIZE, idle, ready, send, until
from tests.surface.tui.test_handoff import ASK, compressed, head, reviewing, script

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("mode", [FRESH_SESSION, PROMPT_USER])
async def test_it_reaches_the_fresh_session_whole(chat_app: Callable[..., ChatApp], tmp_path: Path, mode: str) -> None:
    root = repository(tmp_path / "shop")
    (root / "lock.png").write_bytes(PNG)
    git(root, "add", "lock.png")
    model = FakeModel(script)
    policy = Policy(enabled=True, mode=mode, require_clean_checkpoint=False)
    app_ = chat_app(model, handoff=kit(root, tmp_path / "home", policy), workspace=str(root))
    async with app_.run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, ASK)
        await idle(pilot, app)
        compressed(app, 2)
        await send(pilot, f"@lock.png {LONG}")
        if mode == PROMPT_USER:
            await reviewing(pilot)
            await pilot.press("enter")
        await until(pilot, lambda: head(app).edge == "handoff")
        await idle(pilot, app)
        assert came_whole(model.prompts[-1].messages, f"@lock.png {LONG}")
