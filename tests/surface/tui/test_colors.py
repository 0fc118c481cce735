"""Every text on the screen can be read: a contrast of 4.5 in both themes, measured on what is drawn."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from textual.pilot import Pilot
from textual.strip import Strip

from baton.adapters.tools.diff import unified_diff
from baton.core.agent.event import ApprovalAsked
from baton.surfaces.tui.answer import AnswerView
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.approval import ApprovalView
from baton.surfaces.tui.palette import PALETTES
from baton.surfaces.tui.screens import Choice, PickScreen, ReadScreen
from baton.surfaces.tui.tool_calls import ToolView
from baton.surfaces.tui.transcript import PlanView, UserView
from baton.testing.model import FakeModel
from tests.surface.tui.conftest import ready

pytestmark = pytest.mark.anyio
READABLE = 4.5
DIFF = unified_diff("a = 1\nb = 2\n", "a = 1\nb = 3  # more\nc = 4\n", "x.py")
ANSWER = """# One
Text with `code`, **bold**, *italic*, ~~gone~~ and a [link](http://a.example).

> a quotation

| name | value |
|---|---|
| a | 1 |

1. first
- second

```python
@decorated
class Cart(Base):
    # a comment
    def total(self, tax: float = 0.19) -> str:
        return f"{sum(self.items) * tax!r}" if tax is not None else 'x'
```

```html
<a href="x">y</a>
```
"""
FURNITURE = ("BOX DRAWINGS", "BLOCK", "UPPER", "LOWER", "LEFT", "RIGHT", "FULL", "BRAILLE")


def luminance(color: tuple[int, int, int]) -> float:
    parts = [part / 255 for part in color]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def drawn(app: ChatApp) -> list[Strip]:
    """The lines of the screen, or of the dialog over it: what is behind one is dimmed, and not for reading."""
    strips = app.screen._compositor.render_strips()
    for dialog in app.screen.query(".dialog"):
        region = dialog.region
        return [strip.crop(*region.column_span) for strip in strips[region.y : region.bottom]]
    return strips


def faint(app: ChatApp) -> list[tuple[str, str, str, float]]:
    """Texts on the screen that cannot be read well; lines and bars are no texts."""
    found: list[tuple[str, str, str, float]] = []
    for strip in drawn(app):
        for text, style, _ in strip:
            if style is None or not any(is_text(each) for each in text):
                continue
            assert style.color is not None, text
            assert style.bgcolor is not None, text
            color, ground = style.color.get_truecolor(), style.bgcolor.get_truecolor(foreground=False)
            color, ground = (ground, color) if style.reverse else (color, ground)
            if (found_here := contrast(color, ground)) < READABLE or style.dim:
                found.append((text.strip(), color.hex, ground.hex, round(found_here, 2)))
    return found


def is_text(character: str) -> bool:
    return not character.isspace() and not unicodedata.name(character, "").startswith(FURNITURE)


async def fill(pilot: Pilot[int]) -> ChatApp:
    app = await ready(pilot)
    await app.add(UserView("what is wrong?", ["shot.png"]))
    await app.add(UserView("\n".join("long" for _ in range(40))))
    for level in ("info", "warning", "error"):
        await app.notice(f"This is {level}.", level)
    await app.add(PlanView([("one", "done"), ("two", "doing"), ("three", "open")]))
    for ok, details in ((True, {"diff": DIFF}), (False, {"exit": 1}), (True, {})):
        tool = ToolView("shell", "Run pytest")
        await app.add(tool)
        await tool.finish("2 failed, 1 passed", details, ok=ok)
        tool.fold(False)
    answer = AnswerView()
    await app.add(answer)
    answer.think("let me see")
    answer.feed(ANSWER)
    answer.end()
    await app.add(ApprovalView(ApprovalAsked("1", "edit", {}, "it wants to change a file", DIFF)))
    app.show_waiting(["first", "second"])
    app.show_status(tokens=30_000, window=32_000, cost=0.5, compressions=2, mode="accept_edits", place="Telegram")
    app.remark("copied")
    await pilot.pause(0.4)
    return app


@pytest.mark.parametrize("theme", PALETTES)
async def test_every_text_has_a_contrast_that_can_be_read(chat_app: Callable[..., ChatApp], theme: str) -> None:
    async with chat_app(FakeModel([["hi"]])).run_test(size=(100, 160)) as pilot:
        app = await fill(pilot)
        app.theme = theme
        await pilot.pause(0.1)
        assert faint(app) == []
        await pilot.press("/")
        await pilot.pause(0.1)
        assert faint(app) == []
        choices = [Choice("a", "main", "about", "main"), Choice("b", "other", "why not", "other", enabled=False)]
        for screen in (PickScreen("Which?", choices), ReadScreen("Help", "text\n" * 300)):
            app.push_screen(screen)
            await pilot.pause(0.2)
            assert faint(app) == []
            app.pop_screen()
