"""Checks of what goes out."""

from __future__ import annotations

from baton.core.split import split as parts_of
from baton.core.transfer.place import Place
from baton.ports.platform import Button, Outgoing, Platform, Upload
from tests.contract.platform.kit import CannotBeChecked, Check, connected, living, squeezed
from tests.contract.platform.stage import Stage

_TEXT = "An answer"
MARKED = "A **bold** word, *slanted*, `code()`, [site](https://example.org/a_(b)) and <b>raw</b>\n\n```py\nx = 1\n```"


async def size(stage: Stage) -> None:
    """The size of a text is counted in the unit that the platform declares."""
    platform = stage.platform()
    try:
        assert platform.name == stage.name
        least = {"chars": 1, "utf16": 2, "bytes": 4}[platform.abilities.unit]
        assert platform.size("😀") >= least
        assert platform.size("a" * 100) >= 100
        assert platform.size("😀" * 50) >= 50 * least
    finally:
        await platform.close()


async def once(stage: Stage) -> None:
    """A message that is sent again with its key is seen once, or can be found."""
    async with connected(stage) as platform:
        if platform.abilities.once == "none":
            raise CannotBeChecked("the platform has no means")
        await _once(stage, platform, stage.room)
        if platform.abilities.threads:
            await _once(stage, platform, await platform.open_thread(stage.room, "A task", "handoff/1/thread"))


async def _once(stage: Stage, platform: Platform, place: Place) -> None:
    first, second = f"{place.key}/1", f"{place.key}/2"
    receipt = await platform.send(place, Outgoing(_TEXT), first)
    if platform.abilities.once == "key":
        assert await platform.send(place, Outgoing(_TEXT), first) == receipt
    else:
        assert await platform.find(place, first) == receipt
        assert await platform.find(place, second) is None
    assert (await stage.texts(place)).count(_TEXT) == 1
    assert await platform.send(place, Outgoing(_TEXT), second) != receipt
    assert (await stage.texts(place)).count(_TEXT) == 2


async def thread_key(stage: Stage) -> None:
    """A reply in an opened thread comes from exactly the place that opening it gave back."""
    async with living(stage) as bot:
        platform = bot.platform
        thread = await platform.open_thread(stage.room, "A task with a name", "handoff/1/thread")
        if not platform.abilities.threads:
            assert thread == stage.room
            raise CannotBeChecked("the platform has no threads")
        assert thread != stage.room
        await stage.says(thread, "a reply in there")
        assert (await bot.hears("a reply in there")).place == thread
        await bot.send("an answer in there", thread)
        assert (await stage.texts(thread))[-1:] == ["an answer in there"]
        assert "an answer in there" not in await stage.texts(stage.room)
        await stage.says(stage.room, "and outside")
        assert (await bot.hears("and outside")).place == stage.room
        second = await platform.open_thread(stage.room, "🧵\n" + "long " * 200, "handoff/2/thread")
        assert second not in (thread, stage.room)


async def thread_again(stage: Stage) -> None:
    """Opening a thread again with its key gives the same thread, after a restart too."""
    async with connected(stage) as platform:
        if not platform.abilities.threads:
            raise CannotBeChecked("the platform has no threads")
        thread = await platform.open_thread(stage.room, "A task", "handoff/1/thread")
        assert await platform.open_thread(stage.room, "A task", "handoff/1/thread") == thread
    async with connected(stage) as platform:
        assert await platform.open_thread(stage.room, "A task", "handoff/1/thread") == thread


async def split(stage: Stage) -> None:
    """A long text goes out in parts that are each accepted and together are the text."""
    async with connected(stage) as platform:
        limit = platform.abilities.limit
        text = ""
        while platform.size(text) <= 2.2 * limit:
            start = len(text) // 24
            text += "".join(f"word {number} 😀 und ü.\n" for number in range(start, start + max(limit // 24, 1)))
        parts = parts_of(text, limit, platform.size)
        assert len(parts) >= 3
        for number, part in enumerate(parts):
            await platform.send(stage.room, Outgoing(part), f"c1/1/{number}")
        seen = await stage.texts(stage.room)
        assert len(seen) == len(parts)
        assert squeezed("".join(seen)) == squeezed(text)


async def brim(stage: Stage) -> None:
    """A text that fills the limit to the last unit is accepted whole."""
    async with connected(stage) as platform:
        text = parts_of("😀" * platform.abilities.limit, platform.abilities.limit, platform.size)[0]
        await platform.send(stage.room, Outgoing(text), "c1/1/0")
        assert await stage.texts(stage.room) == [text]


async def markup(stage: Stage) -> None:
    """Markdown arrives as styles: people see the words without the marks, and raw HTML as text."""
    async with connected(stage) as platform:
        await platform.send(stage.room, Outgoing(MARKED), "c1/1/0")
        (seen,) = await stage.texts(stage.room)
        for word in ("bold", "slanted", "code()", "site", "<b>raw</b>", "x = 1"):
            assert word in seen
        for mark in ("**", "`", "](", "&lt;"):
            assert mark not in seen


async def edit(stage: Stage) -> None:
    """An edit replaces what is seen; the same again is harmless."""
    async with connected(stage) as platform:
        if not platform.abilities.edits:
            raise CannotBeChecked("the platform has no edits")
        first = await platform.send(stage.room, Outgoing("draft"), "c1/1/0")
        await platform.send(stage.room, Outgoing("another"), "c1/1/1")
        for _ in range(2):
            await platform.edit(stage.room, first, Outgoing("final ü😀"))
        assert await stage.texts(stage.room) == ["final ü😀", "another"]
        if platform.abilities.threads:
            thread = await platform.open_thread(stage.room, "A task", "handoff/1/thread")
            inside = await platform.send(thread, Outgoing("inside"), "c1/1/2")
            await platform.edit(thread, inside, Outgoing("changed inside"))
            assert (await stage.texts(thread))[-1] == "changed inside"


async def buttons(stage: Stage) -> None:
    """A pressed button says which, by whom, where, and of which message."""
    async with living(stage) as bot:
        platform = bot.platform
        if not platform.abilities.buttons:
            raise CannotBeChecked("the platform has no buttons")
        choices = (Button("Yes, go on", "ask:1:yes"), Button("No", "ask:1:no:" + "x" * 51))
        receipt = await platform.send(stage.room, Outgoing("Go on?", choices), "c1/1/0")
        for button in choices:
            await stage.presses(stage.room, receipt, button.choice)
            heard = await bot.hears(lambda message, wanted=button.choice: message.choice == wanted)
            assert (heard.text, heard.quotes, heard.sender) == ("", receipt, stage.owner)
            assert heard.place == stage.room
        if platform.abilities.edits:
            await platform.edit(stage.room, receipt, Outgoing("Done."))
            assert await stage.texts(stage.room) == ["Done."]


async def typing(stage: Stage) -> None:
    """Typing is shown where the platform can, and does no harm elsewhere."""
    async with living(stage) as bot:
        await bot.platform.show_typing(stage.room)
        if not bot.platform.abilities.typing:
            raise CannotBeChecked("the platform has no typing")
        if await stage.typed(stage.room) == 0:  # some show it in threads only
            thread = await bot.platform.open_thread(stage.room, "A task", "handoff/1/thread")
            await bot.platform.show_typing(thread)
            assert thread != stage.room
            assert await stage.typed(thread)


async def files_out(stage: Stage) -> None:
    """A file goes out under its name, byte for byte, with its caption."""
    async with connected(stage) as platform:
        if not platform.abilities.files:
            raise CannotBeChecked("the platform has no files")
        data = bytes(range(256)) * 8
        upload = Upload("päcket 1.md", "text/markdown", data)
        await platform.send(stage.room, Outgoing("the packet", file=upload), "c1/1/0")
        await platform.send(stage.room, Outgoing("", file=Upload("bare.txt", "text/plain", b"bare")), "c1/1/1")
        assert await stage.files(stage.room) == [("päcket 1.md", data), ("bare.txt", b"bare")]
        assert [text for text in await stage.texts(stage.room) if text] == ["the packet"]


async def files_in(stage: Stage) -> None:
    """A file that somebody sends can be fetched, byte for byte."""
    async with living(stage) as bot:
        if not bot.platform.abilities.files:
            raise CannotBeChecked("the platform has no files")
        data = bytes(range(256)) * 8
        await stage.says(stage.room, "look at this", file=("nötes.txt", data))
        heard = await bot.hears(lambda message: bool(message.files))
        assert heard.text == "look at this"
        (file,) = heard.files
        assert file.name == "nötes.txt"
        assert await bot.platform.fetch(file) == data


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (size, once, thread_key, thread_again, split, brim, markup, edit, buttons, typing, files_out, files_in)
}
