"""Checks of text that must not act: what others wrote is no word to us, and what we write calls nobody."""

from __future__ import annotations

from baton.core.split import split as parts_of
from baton.ports.platform import Outgoing, Platform, Upload
from tests.contract.platform.kit import Bot, CannotBeChecked, Check, connected, living
from tests.contract.platform.stage import Stage

COMMANDS = (
    "/new",
    "/stop at once",
    "!stop",
    "look:\n\n```\n/new\n```\n\n/stop",
    "```sh\n/new\n```",
    "> /stop\n\nstart",
)
"""What somebody else wrote: commands as they are, in blocks of code, and after an empty line."""

CALLS = (
    *("@everyone", "@here", "@channel", "@room", "@all", "<!channel>", "<!here|here>", "<!everyone>", "<!subteam^S1>"),
    *("<@U123>", "<@W0123ABC|you>", "<@!123>", "<@&123>", "[all](!channel)", "[you](@U123)", "**@everyone**"),
)
"""What calls everybody, or somebody, on one platform or another."""


async def quoted(stage: Stage) -> None:
    """An answer is its own words: nothing of what it quotes is part of them, whatever stands there."""
    quotes = getattr(stage, "quotes", None)
    if quotes is None:
        raise CannotBeChecked("nobody can quote there")
    place = stage.group or stage.room
    async with living(stage) as bot:
        for number, words in enumerate(COMMANDS):
            await quotes(place, words, f"my answer {number}")
        last = await quotes(place, "nothing to see", "/status")
        heard = await bot.hears(lambda message: message.id == last)
        assert (heard.text, heard.place, heard.sender) == ("/status", place, stage.owner), "their own command is one"
        answers = [f"my answer {number}" for number in range(len(COMMANDS))]
        assert _said(bot, stage.owner) == [*answers, "/status"]


async def forwarded(stage: Stage) -> None:
    """A message that is passed on is nobody's word to us."""
    forwards = getattr(stage, "forwards", None)
    if forwards is None:
        raise CannotBeChecked("nobody can forward there")
    async with living(stage) as bot:
        for words in COMMANDS:
            await forwards(stage.room, words)
        await stage.says(stage.room, "in my own words")
        await bot.hears("in my own words")
        assert _said(bot, stage.owner) == ["in my own words"]


def _said(bot: Bot, sender: str) -> list[str]:
    return [each.text for each in bot.ears.heard if each.sender == sender and not each.text.startswith("ready")]


async def mentions(stage: Stage) -> None:
    """Nobody is notified by name, whatever is written: in messages and their parts, edits, captions and titles."""
    called = getattr(stage, "called", None)
    if called is None:
        raise CannotBeChecked("nobody can be called there")
    calls = [*CALLS, *getattr(stage, "calls", ())]
    async with connected(stage) as platform:
        await _calling(stage, platform, calls)
        shown = "\n".join(await stage.texts(stage.group or stage.room))
        assert "@everyone" in shown, "the words are still there"
    assert await called() == []


async def _calling(stage: Stage, platform: Platform, calls: list[str]) -> None:
    place, limit = stage.group or stage.room, platform.abilities.limit
    await platform.send(place, Outgoing("\n\n".join(calls)), "c1/1/0")
    text = ""
    while platform.size(text) <= 1.5 * limit:
        text += "".join(f"{call} and ({call}), {call}\n" for call in calls)
    parts = parts_of(text, limit, platform.size)
    assert len(parts) >= 2
    for number, part in enumerate(parts):
        await platform.send(place, Outgoing(part), f"c1/2/{number}")
    words = "Dear " + ", ".join(calls)
    if platform.abilities.edits:
        receipt = await platform.send(place, Outgoing("a draft"), "c1/3/0")
        await platform.edit(place, receipt, Outgoing(words))
    if platform.abilities.files:
        await platform.send(place, Outgoing(words, file=Upload("a.txt", "text/plain", b"a")), "c1/4/0")
    if platform.abilities.threads:
        thread = await platform.open_thread(stage.room, words, "handoff/1/thread")
        await platform.send(thread, Outgoing(words), "c1/5/0")


CHECKS: dict[str, Check] = {check.__name__: check for check in (quoted, forwarded, mentions)}
