"""Signs a message may begin with or hold: a file by its name, a command of yours, a rule, a call for help."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from baton.core.agent.message import UserMessage
from baton.core.log.payloads import RulePinned, UserInput, payload
from baton.core.text import fold_spaces
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.prompt import Prompt
from baton.testing.model import FakeModel
from tests.surface.tui.conftest import SIZE, idle, ready, screen_text, send, until

pytestmark = pytest.mark.anyio
MakeApp = Callable[..., ChatApp]


def last_message(model: FakeModel) -> str:
    message = model.prompts[-1].messages[-1]
    assert isinstance(message, UserMessage)
    return message.text


def stored(app: ChatApp, kind: type[Any]) -> list[Any]:
    assert app.backend is not None
    chat = app.backend.chat
    entries = chat.store.entries.load(chat.store.conversations.get(chat.current().id).head_id)
    return [held for held in map(payload, entries) if isinstance(held, kind)]


async def test_a_named_file_goes_with_the_message_and_the_screen_shows_what_was_typed(
    chat_app: MakeApp, tmp_path: Path
) -> None:
    (tmp_path / "cart.py").write_text("".join(f"line {number}\n" for number in range(1, 61)))
    model = FakeModel([["ok"]])
    async with chat_app(model, workspace=str(tmp_path)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "why @cart.py:10-12?")
        await idle(pilot, app)
        assert "cart.py:10-12 · 3 lines" in screen_text(app)
        assert "line 10" not in screen_text(app)
        (given,) = stored(app, UserInput)
    assert "line 9\n" not in last_message(model)
    assert "\nline 10\nline 11\nline 12\n" in last_message(model)
    assert (given.words, given.text) == ("why @cart.py:10-12?", last_message(model))


async def test_your_own_command_runs_and_the_agent_sees_it_with_the_next_message(
    chat_app: MakeApp, tmp_path: Path
) -> None:
    model = FakeModel([["ok"], ["yes"]])
    async with chat_app(model, workspace=str(tmp_path)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "!printf 'one\\ntwo\\n'; exit 3")
        await until(pilot, lambda: "ended with 3" in screen_text(app))
        assert "two" in screen_text(app)
        assert model.prompts == []
        await send(pilot, "what was that?")
        await idle(pilot, app)
        assert "\none\ntwo\n" in last_message(model)
        assert "ended with 3" in last_message(model)
        await send(pilot, "and now?")
        await idle(pilot, app)
    assert last_message(model) == "and now?"


async def test_esc_ends_your_own_command_and_what_it_started(chat_app: MakeApp, tmp_path: Path) -> None:
    async with chat_app(FakeModel([["ok"]]), workspace=str(tmp_path)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "!echo begun > mark; sleep 600 & sleep 600; echo after >> mark")
        await until(pilot, (tmp_path / "mark").exists)
        await pilot.press("escape")
        await until(pilot, lambda: "when you stopped it" in fold_spaces(screen_text(app)))
    assert (tmp_path / "mark").read_text() == "begun\n"


async def test_a_hash_pins_a_rule_and_a_heading_or_an_issue_does_not(chat_app: MakeApp) -> None:
    model = FakeModel([["hi"], ["ok"], ["ok"]])
    async with chat_app(model).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        for text in ("hello", "# Always run the tests", "#12 is open again", "# Notes\n\nread them"):
            await send(pilot, text)
            await idle(pilot, app)
        assert [held.text for held in stored(app, RulePinned)] == ["Always run the tests"]
        assert [held.text for held in stored(app, UserInput)] == ["hello", "#12 is open again", "# Notes\n\nread them"]


async def test_a_question_mark_alone_is_help_and_in_a_text_it_is_itself(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await pilot.press("?")
        await until(pilot, lambda: "Keys and commands" in screen_text(app))
        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)
        await pilot.press("w", "h", "y", "?")
        await pilot.pause()
        assert app.query_one(Prompt).text == "why?"


@pytest.mark.parametrize("size", [(80, 24), (50, 20)])
async def test_help_is_whole_at_every_size(chat_app: MakeApp, size: tuple[int, int]) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=size) as pilot:
        app = await ready(pilot)
        await pilot.press("f1")
        await until(pilot, lambda: "Keys and commands" in screen_text(app))
        await pilot.pause(0.1)
        seen = screen_text(app)
        for _ in range(12):
            await pilot.press("pagedown")
            await pilot.pause(0.05)
            seen += f"\n{screen_text(app)}"
    for words in ("Ctrl+G", "write the message in your editor", "/quit", "/handoff", "Esc close"):
        assert words in seen, words
    assert all(len(line.rstrip()) <= size[0] for line in seen.split("\n"))


async def test_what_was_said_is_found_again_by_typing(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["a"], ["b"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        for text in ("rename the cart", "run the tests"):
            await send(pilot, text)
            await idle(pilot, app)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "What you said" in screen_text(app))
        await pilot.press("c", "a", "r", "enter")
        await until(pilot, lambda: app.query_one(Prompt).text == "rename the cart")


async def test_a_message_is_written_in_your_editor(chat_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextlib.contextmanager
    def suspended(_: ChatApp) -> Iterator[None]:
        yield

    monkeypatch.setattr(ChatApp, "suspend", suspended)
    monkeypatch.setenv("VISUAL", "sh -c 'echo more >> \"$0\"'")
    async with chat_app(FakeModel([["a"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        app.query_one(Prompt).text = "first\n"
        await pilot.press("ctrl+g")
        await until(pilot, lambda: app.query_one(Prompt).text == "first\nmore")
