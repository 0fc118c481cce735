"""Whatever is pasted arrives as it was copied, once: every kind of text, with every terminal's line ends, over a real
pty. A terminal without bracketed paste types it instead, which is the last kind.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE
from tests.support.screen import Screen

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]
KINDS: Mapping[str, str] = {
    "a word": "word",
    "two lines": "one\ntwo",
    "a trailing line end": "one\ntwo\n",
    "empty lines": "\n\nbetween\n\n\nend",
    "tabs": "\tif x:\n\t\treturn\ty",
    "emoji": "👍🏽 family 👨‍👩‍👧 flag 🇩🇪",
    "other scripts": "naïve 日本語 Ελλάδα עברית",
    "quotes and signs": "echo \"$HOME\" 'x' `y` \\ | & ; # ! @ ?",
    "what looks like a command": "/quit\n!rm -rf x\n# rule",
    "400 lines": "\n".join(f"line {number}" for number in range(400)),
    "a long line": "x" * 5_000,
    "a megabyte": "\n".join("0123456789abcdef" * 4 for _ in range(16_000)),
}
ENDS = {"LF": "\n", "CR": "\r", "CRLF": "\r\n"}
PROGRAM = """
import json, sys
from textual.app import App
from baton.surfaces.tui.prompt import Prompt

class Pasting(App):
    def compose(self):
        yield Prompt()
    def on_mount(self):
        self.query_one(Prompt).focus()
        self.title = "ready"
    def on_prompt_sent(self, message):
        with open(sys.argv[1], "a") as file:
            file.write(json.dumps(message.text) + "\\n")

Pasting().run()
"""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def wait_for(file: Path, lines: int) -> list[str]:
    """A line counts when its end is written: a megabyte is written in pieces."""
    async with asyncio.timeout(PATIENCE):
        while not file.exists() or file.read_text().count("\n") < lines:
            await asyncio.sleep(0.01)
    return [json.loads(line) for line in file.read_text().splitlines()]


async def paste(screen: Screen, text: str) -> None:
    """As a terminal does it: as much as the pty takes, and the rest when it has been read."""
    await screen.feed(f"\x1b[200~{text}\x1b[201~")


async def test_twelve_kinds_of_paste_with_three_line_ends_arrive_exactly_once(isolated: Path) -> None:
    file = isolated / "sent.jsonl"
    async with Screen(["-c", PROGRAM, str(file)], {}, isolated) as screen:
        await screen.shows("Ask, or:")
        for number, (ends, text) in enumerate(((ends, text) for text in KINDS.values() for ends in ENDS.values()), 1):
            await paste(screen, text.replace("\n", ends))
            await screen.feed("!\r")
            sent = await wait_for(file, number)
            assert sent[-1] == f"{text}!".strip("\n"), (text[:40], ends)
        assert len(sent) == len(KINDS) * len(ENDS)


async def test_a_terminal_without_bracketed_paste_types_line_by_line(isolated: Path) -> None:
    """A line feed breaks the line, as Ctrl+J does; tabs complete, so they are no part of this."""
    file = isolated / "sent.jsonl"
    async with Screen(["-c", PROGRAM, str(file)], {}, isolated) as screen:
        await screen.shows("Ask, or:")
        await screen.feed("one 👍\n日本\nthree\r")
        assert await wait_for(file, 1) == ["one 👍\n日本\nthree"]
