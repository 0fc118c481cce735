"""What the hands do: folding, copying, taking back, typing while something is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from textual import events

from baton.core.agent.message import Call, UserMessage
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.approval import ApprovalView
from baton.surfaces.tui.prompt import Prompt
from baton.surfaces.tui.status import WaitingList
from baton.surfaces.tui.tool_calls import ToolView
from baton.testing.model import FakeModel
from tests.surface.tui.conftest import SIZE, asked, idle, matches_snapshot, ready, screen_text, send, until

pytestmark = pytest.mark.anyio
MakeApp = Callable[..., ChatApp]


def ask_for_tests(prompt: object, command: str = "pytest -q") -> list[object]:
    last = prompt.messages[-1]
    return [Call("1", "shell", {"command": command})] if isinstance(last, UserMessage) else ["Two fail."]


async def test_a_tool_call_folds_by_key_and_by_click(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel(ask_for_tests)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "run the tests")
        await asked(pilot)
        await pilot.press("y")
        await idle(pilot, app)
        view = app.query_one(ToolView)
        assert view.folded
        assert "41 passed, 2 failed" in screen_text(app)  # folded, the last lines stay
        await pilot.press("ctrl+o")
        await until(pilot, lambda: not view.folded and view.body.region.height > 0)
        await pilot.click(view.query_one(".fold-title"))
        await until(pilot, lambda: view.folded and view.body.region.height == 0)


async def test_a_title_is_never_read_as_markup(chat_app: MakeApp) -> None:
    command = "echo [/] [bold]x[/bold] [@click=app.exit]y"
    async with chat_app(FakeModel(lambda prompt: ask_for_tests(prompt, command))).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "run [/] it")
        await asked(pilot)
        assert command in screen_text(app)
        await pilot.press("y")
        await idle(pilot, app)
        assert f"✓ {command}" in screen_text(app)


async def test_typing_is_never_an_answer(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel(ask_for_tests)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "run the tests")
        await pilot.press("o", "h")
        await asked(pilot)
        await pilot.press("y", "a")
        assert app.query_one(Prompt).text == "ohya"
        assert app.query(ApprovalView)
        await pilot.press("tab", "n")
        await idle(pilot, app)
        assert "refused" in app.query_one(ToolView).title
        assert app.query_one(Prompt).text == "ohya"


async def test_a_word_that_comes_at_once_is_never_an_answer_and_keeps_its_letters(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel(ask_for_tests)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "run the tests")
        await asked(pilot)
        for letter in "say":
            app.post_message(events.Key(letter, letter))
        await until(pilot, lambda: app.query_one(Prompt).text == "say")
        assert app.query(ApprovalView)
        await pilot.press("tab", "n")
        await idle(pilot, app)
        assert "refused" in app.query_one(ToolView).title


async def test_what_is_pasted_beside_a_question_goes_to_the_prompt_once(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel(ask_for_tests)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "run the tests")
        await asked(pilot)
        app.post_message(events.Paste("not yet"))
        await until(pilot, lambda: app.query_one(Prompt).text == "not yet")
        app.post_message(events.Paste(", wait"))
        await until(pilot, lambda: app.query_one(Prompt).text == "not yet, wait")
        assert app.query(ApprovalView)
        await pilot.press("tab", "n")
        await idle(pilot, app)


async def test_a_paste_keeps_its_lines_however_the_terminal_ends_them(chat_app: MakeApp) -> None:
    model = FakeModel([["hi"]])
    async with chat_app(model).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        app.post_message(events.Paste("\r".join(f"row {number}" for number in range(200))))
        await until(pilot, lambda: app.query_one(Prompt).text == "[pasted text 1: 200 lines]")
        app.post_message(events.Paste(" then\r\nthis"))
        await until(pilot, lambda: app.query_one(Prompt).text.endswith(" then\nthis"))
        await pilot.press("enter")
        await idle(pilot, app)
        said = model.prompts[-1].messages[-1].text
        assert said.count("\n") == 200
        assert "\r" not in said


async def test_what_waits_is_shown_and_can_be_taken_back(chat_app: MakeApp) -> None:
    told = asyncio.Event()
    model = FakeModel(lambda prompt: [told, f"answer to {prompt.messages[-1].text}"])
    async with chat_app(model).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "one")
        await until(pilot, lambda: app.backend.chat.busy)
        await send(pilot, "two")
        await until(pilot, lambda: app.query_one(WaitingList).display)
        await send(pilot, "three")
        await until(pilot, lambda: "three  waits its turn" in screen_text(app))
        await pilot.press("up")
        await until(pilot, lambda: app.query_one(Prompt).text == "three")
        told.set()
        await until(pilot, lambda: "answer to two" in screen_text(app))
        await idle(pilot, app)
        assert not app.query_one(WaitingList).display
    assert [prompt.messages[-1].text for prompt in model.prompts] == ["one", "two"]
    async with chat_app(model, resume="one").run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await until(pilot, lambda: "Resumed" in screen_text(app))
        await idle(pilot, app)
    assert len(model.prompts) == 2, "what was taken back is not asked after a restart"


async def test_a_draft_survives_a_walk_through_the_history_and_ctrl_c(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["ok"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        prompt = app.query_one(Prompt)
        await send(pilot, "said")
        await idle(pilot, app)
        await pilot.press(*"draft", "up")
        assert prompt.text == "said"
        await pilot.press("down")
        assert prompt.text == "draft"
        await pilot.press("ctrl+c")
        assert prompt.text == ""
        await pilot.press("up")
        assert prompt.text == "draft"


async def test_the_last_answer_and_its_code_are_copied(chat_app: MakeApp) -> None:
    answer = "First:\n\n```sh\nmake\n```\n\nThen:\n\n```sh\nmake test\n```\n"
    async with chat_app(FakeModel([[answer]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "how?")
        await idle(pilot, app)
        copies: list[str] = []
        for _ in range(4):
            await pilot.press("ctrl+y")
            copies.append(app.clipboard)
        assert copies == [answer, "make test", "make", answer]


async def test_what_the_mouse_marks_is_copied(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["marked **words** here"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "go")
        await idle(pilot, app)
        block = app.query_one(".blocks")
        await pilot.mouse_down(block, offset=(0, 1))
        await pilot.hover(block, offset=(12, 1))
        await pilot.mouse_up(block, offset=(12, 1))
        await until(pilot, lambda: bool(app.screen.get_selected_text()))
        await pilot.press("ctrl+c")
        assert app.clipboard.startswith("marked word")
        assert app.is_running


async def test_shift_tab_changes_the_mode_and_never_to_unattended(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["ok"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        seen: list[str] = []
        for _ in range(4):
            await pilot.press("shift+tab")
            seen.append(app.backend.chat.agent.mode)
        assert seen == ["accept_edits", "read_only", "ask", "accept_edits"]
        assert "accept edits" in screen_text(app)


async def test_a_compression_that_is_asked_for_shows_what_it_does(chat_app: MakeApp) -> None:
    def script(prompt: object) -> list[object]:
        return ["word " * 1500] if prompt.tools else ["They talked about words. " * 8]

    async with chat_app(FakeModel(script, window=6000)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "/compress")
        await until(pilot, lambda: "There is no conversation yet" in screen_text(app))
        for number in range(2):
            await send(pilot, f"say {number}")
            await idle(pilot, app)
        await send(pilot, "/compress")
        await until(pilot, lambda: "Compressed: " in screen_text(app))
        assert app.line.compressions == 1


async def test_a_narrow_screen_keeps_the_model_and_the_pressure(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["A word that is much longer than the screen: " + "x" * 80]])).run_test(
        size=(40, 16)
    ) as pilot:
        app = await ready(pilot)
        await send(pilot, "go")
        await idle(pilot, app)
        matches_snapshot("narrow", screen_text(app))
