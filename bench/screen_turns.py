"""`python -m bench.screen_turns`: a hundred turns in the chat over a real pty. After each of them the whole screen is
compared with what it should be, line by line, through a terminal emulator.

Between the turns the screen is disturbed as people do it: help and a list are opened and closed, the window gets
another size and its own again, the theme changes. Nothing of it may be left behind.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.e2e.chat import chat, said_last
from tests.support.model_servers import OpenAIServer, Reply, Request, say
from tests.support.screen import ESCAPE, Screen

SIZE, OTHER = (100, 32), (72, 24)
BELOW = 5
"""Rows under the transcript: what happens now, three of the prompt, and the status line."""

F1, CTRL_T, CTRL_U = "\x1bOP", "\x14", "\x15"
HINT = "Ask, or:"
PATIENCE = 60.0
_NUMBER = re.compile(r"question (\d+)")


class Glitch(Exception):
    """The screen is not what it should be; the message shows both."""


def answer(number: int) -> str:
    kinds = (
        f"Answer {number} is short.",
        f"Answer {number} has a list:\n\n- one\n- two",
        f"Answer {number} has code:\n\n```python\nprint({number})\n```",
    )
    return kinds[number % len(kinds)]


def rows_of(number: int) -> list[str]:
    """The rows of one turn, as they stand in the transcript."""
    kinds = (
        [f" Answer {number} is short."],
        [f" Answer {number} has a list:", "", "  • one", "  • two"],
        [f" Answer {number} has code:", "", f"   print({number})"],
    )
    return ["", f" ▌ › question {number}", "", *kinds[number % len(kinds)]]


def reply(request: Request) -> Reply:
    found = _NUMBER.search(said_last(request))
    return say(answer(int(found[1])) if found else "A title")


async def _until(screen: Screen, check: Callable[[list[str]], bool]) -> list[str]:
    end = time.monotonic() + PATIENCE
    while not check(rows := screen.text.split("\n")):
        if time.monotonic() > end:
            raise Glitch("\n".join(rows))
        await asyncio.sleep(0.02)
    return rows


def wrong(rows: list[str], expected: list[str]) -> str:
    """What differs from the screen there should be; empty if nothing does."""
    transcript = rows[1:-BELOW]
    seen = transcript[-len(expected) :] if len(expected) < len(transcript) else transcript
    if seen != expected[-len(seen) :]:
        return "the transcript"
    if not rows[0].startswith(" ◢◤ Baton "):
        return "the header"
    prompt = rows[-BELOW + 1 : -1]
    if not (prompt[0].startswith("╭") and HINT in prompt[1] and prompt[2].endswith("╯")):
        return "the prompt"
    if rows[-BELOW].strip():
        return "the line above the prompt"
    return "" if "% of" in rows[-1] else "the status line"


async def disturb(screen: Screen, number: int) -> None:
    """Something that must leave nothing behind."""
    kind = number % 4
    if kind == 0:
        screen.type(F1)
        await screen.shows("Keys and commands")
        screen.type(ESCAPE)
        await screen.shows(lambda shown: "Keys and commands" not in shown)
    elif kind == 1:
        screen.type("/re")
        await screen.shows("/resume")
        screen.type(CTRL_U)
        await screen.shows(lambda shown: "/resume" not in shown)
    elif kind == 2:
        screen.resize(*OTHER)
        await screen.shows(lambda shown: HINT in shown)
        screen.resize(*SIZE)
        await screen.shows(lambda shown: HINT in shown)
    else:
        screen.type(CTRL_T)


async def play(turns: int, directory: Path) -> None:
    work = directory / "work"
    work.mkdir()
    expected: list[str] = []
    async with OpenAIServer(reply) as server, chat(server, work) as screen:
        await screen.shows("% of")
        for number in range(1, turns + 1):
            expected += rows_of(number)
            screen.type(f"question {number}\r")
            await _check(screen, number, expected)
            await disturb(screen, number)
            await _check(screen, number, expected)
            print(f"\r{number} of {turns} turns", end="", file=sys.stderr, flush=True)
    print(f"\n{turns} turns, {2 * turns} screens compared, no glitch")


async def _check(screen: Screen, number: int, expected: list[str]) -> None:
    """Waits for the screen to come to rest as it should be."""
    try:
        await _until(screen, lambda rows: not wrong(rows, expected))
    except Glitch as glitch:
        what = wrong(screen.text.split("\n"), expected)
        wanted = "\n".join(expected[-24:])
        raise Glitch(f"turn {number}: {what}\n{glitch}\n--- expected in the transcript:\n{wanted}") from None


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares the chat's screen after each of many turns.")
    parser.add_argument("--turns", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(play(options.turns, Path(directory)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
