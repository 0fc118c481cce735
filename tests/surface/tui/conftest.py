from __future__ import annotations

import html
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from baton.ports.store import Store
from baton.surfaces.tui.app import ChatApp
from baton.testing.model import FakeModel
from tests.support.desk import make_app

SNAPSHOTS = Path(__file__).parent / "snapshots"
_PIECE = re.compile(r'<text [^>]*?x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', re.DOTALL)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def chat_app(tmp_path: Path) -> Iterator[Callable[..., ChatApp]]:
    opened: list[Store] = []

    def make(model: FakeModel, resume: str | None = None) -> ChatApp:
        return make_app(tmp_path / "home", model, resume=resume, opened=opened)

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
    """Compares with the kept screen; BATON_TEST_UPDATE=1 keeps a new one."""
    file = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("BATON_TEST_UPDATE"):
        file.write_text(f"{text}\n")
    assert f"{text}\n" == file.read_text()
