"""The status line and the header, at any width."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from baton.core.value import replace
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.status import Header, StatusLine
from baton.testing.model import FakeModel
from tests.surface.tui.conftest import SIZE, ready, screen_text

LINE = StatusLine(
    model="anthropic:claude",
    workspace="/src/shop",
    branch="main (2 files changed)",
    tokens=10_900,
    window=32_000,
    compressions=2,
    cost=0.1844,
    mode="accept_edits",
)


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (
            125,
            "anthropic:claude · /src/shop main (2 files changed) · ▁▂▃ 34 % of 32k · $0.184 · 2 compressions"
            " · accept edits · terminal",
        ),
        (
            105,
            "anthropic:claude · shop main · ▁▂▃ 34 % of 32k · $0.184 · 2 compressions · accept edits · terminal",
        ),
        (80, "anthropic:claude · ▁▂▃ 34 % of 32k · $0.184 · 2× · accept edits"),
        (50, "anthropic:claude · ▁▂▃ 34 % of 32k · accept edits"),
        (40, "anthropic:claude · ▁▂▃ 34 % of 32k"),
        (30, "claude · ▁▂▃ 34 % of 32k"),
        (10, "▁▂▃ 34 % of 32k"),
    ],
)
def test_the_line_is_shortened_by_what_matters_least(width: int, shown: str) -> None:
    assert LINE.render(width).plain == shown


def test_the_pressure_grows_and_warns() -> None:
    shares = [replace(LINE, tokens=int(32_000 * share))._pressure()[0] for share in (0.1, 0.7, 0.9)]
    assert shares == [("▁", "$good"), ("▁▂▃▄▅▆", "$warn"), ("▁▂▃▄▅▆▇", "$bad")]


def test_where_the_conversation_lives_is_said_when_it_is_not_here() -> None:
    assert "lives in Telegram" in replace(LINE, place="Telegram").render(140).plain
    assert "terminal" not in replace(LINE, place="Telegram").render(140).plain
    assert "lives in Telegram" in replace(LINE, place="Telegram").render(70).plain


@pytest.mark.anyio
async def test_the_header_names_program_place_branch_and_model_in_one_line(chat_app: Callable[..., ChatApp]) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        assert app.query_one(Header).size.height == 1
        first = screen_text(app).split("\n")[0]
        assert first.startswith(" ◢◤ Baton ")
        assert first.endswith("/src/shop main (2 files changed)                             fake:model")
        await pilot.resize_terminal(30, 20)
        await pilot.pause(0.2)
        assert "Baton" in screen_text(app).split("\n")[0]


@pytest.mark.anyio
async def test_hints_do_not_pile_up(chat_app: Callable[..., ChatApp]) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        for _ in range(3):
            app._left_at = 0.0
            await pilot.press("ctrl+c")
            await pilot.pause(0.05)
        assert screen_text(app).count("Press Ctrl+C again") == 1
