"""Two processes at one conversation: a terminal shows what the other does, and loses nothing that is typed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.agent.message import Call
from baton.core.log.payloads import UserInput
from baton.engine.turns import questions
from baton.engine.turns.parts import Parts, TurnSettings
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.ports.store import Store
from baton.surfaces.shared.approvals import WaitingApprover
from baton.surfaces.tui.app import ChatApp
from baton.testing.model import FakeModel
from tests.support.tui import NoMemory, ShellTool
from tests.surface.tui.conftest import SIZE, asked, idle, ready, screen_text, send, until

pytestmark = pytest.mark.anyio
MakeApp = Callable[..., ChatApp]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("surfaces.tui.controller.LOOK", "engine.turns.queue.LOOK", "surfaces.tui.held_messages._LOOK_AGAIN"):
        monkeypatch.setattr(f"baton.{name}", 0.05)


class Other:
    """Another process with the conversation open."""

    def __init__(self, store: Store, conversation_id: str, script: list[list[Any]]) -> None:
        self.store = store
        self.conversation_id = conversation_id
        toolbox = Toolbox([ShellTool()], WaitingApprover(), NoMemory(), "ask")
        parts = Parts(FakeModel(script), toolbox, TurnSettings("be good"))
        self.runtime = Runtime(store, lambda _: parts, surface="terminal")

    async def say(self, text: str) -> None:
        await self.runtime.submit(self.conversation_id, UserInput(text))

    def ask(self) -> list[questions.Question]:
        return questions.list_open(self.store, self.conversation_id)


SHELL = [[Call("c1", "shell", {"command": "make deploy"})], ["Deployed it."]]


async def begun(pilot: Pilot[int]) -> ChatApp:
    """A terminal whose conversation has one turn."""
    app = await ready(pilot)
    await send(pilot, "hello")
    await idle(pilot, app)
    return app


def words(app: ChatApp) -> str:
    return " ".join(screen_text(app).split())


async def test_a_question_of_another_process_is_shown_and_answered_here(chat_app: MakeApp, tmp_path: Path) -> None:
    async with chat_app(FakeModel([["Noted."]])).run_test(size=SIZE) as pilot:
        app = await begun(pilot)
        with closing(open_sqlite(str(tmp_path / "home" / "baton.db"))) as store:
            other = Other(store, app.backend.chat.current().id, SHELL)
            await other.say("deploy it")
            await asked(pilot)
            assert "A terminal (process" in words(app)
            assert "make deploy" in words(app)
            await pilot.press("y")
            await until(pilot, lambda: "Deployed it." in words(app))
            assert words(app).count("make deploy: allowed in a terminal.") == 1
            assert words(app).count("From another terminal or editor:") == 1
            assert words(app).count("› deploy it") == 1
            await other.runtime.close()


async def test_an_answer_given_elsewhere_takes_the_question_back(chat_app: MakeApp, tmp_path: Path) -> None:
    async with chat_app(FakeModel([["Noted."]])).run_test(size=SIZE) as pilot:
        app = await begun(pilot)
        with closing(open_sqlite(str(tmp_path / "home" / "baton.db"))) as store:
            other = Other(store, app.backend.chat.current().id, SHELL)
            await other.say("deploy it")
            await asked(pilot)
            questions.answer(store, other.ask()[0], "no", where="telegram:777", by="Ada")
            await until(pilot, lambda: "make deploy: refused on Telegram by Ada." in words(app))
            assert not app.query(".approval")
            await until(pilot, lambda: "Deployed it." in words(app))
            await other.runtime.close()


async def test_stop_here_stops_what_another_process_does(chat_app: MakeApp, tmp_path: Path) -> None:
    async with chat_app(FakeModel([["Noted."]])).run_test(size=SIZE) as pilot:
        app = await begun(pilot)
        with closing(open_sqlite(str(tmp_path / "home" / "baton.db"))) as store:
            other = Other(store, app.backend.chat.current().id, SHELL)
            await other.say("deploy it")
            await asked(pilot)
            await send(pilot, "/stop")
            await until(pilot, lambda: "Stopped what a terminal (process" in words(app))
            await until(pilot, lambda: not app.query(".approval"))
            assert not other.runtime.busy(other.conversation_id)
            await other.runtime.close()


async def test_what_is_typed_meanwhile_waits_visibly_and_is_sent_once(chat_app: MakeApp, tmp_path: Path) -> None:
    model = FakeModel([["Noted."], ["Now here."]])
    async with chat_app(model).run_test(size=SIZE) as pilot:
        app = await begun(pilot)
        with closing(open_sqlite(str(tmp_path / "home" / "baton.db"))) as store:
            other = Other(store, app.backend.chat.current().id, SHELL)
            await other.say("deploy it")
            await asked(pilot)
            await send(pilot, "and then test it")
            await until(pilot, lambda: "Not taken: a terminal (process" in words(app))
            assert "⋮ and then test it waits its turn" in words(app)
            assert "› and then test it" not in words(app)
            questions.answer(store, other.ask()[0], "yes", where="telegram:777")
            await until(pilot, lambda: "Now here." in words(app))
            await idle(pilot, app)
            assert words(app).count("› and then test it") == 1
            assert "⋮" not in words(app)
            said = [message.text for message in model.prompts[-1].messages]
            assert said.count("and then test it") == 1
            await other.runtime.close()


async def test_up_brings_a_message_back_that_was_not_taken(chat_app: MakeApp, tmp_path: Path) -> None:
    async with chat_app(FakeModel([["Noted."]])).run_test(size=SIZE) as pilot:
        app = await begun(pilot)
        with closing(open_sqlite(str(tmp_path / "home" / "baton.db"))) as store:
            proof = store.conversations.claim(app.backend.chat.current().id, "editor:5969:pea3a0", 60)
            await send(pilot, "do this")
            await until(pilot, lambda: "Not taken: an editor (process 5969) is at work" in words(app))
            assert "pea3a0" not in words(app)
            app.prompt.focus()
            await pilot.press("up")
            await until(pilot, lambda: app.prompt.text == "do this")
            assert "⋮" not in words(app)
            store.conversations.release(proof)
            await asyncio.sleep(0.2)
            assert "› do this" not in words(app)


async def test_what_was_never_taken_is_known_at_the_end(chat_app: MakeApp, tmp_path: Path) -> None:
    async with chat_app(FakeModel([["Noted."]])).run_test(size=SIZE) as pilot:
        app = await begun(pilot)
        with closing(open_sqlite(str(tmp_path / "home" / "baton.db"))) as store:
            store.conversations.claim(app.backend.chat.current().id, "editor:5969:pea3a0", 60)
            await send(pilot, "do this")
            await until(pilot, lambda: app.unsent == ["do this"])
