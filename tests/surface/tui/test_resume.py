"""Coming back: what is told of a conversation that was left in the middle, or is in use."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.log import entry as kinds
from baton.core.log.entry import NewEntry
from baton.surfaces.tui.app import ChatApp
from baton.testing.model import FakeModel
from tests.surface.tui.conftest import SIZE, idle, ready, screen_text, send, until

pytestmark = pytest.mark.anyio
MakeApp = Callable[..., ChatApp]


def left_in_the_middle(home: Path) -> None:
    """A turn without an end, and a message that nobody answered."""
    home.mkdir(mode=0o700, exist_ok=True)
    home.chmod(0o700)
    with closing(open_sqlite(str(home / "baton.db"))) as store:
        conversation, session = store.conversations.start("deploy it", "/src/shop", "fake:before")
        proof = store.conversations.claim(conversation.id, "test", 30.0)
        call = {"id": "1", "name": "shell", "args": {"command": "make deploy"}}
        entries = [
            NewEntry(kinds.USER, {"text": "deploy it", "turn": "u_1"}),
            NewEntry(kinds.ASSISTANT, {"text": "I will.", "calls": [call], "model": "fake:before"}),
            NewEntry(kinds.TOOL_CALL, {**call, "title": "Run make deploy"}),
            NewEntry(kinds.QUEUED, {"text": "and then test it", "turn": "u_2"}),
        ]
        store.entries.append(proof, session.id, entries)
        store.conversations.release(proof)


async def test_the_next_start_says_that_a_turn_did_not_end(chat_app: MakeApp, tmp_path: Path) -> None:
    left_in_the_middle(tmp_path / "home")
    async with chat_app(FakeModel([["-"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await until(pilot, lambda: "“deploy it” has a turn that did not end" in screen_text(app))
        await pilot.press("up")
        assert app.prompt.text == "deploy it"


async def test_resuming_tells_what_is_unknown_and_answers_what_waited(chat_app: MakeApp, tmp_path: Path) -> None:
    left_in_the_middle(tmp_path / "home")
    model = FakeModel([["I looked first."]])
    async with chat_app(model, resume="deploy").run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await until(pilot, lambda: "I looked first." in screen_text(app))
        await idle(pilot, app)
        shown = " ".join(screen_text(app).split())
    order = [
        "› deploy it",
        "I will.",
        "So far fake:before answered",
        "outcome unknown: Run make deploy",
        "› and then test",
    ]
    places = [shown.find(text) for text in order]
    assert -1 not in places
    assert places == sorted(places)
    assert [message.text for message in model.prompts[0].messages][-1] == "and then test it"


async def test_a_conversation_in_use_elsewhere_is_waited_for(chat_app: MakeApp, tmp_path: Path) -> None:
    left_in_the_middle(tmp_path / "home")
    model = FakeModel([["free at last"]])
    with closing(open_sqlite(str(tmp_path / "home" / "baton.db"))) as store:
        proof = store.conversations.claim(store.conversations.find("deploy").id, "terminal:4711", 60.0)
        async with chat_app(model, resume="deploy").run_test(size=SIZE) as pilot:
            app = await ready(pilot)
            await until(pilot, lambda: "Another terminal is at work on this conversation" in screen_text(app))
            await send(pilot, "are you there?")
            assert model.prompts == []
            store.conversations.release(proof)
            await until(pilot, lambda: len(model.prompts) == 2)
            await until(pilot, lambda: screen_text(app).count("free at last") == 2)
    assert [prompt.messages[-1].text for prompt in model.prompts] == ["and then test it", "are you there?"]


async def test_what_is_sent_before_everything_is_ready_is_not_lost(chat_app: MakeApp) -> None:
    model = FakeModel([["hello"]])
    app = chat_app(model)
    make_backend = app._make_backend
    waiting: list[str] = []

    async def slow(say: Callable[[str], None]) -> object:
        await until(pilot, lambda: bool(app._early))
        waiting.extend(app._early)
        return await make_backend(say)

    app._make_backend = slow
    async with app.run_test(size=SIZE) as pilot:
        await send(pilot, "early bird")
        await until(pilot, lambda: "hello" in screen_text(app))
        await idle(pilot, app)
        assert "waits its turn" not in screen_text(app)
    assert waiting == ["early bird"]
    assert model.prompts[0].messages[-1].text == "early bird"
