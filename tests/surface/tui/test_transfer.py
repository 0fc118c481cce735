"""Walking away from the terminal, and coming back to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from baton.core.log.entry import NewEntry
from baton.core.transfer import transfer as rules
from baton.core.transfer.place import Place
from baton.engine.mail.delivery import now
from baton.engine.transfer import moves
from baton.engine.transfer.targets import CONNECTED, GatewayRow, Targets
from baton.ports.store import Store
from baton.surfaces.tui.app import ChatApp
from baton.testing.model import FakeModel
from tests.support.patience import PATIENCE
from tests.surface.tui.conftest import SIZE, idle, ready, screen_text, send, until

pytestmark = pytest.mark.anyio
MakeApp = Callable[..., ChatApp]
THREAD = Place("telegram", "777", "42")


def gateway(store: Store) -> None:
    row = GatewayRow("g1", {"telegram": CONNECTED}, {}, "", "host", 7, now(), now(), {})
    Targets(store.register, now, dict, {}, ()).announce(row)
    store.register.put("person/telegram:777", {"role": "owner"})
    store.register.put("home/telegram", {"place": "telegram:777", "by": "telegram:777"})


async def claimed(store: Store) -> Any:
    async with asyncio.timeout(PATIENCE):
        while not (found := store.transfers.claim_next(["telegram"], "worker", 30)):
            await asyncio.sleep(0.01)
    return found[1]


async def test_the_terminal_leaves_when_the_conversation_has_arrived(chat_app: MakeApp) -> None:
    app = chat_app(FakeModel([["Noted."]]))
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        store = app.backend.chat.store
        gateway(store)
        await send(pilot, "The code word is kingfisher.")
        await idle(pilot, app)
        await send(pilot, "/handoff telegram")
        proof = await claimed(store)
        for step in ("opened", "bound", "greeted"):
            store.transfers.reach(proof, step, {"place": THREAD.key})
        await until(pilot, lambda: "moving to Telegram: greeting delivered" in screen_text(app))
        store.bindings.bind(THREAD, app.backend.chat.current().id)
        store.transfers.complete(proof)
        async with asyncio.timeout(PATIENCE):
            while app.return_code is None and app.is_running:
                await asyncio.sleep(0.02)
    assert "now lives in Telegram" in app.farewell
    assert app.backend.chat.current().id in app.farewell
    assert app.return_value == 0


async def test_without_a_gateway_nothing_changes_and_it_says_what_to_do(chat_app: MakeApp) -> None:
    app = chat_app(FakeModel([["Noted."]]))
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await send(pilot, "hello")
        await idle(pilot, app)
        await send(pilot, "/handoff telegram")
        await until(pilot, lambda: "Start one with: baton gateway" in " ".join(screen_text(app).split()))
        assert app.backend.chat.store.transfers.of(app.backend.chat.current().id) == []


async def test_a_failure_leaves_the_terminal_usable(chat_app: MakeApp) -> None:
    app = chat_app(FakeModel([["Noted."], ["Still here."]]))
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        store = app.backend.chat.store
        gateway(store)
        await send(pilot, "hello")
        await idle(pilot, app)
        await send(pilot, "/handoff telegram")
        store.transfers.fail(await claimed(store), "the bot was blocked")
        await until(pilot, lambda: "The transfer failed: the bot was blocked" in screen_text(app))
        await send(pilot, "are you there?")
        await until(pilot, lambda: "Still here." in screen_text(app))


async def test_escape_asks_the_worker_to_stop_and_ends_nothing_itself(chat_app: MakeApp) -> None:
    app = chat_app(FakeModel([["Noted."]]))
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        store = app.backend.chat.store
        gateway(store)
        await send(pilot, "hello")
        await idle(pilot, app)
        await send(pilot, "/handoff telegram")
        proof = await claimed(store)
        await until(pilot, lambda: "moving to Telegram" in screen_text(app))
        await pilot.press("escape")
        await until(pilot, lambda: bool(store.transfers.get(proof.id).cancel_asked))
        assert store.transfers.get(proof.id).state == rules.RUNNING
        store.transfers.fail(proof, "cancelled")
        await until(pilot, lambda: "The transfer was cancelled" in screen_text(app))


async def test_resuming_brings_it_back_with_everything_said_on_the_way(chat_app: MakeApp) -> None:
    first = chat_app(FakeModel([["Noted."]]))
    async with first.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await send(pilot, "The code word is kingfisher.")
        await idle(pilot, first)
        store, conversation = first.backend.chat.store, first.backend.chat.current()
        transfer = store.transfers.request(conversation.id, "terminal:local", "telegram")
        _, proof = store.transfers.claim(transfer.id, "worker", 30)
        for step in ("opened", "bound", "greeted"):
            store.transfers.reach(proof, step, {"place": THREAD.key})
        store.bindings.bind(THREAD, conversation.id)
        store.transfers.complete(proof)
        mine = store.conversations.claim(conversation.id, "gateway:1", 30)
        said = [("user", "said on the phone"), ("assistant", "answered on the phone")]
        new = [NewEntry(kind, {"text": text, "place": THREAD.key}) for kind, text in said]
        store.entries.append(mine, conversation.head_id, new)
        store.conversations.release(mine)
    again = chat_app(FakeModel([["Noted."]]), resume=conversation.id)
    async with again.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "Back from Telegram." in screen_text(again))
        assert "answered on the phone" in screen_text(again)
        store = again.backend.chat.store
        assert moves.lives_in(store, conversation.id) == "terminal"
        assert [mail.place for mail in store.outbox.list_waiting()] == [THREAD.key]


async def test_what_is_said_in_a_channel_meanwhile_is_shown_here_once(chat_app: MakeApp) -> None:
    app = chat_app(FakeModel([["Noted."], ["Noted too."]]))
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await send(pilot, "hello")
        await idle(pilot, app)
        store, conversation = app.backend.chat.store, app.backend.chat.current()
        mine = store.conversations.claim(conversation.id, "gateway:1", 30)
        there = {"turn": "u_9", "place": THREAD.key}
        call = {"id": "1", "name": "shell", "args": {}, "title": "Run the suite"}
        greeting = {"turn": "u_8", "place": THREAD.key}
        new = [
            NewEntry("user", {"text": "you moved", "synthetic": True, "transfer": "t_8", **greeting}),
            NewEntry("assistant", {"text": "I am there now.", **greeting}),
            NewEntry("user", {"text": "from my phone", **there}),
            NewEntry("tool_call", call),
            NewEntry("tool_result", {"id": "1", "name": "shell", "text": "41 passed", "ok": True}),
            NewEntry("assistant", {"text": "answered on the phone", **there}),
        ]
        store.entries.append(mine, conversation.head_id, new)
        store.conversations.release(mine)
        await until(pilot, lambda: "answered on the phone" in screen_text(app))
        await send(pilot, "and now here")
        await until(pilot, lambda: "Noted too." in screen_text(app))
        await idle(pilot, app)
        shown = screen_text(app)
        for text in (
            "hello",
            "This conversation was moved to Telegram",
            "From Telegram:",
            "from my phone",
            "Run the suite",
            "answered on the phone",
            "and now here",
            "Noted.",
        ):
            assert shown.count(text) == 1, text
        assert "I am there now." not in shown
        assert shown.index("from my phone") < shown.index("and now here")


async def test_one_that_is_on_its_way_is_not_taken_back(chat_app: MakeApp) -> None:
    first = chat_app(FakeModel([["Noted."]]))
    async with first.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await send(pilot, "hello")
        await idle(pilot, first)
        conversation = first.backend.chat.current()
        first.backend.chat.store.transfers.request(conversation.id, "terminal:local", "telegram")
    again = chat_app(FakeModel([["Noted."]]), resume=conversation.id)
    async with again.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "already being transferred to telegram" in screen_text(again).replace("\n", " "))
