"""`python -m bench.recording`: a short film of the chat, into docs/pictures/recording.svg.

It is the real program in a real terminal, over a server that says what stands here: a question, a command that you
allow, and a context that fills up: it is compressed, and the conversation continues in a fresh session that begins
with what was verified. Names that depend on the day get fixed letters; the time between two screens is cut short.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.support.model_servers import KEY, OpenAIServer, Reply, Request, Tokens, Use, Wait, say
from tests.support.screen import ENTER, Screen
from tests.support.warm import warm

from bench.animation import Cell, Frame, Row, draw

ROOT = Path(__file__).resolve().parents[1]
INTO = ROOT / "docs" / "pictures" / "recording.svg"
SIZE = (96, 30)
MOST = 300_000
TITLE = "baton"
LOOKS = 0.06
"""Seconds between two looks at the screen."""

LONGEST, LAST = 1.6, 5.0
"""No screen stays longer than this, the last one excepted."""

ASK, FIX = "why is my total odd? @docs/rules.md. Never touch the migrations.", "round it to cents, and run the tests"
NARRATIVE = (
    "## Completed work\nFound why `total()` returns 0.30000000000000004.\n"
    "## Design decisions\nRound once, at the end.\n## Next recommended action\nRound in `shop/cart.py`."
)
FOUND = (
    "The test fails, and the digits are *binary floating point*: `0.1 + 0.2` is 0.30000000000000004.\n\n"
    "`total()` should round **once**, at the end:\n\n"
    "```python\nreturn round(paid * (1 + tax), 2)\n```\n"
)
FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": (
        'def total(cart, tax=0.19):\n    paid = sum(item["price"] for item in cart)\n    return paid * (1 + tax)\n'
    ),
    "docs/rules.md": "".join(
        f"{number}. Orders of group {number} are counted in cents, not in parts of one.\n" for number in range(650)
    ),
    "tests/__init__.py": "",
    "tests/test_cart.py": (
        "import unittest\n\nfrom shop.cart import total\n\n\n"
        "class Cart(unittest.TestCase):\n    def test_total(self):\n"
        '        self.assertEqual(total([{"price": 0.1}, {"price": 0.2}], tax=0), 0.3)\n'
    ),
}
_FIXED = (
    (re.compile(r"\d{8}_\d{6}_[0-9a-f]{6}"), "20261115_201133_a1b2c3"),
    (re.compile(r"\d{8}T\d{6}Z"), "20261115T231502Z"),
    (re.compile(r" in \d\.\d{3}s"), " in 0.001s"),
    (re.compile(rf"{re.escape(tempfile.gettempdir())}/[a-z0-9_]{{11}}/shop"), "/home/you/shop"),
)
"""What differs from day to day, and what is shown instead."""


def _answer(request: Request) -> Reply:
    """What the server says, by what it was asked."""
    messages = request.body["messages"]
    system, last = str(messages[0]["content"]), messages[-1]
    if system.startswith("You are closing"):
        return say(Wait(1.2), NARRATIVE)
    if "tools" not in request.body:
        return say(Wait(1.5), "You asked why the total has so many digits. A test failed; the cause is floating point.")
    if last["role"] == "tool":
        if "Changed" in str(last["content"]):
            return say(
                "Now the tests.", Use("c3", "shell", {"command": "python3 -m unittest"}), usage=Tokens(3_300, 40)
            )
        return (
            say("Done: `total()` rounds once, and the test passes.", usage=Tokens(3_500, 30))
            if _is_fixed(messages)
            else _explain()
        )
    if FIX in str(last["content"]) or _is_asked_to_fix(messages):
        edit = {"path": "shop/cart.py", "old": "return paid * (1 + tax)", "new": "return round(paid * (1 + tax), 2)"}
        return say("I will round it once, at the end.", Use("c2", "edit", edit), usage=Tokens(3_000, 90))
    return say(
        "Let me see what the tests say.",
        Use("c1", "shell", {"command": "python3 -m unittest"}),
        usage=Tokens(17_800, 40),
    )


def _is_asked_to_fix(messages: list[dict[str, object]]) -> bool:
    return FIX in str(messages)


def _is_fixed(messages: list[dict[str, object]]) -> bool:
    return "c3" in str(messages)


def _explain() -> Reply:
    """Piece by piece; what the provider counts fills the window."""
    pieces = re.findall(r"\S+\s*", FOUND)
    return say(*(part for piece in pieces for part in (piece, Wait(0.03))), usage=Tokens(27_100, 180))


class Film:
    """Looks at a screen again and again, and keeps what it saw."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._seen: list[tuple[tuple[Row, ...], float]] = []

    async def roll(self) -> None:
        while True:
            rows = self._look()
            if not self._seen or rows != self._seen[-1][0]:
                self._seen.append((rows, time.monotonic()))
            await asyncio.sleep(LOOKS)

    def cut(self) -> list[Frame]:
        """The frames, each as long as it was seen, within limits."""
        ends = [*(at for _, at in self._seen[1:]), float("inf")]
        lengths = [min(LONGEST, max(LOOKS, end - at)) for (_, at), end in zip(self._seen, ends, strict=True)]
        lengths[-1] = LAST
        return [Frame(rows, length) for (rows, _), length in zip(self._seen, lengths, strict=True)]

    def _look(self) -> tuple[Row, ...]:
        grid = self._screen._screen
        return tuple(_read_row([grid.buffer[line][column] for column in range(SIZE[0])]) for line in range(SIZE[1]))


def _read_row(cells: list[Any]) -> Row:
    text = "".join(str(cell.data) or " " for cell in cells)
    for found, instead in _FIXED:
        text = found.sub(instead, text)
    return tuple(_read_cell(letter, cell) for letter, cell in zip(text.ljust(SIZE[0]), cells, strict=False))


def _read_cell(letter: str, cell: Any) -> Cell:
    ink, ground = _color(cell.fg), _color(cell.bg)
    if cell.reverse:
        ink, ground = ground or "#121212", ink or "#e0e0e0"
    return Cell(letter, ink, ground, bool(cell.bold), bool(cell.italics), bool(cell.underscore))


def _color(name: str) -> str:
    return f"#{name}" if re.fullmatch("[0-9a-f]{6}", name) else ""


async def play(home: Path) -> list[Frame]:
    """Plays the scene in a terminal and gives back what was seen."""
    work = _make_project(home / "shop")
    async with OpenAIServer(_answer) as server:
        environ = {
            "OLLAMA_BASE_URL": server.url,
            "OLLAMA_API_KEY": KEY,
            "HOME": str(home),
            "BATON_HOME": str(warm(home / ".baton")),
            "BATON_MODEL": "ollama:qwen3-coder",
            "BATON_AGENT__AUTO_HANDOFF_ON_COMPRESSION__ENABLED": "true",
            "BATON_AGENT__AUTO_HANDOFF_ON_COMPRESSION__AFTER_COMPRESSIONS": "1",
            "COLORTERM": "truecolor",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        async with Screen(["-m", "baton"], environ, work, SIZE) as screen:
            await screen.shows("qwen3-coder")
            await screen.shows("main")
            film = Film(screen)
            rolling = asyncio.create_task(film.roll())
            await _type(screen, ASK)
            await _allow(screen, "Run `python3 -m unittest`?")
            await screen.shows("return round")
            await asyncio.sleep(2)
            await _type(screen, FIX)
            await screen.shows("the packet.\n   Next: ")
            await _allow(screen, "Allow this edit to shop/cart.py?")
            await _allow(screen, "Run `python3 -m unittest`?")
            await screen.shows("the test passes")
            await asyncio.sleep(1)
            rolling.cancel()
            with suppress(asyncio.CancelledError):
                await rolling
    return film.cut()


async def _type(screen: Screen, text: str) -> None:
    for letter in text:
        screen.type(letter)
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.5)
    screen.type(ENTER)


async def _allow(screen: Screen, question: str) -> None:
    """As somebody who reads the question first."""
    await screen.shows(question)
    await asyncio.sleep(1.6)
    screen.type("y")


def _make_project(work: Path) -> Path:
    for name, text in FILES.items():
        path = work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    same = {f"GIT_{who}_{what}": given for who in ("AUTHOR", "COMMITTER") for what, given in _SOMEBODY.items()}
    for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-qm", "a cart")):
        subprocess.run(["git", *words], cwd=work, check=True, env={**os.environ, **same})
    return work


_SOMEBODY = {"NAME": "you", "EMAIL": "you@example.org", "DATE": "2026-11-15T20:00:00Z"}


def main() -> int:
    parser = argparse.ArgumentParser(description="Films the chat.")
    parser.add_argument("--into", type=Path, default=INTO)
    parser.add_argument("--stills", type=Path, help="also writes every tenth frame there, as an SVG that does not move")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        frames = asyncio.run(play(Path(directory)))
    film = draw(frames, poster=len(frames) - 1, title=TITLE)
    assert len(film.encode()) < MOST, f"{len(film.encode()):,} bytes"
    options.into.write_text(film)
    seconds = sum(frame.seconds for frame in frames)
    print(f"{options.into.name}  {len(frames)} frames  {seconds:.0f} s  {len(film.encode()):,} bytes")
    if options.stills:
        options.stills.mkdir(parents=True, exist_ok=True)
        for number in range(0, len(frames), 10):
            (options.stills / f"{number:04}.svg").write_text(draw([frames[number]], 0, TITLE))
    return 0


if __name__ == "__main__":
    sys.exit(main())
