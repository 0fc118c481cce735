from __future__ import annotations

import asyncio
import html
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from baton.engine.handoff.packets import HandoffKit
from baton.ports.store import Store
from baton.surfaces.shared.setup import Setup
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.approval import ApprovalView
from baton.surfaces.tui.prompt import Prompt
from baton.testing.model import FakeModel
from tests.support.patience import PATIENCE
from tests.support.tui import make_app

SIZE = (90, 30)
SNAPSHOTS = Path(__file__).parent / "snapshots"
_PIECE = re.compile(r'<text [^>]*?x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', re.DOTALL)

_SPINNER = re.compile("[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]")
_CLOCK = re.compile(r" · [0-9]+ s\b")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def chat_app(tmp_path: Path) -> Iterator[Callable[..., ChatApp]]:
    opened: list[Store] = []

    def make(
        model: FakeModel,
        resume: str | None = None,
        workspace: str = "/src/shop",
        handoff: HandoffKit | None = None,
        mode: str = "ask",
        setup: Setup | None = None,
    ) -> ChatApp:
        home = tmp_path / "home"
        return make_app(
            home, model, resume=resume, opened=opened, workspace=workspace, handoff=handoff, mode=mode, setup=setup
        )

    yield make
    for store in opened:
        store.close()


def screen_text(app: ChatApp) -> str:
    """What a person sees, as lines of text."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for x, y, text in _PIECE.findall(app.export_screenshot()):
        if "clip-path" in text:
            continue
        rows.setdefault(float(y), []).append((float(x), html.unescape(text).replace("\xa0", " ")))
    return "\n".join(_row(rows[y]) for y in sorted(rows)).rstrip()


def _row(pieces: list[tuple[float, str]]) -> str:
    line = ""
    for x, text in sorted(pieces):
        line = line.ljust(round(x / 12.2)) + text
    return line.rstrip()


def matches_snapshot(name: str, text: str) -> None:
    """Compares with the kept screen, clocks and spinners aside; BATON_TEST_UPDATE=1 keeps a new one."""
    text = _CLOCK.sub("", _SPINNER.sub(" ", text))
    file = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("BATON_TEST_UPDATE"):
        file.write_text(f"{text}\n")
    assert f"{text}\n" == file.read_text()


async def until(pilot: Pilot[int], check: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not check():
            await pilot.pause(0.02)


async def ready(pilot: Pilot[int]) -> ChatApp:
    app = pilot.app
    assert isinstance(app, ChatApp)
    await until(pilot, lambda: app.backend is not None and app.line.branch != "")
    return app


async def send(pilot: Pilot[int], text: str) -> None:
    prompt = pilot.app.query_one(Prompt)
    prompt.focus()
    prompt.text = text
    await pilot.pause()
    await pilot.press("enter")


async def idle(pilot: Pilot[int], app: ChatApp) -> None:
    """Until nothing happens and the screen stands still."""
    await until(pilot, lambda: app.line.state == "" and not app.backend.chat.busy)
    before = ""
    while before != (before := screen_text(app)):
        await pilot.pause(0.15)


async def asked(pilot: Pilot[int]) -> None:
    """Until a question can be answered."""
    await until(pilot, lambda: any(view.armed for view in pilot.app.query(ApprovalView)))
    await pilot.pause()
