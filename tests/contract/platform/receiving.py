"""Checks of what comes in."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from baton.ports.platform import Outgoing
from tests.contract.platform.kit import CannotBeChecked, Check, living
from tests.contract.platform.stage import Stage

UNICODE = "Grüße 👩‍👩‍👧 שלום\nsecond line *with* `marks`"


async def inbound(stage: Stage) -> None:
    """Text, sender, place and id come as they are; a chat of two is direct, a group is not."""
    async with living(stage) as bot:
        assert bot.platform.room(stage.room.room) == stage.room
        said = await stage.says(stage.room, UNICODE)
        heard = await bot.hears(UNICODE)
        assert (heard.id, heard.place, heard.sender) == (said, stage.room, stage.owner)
        assert (heard.choice, heard.quotes, heard.files) == ("", "", ())
        chat = getattr(stage, "chat", stage.room)
        await stage.says(chat, "between us")
        assert (await bot.hears("between us")).direct
        if stage.group is not None and stage.group != chat:
            await stage.says(stage.group, "to all")
            heard = await bot.hears("to all")
            assert (heard.place, heard.direct) == (stage.group, False)


async def stranger(stage: Stage) -> None:
    """Each sender is known by a stable id."""
    if stage.group is None:
        raise CannotBeChecked("the platform has no groups")
    async with living(stage) as bot:
        await stage.says(stage.group, "I am the owner", sender=stage.stranger)
        heard = await bot.hears("I am the owner")
        assert (heard.sender, heard.place) == (stage.stranger, stage.group)
        await stage.says(stage.group, "No, me")
        assert (await bot.hears("No, me")).sender == stage.owner


async def dedupe(stage: Stage) -> None:
    """What is delivered again has the same id."""
    async with living(stage) as bot:
        said = await stage.says(stage.room, "only once")
        await bot.hears("only once")
        await stage.redeliver(said)
        await stage.says(stage.room, "afterwards")
        await bot.hears("afterwards")
        assert {message.id for message in bot.ears.heard if message.text == "only once"} == {said}


async def ack(stage: Stage) -> None:
    """What the sink did not keep comes again, to the same adapter."""
    async with living(stage, refusals=1) as bot:
        said = await stage.says(stage.room, "keep me")
        heard = await bot.hears("keep me")
        assert [message.id for message in bot.ears.refused] == [said] == [heard.id]


async def unkept(stage: Stage) -> None:
    """What the sink did not keep comes again, to the adapter that follows."""
    async with living(stage) as bot:
        bot.ears.refusals = 1_000_000
        said = await stage.says(stage.room, "keep me later")
        assert (await bot.refuses()).id == said
    async with living(stage, ready=False) as bot:
        assert (await bot.hears("keep me later")).id == said


async def own(stage: Stage) -> None:
    """Our own messages never come back."""
    async with living(stage) as bot:
        receipt = await bot.send("said by us")
        if bot.platform.abilities.edits:
            await bot.platform.edit(stage.room, receipt, Outgoing("changed by us"))
        await stage.says(stage.room, "said by them")
        await bot.hears("said by them")
        assert not [message for message in bot.ears.heard if "by us" in message.text]


async def order(stage: Stage) -> None:
    """Messages of a place come in order."""
    async with living(stage) as bot:
        lines = [f"line {number}" for number in range(10)]
        for line in lines:
            await stage.says(stage.room, line)
        await bot.hears(lines[-1])
        assert [text for text in bot.texts_heard() if text.startswith("line")] == lines


async def gap(stage: Stage) -> None:
    """What was said while the connection was lost comes once it is back."""
    async with living(stage) as bot:
        await stage.cut()
        said = await stage.says(stage.room, "while you were away")
        await stage.restore()
        assert (await bot.hears("while you were away")).id == said
        await stage.says(stage.room, "welcome back")
        await bot.hears("welcome back")


async def restart(stage: Stage) -> None:
    """What was said while nothing of ours ran comes to the next adapter, and what was kept does not come again."""
    async with living(stage) as bot:
        await stage.says(stage.room, "before")
        await bot.hears("before")
    said = await stage.says(stage.room, "in between")
    async with living(stage, ready=False) as bot:
        assert (await bot.hears("in between")).id == said
        await stage.says(stage.room, "after")
        await bot.hears("after")
        assert {message.id for message in bot.ears.heard if message.text == "in between"} == {said}
        assert "before" not in bot.texts_heard()


async def hostile_in(stage: Stage) -> None:
    """Whatever people send, receiving goes on."""
    async with living(stage) as bot:
        for text in ("\u202elive\u202c \x07\x1b[31mred\x1b[0m", "\u0301" * 500, "x" * 1_000_000):
            with suppress(Exception):  # a platform may refuse it; then nothing was sent
                async with asyncio.timeout(10):
                    await stage.says(stage.room, text)
        await stage.says(stage.room, "still there?")
        await bot.hears("still there?")


async def forged(stage: Stage) -> None:
    """A webhook call that the platform did not sign is refused, and nothing of it is heard."""
    forge = getattr(stage, "forge", None)
    if forge is None:
        raise CannotBeChecked("nothing is posted to us")
    async with living(stage) as bot:
        for how in ("wrong", "missing", "replayed"):
            assert await forge(how, f"{how} signature") in (400, 401, 403)
        await stage.says(stage.room, "honest")
        await bot.hears("honest")
        assert not [text for text in bot.texts_heard() if "signature" in text]


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (inbound, stranger, dedupe, ack, unkept, own, order, gap, restart, hostile_in, forged)
}
