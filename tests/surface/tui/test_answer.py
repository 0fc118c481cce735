"""What a streamed answer costs, and that its lines are whole: drawn once, copied exactly, repainted for a theme."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual import events
from textual.geometry import Offset, Size
from textual.screen import Screen
from textual.selection import Selection

from baton.surfaces.tui.answer import AnswerView, BlocksView
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.blocks import Block
from baton.testing.model import FakeModel
from tests.surface.tui.conftest import SIZE, ready, screen_text, until

pytestmark = pytest.mark.anyio
MakeApp = Callable[..., ChatApp]
SECTION = "## Part\n\nSome **words** here.\n\n```python\nprint(1)\n```\n\n"


async def test_finished_blocks_are_painted_once(chat_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[Block] = []
    paint = BlocksView._paint
    monkeypatch.setattr(BlocksView, "_paint", lambda self, block, *a: painted.append(block) or paint(self, block, *a))
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        answer = AnswerView()
        await app.add(answer)
        for _ in range(30):
            answer.feed(SECTION)
            answer._draw()
            await pilot.pause()
        await until(pilot, lambda: "print(1)" in screen_text(app))
        assert len(painted) == 30 * 3


async def test_a_longer_last_line_lays_nothing_out(chat_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[object] = []
    lay_out = Screen._refresh_layout
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        answer = AnswerView()
        await app.add(answer)
        answer.feed("A line that ")
        answer._draw()
        await until(pilot, lambda: "A line that" in screen_text(app))
        monkeypatch.setattr(Screen, "_refresh_layout", lambda *a, **k: laid_out.append(a) or lay_out(*a, **k))
        for word in ("grows ", "by ", "words"):
            answer.feed(word)
            answer._draw()
            await pilot.pause(0.05)
        assert "A line that grows by words" in screen_text(app)
        assert laid_out == []


async def test_frames_that_scroll_are_spaced_and_the_end_is_drawn_at_once(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        answer = AnswerView()
        await app.add(answer)
        answer.feed("one\n\n")
        answer.draw()
        answer.feed("two\n\n")
        answer.draw()
        assert answer.text == "one\n\n"
        answer.end()
        await until(pilot, lambda: "two" in screen_text(app))


async def test_the_marked_part_of_an_answer_is_copied_as_it_stands(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        answer = AnswerView()
        await app.add(answer)
        answer.feed("First.\n\n```python\ndef f():\n    return 1\n```\n")
        answer.end()
        await until(pilot, lambda: "return 1" in screen_text(app))
        view = app.query_one(BlocksView)
        picked = view.get_selection(Selection(Offset(2, 3), Offset(14, 4)))
        assert picked == ("def f():\n      return 1", "\n")
        app.screen.selections = {view: Selection(Offset(2, 3), Offset(14, 4))}
        await pilot.pause(0.05)
        assert "return 1" in screen_text(app)


async def test_another_theme_and_another_width_paint_an_answer_anew(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        answer = AnswerView()
        await app.add(answer)
        answer.feed(f"{'word ' * 30}\n\n```python\nimport os\n```")
        answer.end()
        await until(pilot, lambda: "import os" in screen_text(app))
        before = app.export_screenshot()
        await pilot.press("ctrl+t")
        await until(pilot, lambda: app.export_screenshot() != before)
        await pilot.resize_terminal(40, 30)
        await until(pilot, lambda: screen_text(app).count("word word") > 4)


async def test_an_answer_that_has_not_begun_shows_no_name_of_a_class(chat_app: MakeApp) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await app.add(AnswerView())
        await app.add(BlocksView())
        await pilot.pause(0.1)
        assert "View" not in screen_text(app)


async def test_a_window_that_has_its_size_again_is_drawn_anew(
    chat_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[object] = []
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        refresh = app.screen.refresh
        monkeypatch.setattr(app.screen, "refresh", lambda *a, **k: drawn.append(a) or refresh(*a, **k))
        app.post_message(events.Resize(Size(*SIZE), Size(*SIZE)))
        await until(pilot, lambda: bool(drawn))
