from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

import baton
from baton.core.display import columns
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.glyphs import TWINS, in_ascii, speaks_utf8
from baton.testing.model import FakeModel
from tests.surface.tui.conftest import SIZE, idle, ready, screen_text, send

ROOT = Path(baton.__file__).parent
DRAWN = [
    *(ROOT / "surfaces" / "tui").glob("*.py"),
    *(ROOT / "surfaces" / "shared").glob("*.py"),
    ROOT / "wiring" / "tui.py",
]
MARKDOWN = "# Title\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- *item*\n\n---\n\n```py\nx = 'ü'\n```\n"


def signs() -> set[str]:
    """Every character beyond ASCII in a text of the program; docstrings are no texts."""
    found: set[str] = set()
    for file in DRAWN:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                node.value.value = ""
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= set(node.value)
    return {sign for sign in found if not sign.isascii()}


def test_every_sign_has_an_ascii_twin_of_its_width() -> None:
    assert {sign for sign in signs() if ord(sign) not in TWINS} == set()
    assert all(len(twin) == columns(chr(sign)) == 1 and twin.isascii() for sign, twin in TWINS.items())


def test_other_scripts_keep_their_columns() -> None:
    assert in_ascii("日本 ok …") == "???? ok _"


@pytest.mark.parametrize(
    ("environ", "utf8"),
    [
        ({}, True),
        ({"LANG": "C.UTF-8"}, True),
        ({"LANG": "de_DE.utf8"}, True),
        ({"LC_ALL": "C", "LANG": "en_US.UTF-8"}, False),
        ({"LC_ALL": "", "LC_CTYPE": "POSIX"}, False),
        ({"LANG": "en_US.ISO-8859-1"}, False),
    ],
)
def test_the_locale_decides(environ: dict[str, str], utf8: bool) -> None:
    assert speaks_utf8(environ) is utf8


@pytest.mark.anyio
async def test_a_terminal_without_utf8_gets_nothing_else(
    chat_app: Callable[..., ChatApp], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    async with chat_app(FakeModel([[MARKDOWN]])).run_test(size=SIZE) as pilot:
        app = await ready(pilot)
        await send(pilot, "go … 日本")
        await idle(pilot, app)
        shown = screen_text(app)
        assert shown.isascii(), sorted(c for c in set(shown) if not c.isascii())
        assert "// Baton" in shown
        assert "> go _ ????" in shown
        await pilot.press("f1")
        await pilot.pause(0.3)
        assert screen_text(app).isascii()
