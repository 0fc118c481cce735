"""`python -m bench.pictures`: pictures of the chat, drawn by the chat itself over a scripted model, into docs/pictures.

Each scene is played in a terminal of its size; the SVG is what Textual would have drawn there. Nothing in it depends on
the day or on the machine: a change of a picture is a change of the screen.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from baton.adapters.tools.diff import unified_diff
from baton.core.agent.event import ApprovalAsked
from baton.core.agent.message import Call
from baton.core.value import value
from baton.surfaces.shared.handoffs import Review
from baton.surfaces.shared.setup import DEMO, KEY, SERVER, Way
from baton.surfaces.tui.answer import AnswerView
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.approval import ApprovalView
from baton.surfaces.tui.first_start import FirstStartScreen
from baton.surfaces.tui.palette import DARK, LIGHT
from baton.surfaces.tui.screens import ReviewScreen
from baton.surfaces.tui.tool_calls import ToolView
from baton.surfaces.tui.transcript import UserView
from baton.testing.model import FakeModel

ROOT = Path(__file__).resolve().parents[1]
INTO = ROOT / "docs" / "pictures"
MOST = 150_000
PATIENCE = 60.0
_ID = re.compile(r"terminal-\d+")

BEFORE = "def total(cart):\n    lock.acquire()\n    paid = sum(item.price for item in cart)\n    return paid\n"
AFTER = (
    "def total(cart, tax=0.19):\n    with lock:\n        paid = sum(item.price for item in cart)\n"
    "    return round(paid * (1 + tax), 2)\n"
)
DIFF = unified_diff(BEFORE, AFTER, "shop/cart.py")
SETTING = unified_diff("LOCKS = 2\n", "LOCKS = 1\n", "shop/settings.py")
ANSWER = """The checkout race is in `shop/cart.py`: **the lock is taken twice**, and the second taker waits for itself.

## What happens

1. `total()` takes the lock and calls `pay()`
2. `pay()` takes it *again*, on the same thread

```python
def total(cart: Cart, tax: float = 0.19) -> float:
    # one lock for the whole sum
    with lock:
        paid = sum(item.price for item in cart.items)
    return round(paid * (1 + tax), 2)
```

| test | before | after |
|---|---|---|
| test_total | hangs | 0.02 s |
| test_race | fails 1 of 4 | passes |
"""
PACKET = """# Handoff packet

## The current request, and where it stands

Fix the checkout race. The lock is taken once now; `test_race` still fails with two workers.

## Rules the person set

- Refunds above 50 EUR need a manager.
- Ask me before you push.

## Files

- `shop/cart.py` changed: `total()` takes the lock once
- `tests/test_cart.py` read

## Next step

Run `pytest -q tests/test_cart.py -n 2` and look at the second worker.
"""
SCORE: dict[str, Any] = {
    "recall": {
        "current request": {"kept": 1, "total": 1},
        "requests": {"kept": 14, "total": 14},
        "rules": {"kept": 2, "total": 2},
        "files": {"kept": 9, "total": 9},
        "open errors": {"kept": 2, "total": 2},
    },
    "unsupported_claims": 0,
    "stale_items": 0,
    "tokens": 2140,
    "budget": 4000,
}
WAYS = (
    Way(KEY, "An API key", "Anthropic, OpenAI, Google, OpenRouter … (or set its variable)", ("",)),
    Way(SERVER, "A local server", "Ollama answers on this machine: qwen3-coder, gpt-oss", ("ollama:gpt-oss",)),
    Way(DEMO, "A small demo", "Qwen2.5-Coder-1.5B, 1.1 GB from huggingface.co, for a first try", ("x",)),
)


@value
class Scene:
    """`play` brings the chat to the moment of the picture."""

    name: str
    play: Callable[[Pilot[int], ChatApp], Awaitable[None]]
    size: tuple[int, int] = (100, 30)
    theme: str = DARK.name
    environ: tuple[tuple[str, str], ...] = ()


async def _until(pilot: Pilot[int], check: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not check():
            await pilot.pause(0.05)
    await pilot.pause(0.3)


async def _say(pilot: Pilot[int], app: ChatApp, text: str) -> None:
    app.prompt.text = text
    await pilot.pause()
    await pilot.press("enter")


async def _first(pilot: Pilot[int], app: ChatApp) -> None:
    app.push_screen(FirstStartScreen(WAYS))
    await pilot.pause(0.5)


async def _answer(pilot: Pilot[int], app: ChatApp) -> None:
    await _say(pilot, app, "why does checkout hang?")
    await _until(pilot, lambda: bool(app.last_answer) and not app.line.state)


async def _streaming(pilot: Pilot[int], app: ChatApp) -> None:
    await _say(pilot, app, "why does checkout hang? stream")
    await _until(pilot, lambda: any("return round" in view.text for view in app.query(AnswerView)))


async def _approval(pilot: Pilot[int], app: ChatApp) -> None:
    await _say(pilot, app, "run the tests")
    await _until(pilot, lambda: any(view.armed for view in app.query(ApprovalView)))


async def _diff(pilot: Pilot[int], app: ChatApp) -> None:
    await app.add(UserView("take the lock once, and add the tax"))
    tool = ToolView("edit", "Edit shop/cart.py")
    await app.add(tool)
    await tool.finish("changed", {"diff": DIFF}, ok=True)
    test = ToolView("shell", "Run pytest -q tests/test_cart.py")
    await app.add(test)
    await test.finish("F.\n2 failed, 41 passed in 3.21s\n[exit 1]", {"exit": 1}, ok=False)
    asked = ApprovalAsked(
        *("1", "edit", {}, "it wants to change a file", SETTING),
        title="Edit shop/settings.py",
        asks="Allow this edit to shop/settings.py?",
        offers=("yes", "always", "edits", "no"),
    )
    view = ApprovalView(asked)
    await app.add(view)
    view.focus()
    app.show_status(tokens=68_000, cost=0.184, compressions=2)
    await _until(pilot, lambda: view.armed)


async def _review(pilot: Pilot[int], app: ChatApp) -> None:
    app.push_screen(
        ReviewScreen(Review("d1", PACKET, ".baton/handoffs/packet.md", 2140, SCORE, ("3 API keys", "1 password")))
    )
    await pilot.pause(0.5)


async def _help(pilot: Pilot[int], app: ChatApp) -> None:
    await pilot.press("f1")
    await _until(pilot, lambda: len(app.screen_stack) > 1)


SCENES = (
    Scene("first-start", _first),
    Scene("answer", _answer, (100, 36)),
    Scene("streaming", _streaming),
    Scene("approval", _approval, (100, 24)),
    Scene("diff", _diff, (100, 34)),
    Scene("review", _review),
    Scene("review-narrow", _review, (50, 20)),
    Scene("help-50x20", _help, (50, 20)),
    Scene("light", _answer, (100, 36), LIGHT.name),
    Scene("diff-light", _diff, (100, 34), LIGHT.name),
    Scene("narrow", _diff, (50, 40)),
    Scene("no-colour", _diff, (100, 34), environ=(("NO_COLOR", "1"),)),
    Scene("ascii", _diff, (100, 34), environ=(("LC_ALL", "C"),)),
)


def _script(prompt: Any) -> list[object]:
    said = str(getattr(prompt.messages[-1], "text", ""))
    if "run the tests" in said:
        return ["I will run the tests.", Call("1", "shell", {"command": "pytest -q tests/test_cart.py"})]
    return [ANSWER[: ANSWER.index("| test")], 30.0] if "stream" in said else [ANSWER]


async def draw(scene: Scene, directory: Path) -> str:
    """The SVG of one scene."""
    from tests.support.tui import make_app

    before = {name: os.environ.pop(name, None) for name in ("NO_COLOR", "LC_ALL", "LC_CTYPE")}
    os.environ.update(dict(scene.environ))
    model = FakeModel(_script, name="anthropic:claude-sonnet-5-5", window=200_000)
    app = make_app(directory / scene.name, model, workspace="/home/you/shop")
    try:
        async with app.run_test(size=scene.size) as pilot:
            app.theme = scene.theme
            await _until(pilot, lambda: app.backend is not None and app.line.branch != "")
            await scene.play(pilot, app)
            return _ID.sub(f"terminal-{scene.name}", app.export_screenshot(title="Baton"))
    finally:
        for name, kept in before.items():
            os.environ.pop(name, None)
            if kept is not None:
                os.environ[name] = kept


def main() -> int:
    parser = argparse.ArgumentParser(description="Draws the chat.")
    parser.add_argument(
        "names", nargs="*", help=f"which: {' '.join(scene.name for scene in SCENES)}; all of them if none"
    )
    parser.add_argument("--into", type=Path, default=INTO)
    options = parser.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as directory:
        for scene in SCENES:
            if options.names and scene.name not in options.names:
                continue
            (Path(directory) / scene.name).mkdir()
            picture = asyncio.run(draw(scene, Path(directory)))
            assert len(picture) < MOST, f"{scene.name}: {len(picture):,} characters"
            (options.into / f"{scene.name}.svg").write_text(picture)
            print(f"{scene.name}.svg  {len(picture):,}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
