from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.widgets import TextArea

from baton.core.agent.event import ModeChanged
from baton.core.agent.message import Call, UserMessage
from baton.core.agent.shown import ShownFile
from baton.core.errors import ModelRefused
from baton.engine.turns import questions
from baton.ports.tool import Outcome
from baton.surfaces.tui.answer import AnswerView
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.approval import ApprovalView, WhyInput
from baton.surfaces.tui.prompt import Prompt
from baton.surfaces.tui.tool_calls import ToolView
from baton.testing.model import FakeModel
from tests.support.tui import ShellTool
from tests.surface.tui.conftest import SIZE, asked, idle, matches_snapshot, ready, screen_text, send, until

pytestmark = pytest.mark.anyio
MakeApp = Callable[..., ChatApp]
MARKDOWN = """Here is what I found:

## The race

The lock in `checkout.py` is taken **twice**:

```python
with lock:
    pay(cart)
```

- first
- second
"""


async def test_the_first_screen(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        matches_snapshot("first", screen_text(app))


async def test_an_answer_in_markdown(chat_app: MakeApp) -> None:
    pieces = [MARKDOWN[at : at + 7] for at in range(0, len(MARKDOWN), 7)]
    async with chat_app(FakeModel([pieces])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "what is wrong?")
        await idle(pilot, app)
        matches_snapshot("answer", screen_text(app))
        assert app.last_answer == MARKDOWN


def ask_for_tests(prompt: object) -> list[object]:
    last = prompt.messages[-1]
    if isinstance(last, UserMessage):
        return ["I will run the tests.", Call("1", "shell", {"command": "pytest -q"})]
    return ["Two fail."]


async def test_an_approval_is_asked_for_and_given(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel(ask_for_tests)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "run the tests")
        await asked(pilot)
        matches_snapshot("approval", screen_text(app))
        await pilot.press("y")
        await idle(pilot, app)
        assert not app.query(ApprovalView)
        matches_snapshot("tool", screen_text(app))


async def test_a_failing_test_behind_a_pipe_is_shown_as_failed(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        view = ToolView("shell", "Run pytest -q | tail -5")
        await app.add(view)
        details = {"command": "pytest -q | tail -5", "exit": 0, "pipe": [1, 0]}
        await view.finish("F.\n2 failed, 41 passed in 3.21s\n[exit 0]", details, ok=True)
        assert view.title == "✗ Run pytest -q | tail -5 · 2 failed, 41 passed in 3.21s"
        assert view.has_class("failed")


async def test_the_last_lines_of_a_command_show_under_its_verdict(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        view = ToolView("shell", "Run pytest -q")
        await app.add(view)
        output = "\n".join(["a.py ..", "b.py ..", "c.py ..", "d.py ..", "==== 41 passed in 3.21s ====", "[exit 0]"])
        await view.finish(output, {"command": "pytest -q", "exit": 0}, ok=True)
        await pilot.pause()
        assert view.title == "✓ Run pytest -q · 41 passed in 3.21s"
        shown = screen_text(app)
        assert all(line in shown for line in ("b.py ..", "c.py ..", "d.py .."))
        assert not any(line in shown for line in ("a.py ..", "====", "[exit 0]"))
        view.fold(False)
        await pilot.pause()
        assert "a.py .." in screen_text(app)
        assert screen_text(app).count("d.py ..") == 1


async def test_a_refusal_is_told_to_the_model(chat_app: MakeApp) -> None:
    model = FakeModel(ask_for_tests)
    async with chat_app(model).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "run the tests")
        await asked(pilot)
        await pilot.press("n")
        await idle(pilot, app)
        assert model.prompts[-1].messages[-1].text == "[refused: the user said no]"
        assert "refused" in app.query_one(ToolView).title


async def test_a_no_is_explained_in_words_that_the_model_gets(chat_app: MakeApp) -> None:
    model = FakeModel(ask_for_tests)
    async with chat_app(model).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "run the tests")
        await asked(pilot)
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.focused, WhyInput))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.focused, ApprovalView))
        assert app.backend.chat.busy
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.focused, WhyInput))
        await pilot.press(*"yes but later", "enter")
        await idle(pilot, app)
        assert model.prompts[-1].messages[-1].text == "[refused: the user said no: yes but later]"


@pytest.mark.parametrize(("key", "choice"), [("y", "yes"), ("a", "always"), ("b", "begins"), ("n", "no")])
async def test_each_key_gives_its_answer(chat_app: MakeApp, key: str, choice: str) -> None:
    async with chat_app(FakeModel(ask_for_tests)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "run the tests")
        await asked(pilot)
        await pilot.press(key)
        await idle(pilot, app)
        assert [each.choice for each in questions.list_all(app.backend.chat.store)] == [choice]


async def test_accepting_edits_is_offered_only_for_edits_and_shown_as_the_mode(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel(ask_for_tests)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "run the tests")
        await asked(pilot)
        await pilot.press("e")
        await until(pilot, lambda: app.prompt.text == "e")
        assert app.query(ApprovalView)
        await app.controller.view.HANDLERS[ModeChanged](app.controller.view, ModeChanged("accept_edits"))
        assert app.line.mode == "accept_edits"


async def test_escape_stops_the_turn_and_keeps_what_was_said(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["so far ", 30.0]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "go")
        await until(pilot, lambda: bool(app.query(AnswerView)))
        await pilot.press("escape")
        await idle(pilot, app)
        assert "so far" in screen_text(app)
        assert "Stopped." in screen_text(app)


async def test_escape_stops_a_turn_that_waits_for_an_answer(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel(ask_for_tests)).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "run the tests")
        await asked(pilot)
        await pilot.press("escape")
        await idle(pilot, app)
        assert not app.query(ApprovalView)


async def test_an_error_is_words_in_the_transcript(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([[ModelRefused(model="m", reason="401")]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "go")
        await idle(pilot, app)
        assert "The provider refused the request to m: 401." in screen_text(app)


async def test_slash_completes_and_help_lists_commands_and_keys(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await pilot.press("/", "r", "e")
        await until(pilot, lambda: app.query_one(Prompt).offering)
        assert "/resume" in screen_text(app)
        await pilot.press("tab")
        await pilot.pause(0.1)
        assert app.query_one(Prompt).text == "/resume "
        await send(pilot, "/help")
        await until(pilot, lambda: len(app.screen_stack) > 1)
        await pilot.pause(0.2)
        matches_snapshot("help", screen_text(app))
        await pilot.press("end")
        await until(pilot, lambda: "/quit" in screen_text(app))
        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)


async def test_an_unknown_command_says_which_are_near(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "/resum")
        await send(pilot, "/xyz")
        await until(pilot, lambda: "There is no command /xyz." in screen_text(app))


async def test_keys_that_come_quicker_than_the_list_of_commands_are_all_taken(chat_app: MakeApp) -> None:
    """Enter takes a completion of what stands there, not of what stood there when the list was made."""
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await pilot.press("/")
        await until(pilot, lambda: app.prompt.offering)
        with app.prompt.prevent(TextArea.Changed):
            app.prompt.insert("xyz")
        await pilot.press("enter")
        await until(pilot, lambda: "There is no command /xyz." in screen_text(app))


async def test_files_complete_after_an_at_sign(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await until(pilot, lambda: bool(app.files))
        await pilot.press(*"look at @chec")
        await until(pilot, lambda: app.query_one(Prompt).offering)
        await pilot.press("tab")
        await pilot.pause(0.1)
        assert app.query_one(Prompt).text == "look at @docs/check.md "


async def test_several_lines_history_and_long_pastes(chat_app: MakeApp) -> None:
    model = FakeModel([["ok"]])
    async with chat_app(model).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        prompt = app.query_one(Prompt)
        await pilot.press("a", "ctrl+j", "b")
        assert prompt.text == "a\nb"
        await pilot.press("enter")
        await idle(pilot, app)
        assert model.prompts[-1].messages[-1] == UserMessage("a\nb")
        await pilot.press("up")
        assert prompt.text == "a\nb"
        prompt.clear()
        from textual import events

        long = "\n".join(f"line {n}" for n in range(200))
        prompt.post_message(events.Paste(long))
        await pilot.pause(0.1)
        assert prompt.text == "[pasted text 1: 200 lines]"
        await pilot.press("enter")
        await idle(pilot, app)
        assert model.prompts[-1].messages[-1] == UserMessage(long)


async def test_what_is_typed_during_a_turn_waits_its_turn(chat_app: MakeApp) -> None:
    model = FakeModel(lambda prompt: [0.3, f"answer to {prompt.messages[-1].text}"])
    async with chat_app(model).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "one")
        await send(pilot, "two")
        await until(pilot, lambda: "answer to two" in screen_text(app))


async def test_resume_shows_what_was_said_and_goes_on(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["I will remember **blue**."]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "the word is blue")
        await idle(pilot, app)
    model = FakeModel([["it was blue"]])
    async with chat_app(model, resume="the word").run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await until(pilot, lambda: "I will remember blue." in screen_text(app))
        await send(pilot, "which word?")
        await idle(pilot, app)
        assert [message.text for message in model.prompts[-1].messages] == [
            "the word is blue",
            "I will remember **blue**.",
            "which word?",
        ]


async def test_ctrl_c_twice_leaves(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await pilot.press("ctrl+c")
        await pilot.pause(0.1)
        assert "Press Ctrl+C again" in screen_text(app)
        await pilot.press("ctrl+c")
        await pilot.pause(0.1)
        assert app.return_code == 0


async def test_escape_sequences_of_a_model_never_reach_the_terminal(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["safe \x1b]0;owned\x07\x1b[31mtext\x9b31m."]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "go")
        await idle(pilot, app)
        shown = screen_text(app)
        assert "safe text." in shown
        assert "owned" not in shown
        assert "\x1b" not in shown


async def test_a_long_answer_keeps_the_screen_small(chat_app: MakeApp) -> None:
    lines = [f"line {n} of a very long answer\n" + ("\n" if n % 5 == 0 else "") for n in range(2000)]
    async with chat_app(FakeModel([lines])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "go")
        await idle(pilot, app)
        await until(pilot, lambda: "line 1999" in screen_text(app))


async def test_a_file_that_is_shown_is_named_with_its_caption(
    chat_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = ShownFile("/src/shop/plot.png", "plot.png", "image/png", 9, "0", "The last month")

    async def run(self: object, args: object, output: object) -> Outcome:
        return Outcome("shown", details=shown.details())

    monkeypatch.setattr(ShellTool, "run", run)
    app = chat_app(FakeModel(ask_for_tests), mode="unattended")
    async with app.run_test(size=SIZE) as pilot:
        await ready(pilot)
        await send(pilot, "plot it")
        await until(pilot, lambda: "The last month: /src/shop/plot.png" in screen_text(app))
