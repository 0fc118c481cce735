"""Rules in the terminal: pinned while idle and in the middle of a turn, and shown again when resumed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from baton.core.agent.message import Call, ToolMessage
from baton.core.log.pins import find_pins
from baton.engine.handoff.rules import list_rules
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.completion import offers
from baton.surfaces.tui.screens import ReviewScreen
from baton.testing.model import FakeModel
from tests.support.handoffs import kit, repository
from tests.surface.tui.conftest import SIZE, idle, ready, screen_text, send, until

pytestmark = pytest.mark.anyio
MakeApp = Callable[..., ChatApp]
RULE = "Ask me before you push."


def pins(app: ChatApp) -> list[str]:
    chat = app.backend.chat
    head = chat.store.conversations.get(chat.current().id).head_id
    return [pin.text for pin in find_pins(chat.store.entries.load(head))]


async def test_a_rule_is_pinned_listed_dropped_and_shown_again(chat_app: MakeApp) -> None:
    model = FakeModel([["hi"]])
    async with chat_app(model).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "/pin")
        await until(pilot, lambda: "There is no conversation yet" in screen_text(app))
        await send(pilot, RULE)
        await idle(pilot, app)
        await send(pilot, "/pin")
        await until(pilot, lambda: "Pinned as rule 1" in screen_text(app))
        await send(pilot, "and now?")
        await idle(pilot, app)
        assert RULE in model.prompts[-1].system
        await send(pilot, "/pins")
        await until(pilot, lambda: f"1  {RULE}" in screen_text(app))
        await send(pilot, "/unpin 99")
        await until(pilot, lambda: "There is no rule 99. Allowed: 1" in screen_text(app))
        assert pins(app) == [RULE]
        await send(pilot, "/unpin 1")
        await until(pilot, lambda: "Rule 1 is dropped" in screen_text(app))
        assert pins(app) == []
        await send(pilot, f"/resume {app.backend.chat.current().id}")
        await until(pilot, lambda: f"Dropped the rule: {RULE}" in screen_text(app))
        assert f"Pinned as rule 1: {RULE}" in screen_text(app)


async def test_a_rule_pinned_during_a_turn_is_in_its_next_request(chat_app: MakeApp) -> None:
    def script(prompt: object) -> list[object]:
        done = isinstance(prompt.messages[-1], ToolMessage)  # type: ignore[attr-defined]
        return ["Done."] if done else [0.5, "I look.", Call("1", "nothing", {})]

    model = FakeModel(script)
    async with chat_app(model).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "work")
        await until(pilot, lambda: app.backend.chat.busy and bool(model.prompts))
        await send(pilot, f"/pin {RULE}")
        await until(pilot, lambda: "Pinned as rule 1" in screen_text(app))
        await idle(pilot, app)
        assert [RULE in prompt.system for prompt in model.prompts] == [False, True]


@pytest.mark.parametrize("key", ["down", "2"])
async def test_a_rule_is_dropped_in_the_review_by_keys(chat_app: MakeApp, tmp_path: Path, key: str) -> None:
    root = repository(tmp_path / "shop")
    model = FakeModel([["Noted."]])
    async with chat_app(model, handoff=kit(root, tmp_path / "home")).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "Fix the race. Never touch migrations.")
        await idle(pilot, app)
        await send(pilot, f"/pin {RULE}")
        await until(pilot, lambda: "Pinned as rule 1" in screen_text(app))
        await send(pilot, "/handoff")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "r drop a rule" in screen_text(app))
        await pilot.press("r")
        await until(pilot, lambda: "Drop which rule?" in screen_text(app))
        shown = screen_text(app)
        assert "pinned, for good" in shown
        assert "Never touch migrations." in shown
        await pilot.press(key, "enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        await pilot.press("enter")
        await until(pilot, lambda: "Continued in a fresh session" in screen_text(app))
        chat = app.backend.chat
        opening = chat.store.entries.load(chat.store.conversations.get(chat.current().id).head_id)[0].data["text"]
        assert "No longer asked for: Never touch migrations." in opening
        assert "### Rules the person set: 1 pinned" in opening
        assert pins(app) == [RULE]
        listed = list_rules(chat.store, chat.current().id, str)
        assert [each.text for each in listed] == [RULE]


@pytest.mark.parametrize(("typed", "others"), [("pin", ["/pin", "/pins"]), ("mode", ["/mode", "/model"])])
async def test_enter_runs_the_command_that_was_typed_not_a_longer_one(
    chat_app: MakeApp, typed: str, others: list[str]
) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, RULE)
        await idle(pilot, app)
        await pilot.press("slash", *typed)
        await until(pilot, lambda: app.prompt.offering)
        assert [each.text.strip() for each in offers(f"/{typed}", [])] == others
        await pilot.press("enter")
        expected = "Pinned as rule 1" if typed == "pin" else "ask"
        await until(pilot, lambda: expected in screen_text(app))
        assert pins(app) == ([RULE] if typed == "pin" else [])
