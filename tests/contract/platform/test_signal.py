"""Signal's own ways, on crabline's daemon: what the suite for all platforms cannot know."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from baton.adapters.platforms.signal.platform import open_platform
from baton.config.platform_settings import SignalSettings
from baton.core.errors import BadCredentials, SendLater, SendRefused, SendUnsure
from baton.ports.platform import File, Outgoing, Upload
from tests.support.patience import PATIENCE
from tests.support.platforms.receiving import receiving
from tests.support.platforms.signal.stage import GROUP, OWNER, SignalStage
from tests.support.platforms.state import MemoryState

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def stage() -> AsyncIterator[SignalStage]:
    async with SignalStage() as made:
        yield made
        assert made.violations() == []


async def test_a_message_comes_with_its_sender_and_its_place(stage: SignalStage) -> None:
    async with receiving(stage.platform()) as desk:
        ident = await stage.says(stage.room, "Grüße 😀")
        found = await desk.next()
        assert (found.id, found.place, found.sender, found.text) == (ident, stage.room, stage.owner, "Grüße 😀")
        assert (found.direct, found.name) == (True, "Ann")
        await stage.says(stage.group, "all", sender=stage.stranger)
        found = await desk.next()
        assert (found.place, found.sender, found.direct) == (stage.group, stage.stranger, False)


async def test_a_message_that_cannot_be_kept_is_offered_again_before_the_next(stage: SignalStage) -> None:
    async with receiving(stage.platform()) as desk:
        desk.failures = [OSError("disk full"), OSError("disk full")]
        await stage.says(stage.room, "one")
        await stage.says(stage.room, "two")
        assert [(await desk.next()).text, (await desk.next()).text] == ["one", "two"]
        assert desk.offered == ["one", "one", "one", "two"]


async def test_what_is_said_while_nobody_listens_comes_later(stage: SignalStage) -> None:
    async with receiving(stage.platform()) as desk:
        await stage.says(stage.room, "before")
        assert (await desk.next()).text == "before"
    await stage.says(stage.room, "nobody here")
    async with receiving(stage.platform()) as desk:
        assert (await desk.next()).text == "nobody here"
        await stage.cut()
        await stage.says(stage.room, "cut")
        await stage.restore()
        assert (await desk.next()).text == "cut"


async def test_styles_and_links_are_shown(stage: SignalStage) -> None:
    platform = stage.platform()
    await platform.send(stage.room, Outgoing("😀 **bold** [site](https://example.org) `code`"), "k")
    assert await stage.texts(stage.room) == ["😀 bold site (https://example.org) code"]
    await platform.close()


async def test_each_edit_names_the_newest_revision(stage: SignalStage) -> None:
    platform = stage.platform()
    receipt = await platform.send(stage.room, Outgoing("first"), "k")
    for text in ("second", "third", "third"):
        await platform.edit(stage.room, receipt, Outgoing(text))
    assert await stage.texts(stage.room) == ["third"]
    with pytest.raises(SendRefused, match="no message"):
        await platform.edit(stage.room, "nonsense", Outgoing("x"))
    await platform.close()


async def test_files_go_both_ways(stage: SignalStage) -> None:
    async with receiving(stage.platform()) as desk:
        data = bytes(range(256)) * 40
        await stage.says(stage.group, "", file=("ä b.bin", data))
        (file,) = (await desk.next()).files
        assert (file.name, file.size) == ("ä b.bin", len(data))
        assert await desk.platform.fetch(file) == data
        await desk.platform.send(stage.group, Outgoing("here", file=Upload("ü;,%+.txt", "text/plain", b"42")), "k")
        assert await stage.files(stage.group) == [("ü;,%+.txt", b"42")]
        for gone in (File(f"group.{GROUP} nowhere.bin", "x"), File(f"{OWNER} 1.bin", "x", "", 20_000_001)):
            with pytest.raises(SendRefused):
                await desk.platform.fetch(gone)


async def test_typing_is_shown(stage: SignalStage) -> None:
    platform = stage.platform()
    await platform.show_typing(stage.group)
    assert await stage.typed(stage.group) == 1
    await platform.close()


async def test_failures_say_what_became_of_the_message(stage: SignalStage) -> None:
    platform = stage.platform()
    await stage.limit(1, 7)
    with pytest.raises(SendLater) as later:
        await platform.send(stage.room, Outgoing("limited"), "k")
    assert later.value.after == 7
    await stage.fail(1)
    with pytest.raises(SendUnsure):
        await platform.send(stage.room, Outgoing("failed"), "k")
    await stage.swallow(1)
    with pytest.raises(SendUnsure):
        await platform.send(stage.room, Outgoing("swallowed"), "k")
    assert await stage.texts(stage.room) == ["swallowed"]
    await platform.close()


async def test_another_account_is_refused_at_once(stage: SignalStage) -> None:
    imposter = stage.imposter()

    async def nothing(_: object) -> None: ...

    for tried in (imposter.connect(()), imposter.run(nothing), imposter.send(stage.room, Outgoing("x"), "k")):
        with pytest.raises(BadCredentials):
            await asyncio.wait_for(tried, PATIENCE)
    await imposter.close()


async def test_a_daemon_that_is_not_there_is_tried_later(stage: SignalStage) -> None:
    await stage.server.stop()
    platform = stage.platform()
    for tried in (
        platform.connect(()),
        platform.send(stage.room, Outgoing("x"), "k"),
        platform.show_typing(stage.room),
    ):
        with pytest.raises(SendLater):
            await tried
    await platform.close()


@pytest.mark.parametrize("daemon", ["http://192.0.2.7:8080", "http://signal.example:8080", "http://127.0.0.1.example"])
def test_an_open_daemon_on_another_machine_is_refused(daemon: str) -> None:
    with pytest.raises(BadCredentials, match="no password"):
        open_platform(SignalSettings("+15550000000", daemon), MemoryState(), Path())


def test_without_an_account_nothing_is_opened() -> None:
    with pytest.raises(BadCredentials, match="account"):
        open_platform(SignalSettings(), MemoryState(), Path())
