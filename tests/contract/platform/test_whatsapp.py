"""WhatsApp's own ways, on crabline's Graph API and a signed webhook: what the suite for all platforms cannot know."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from baton.adapters.platforms.whatsapp.platform import open_platform
from baton.config.platform_settings import WhatsAppSettings
from baton.core.errors import BadCredentials, SendLater, SendRefused, SendUnsure, SomebodyElse
from baton.ports.platform import Button, File, Outgoing, Upload
from tests.support.patience import PATIENCE
from tests.support.platforms.receiving import receiving
from tests.support.platforms.state import MemoryState
from tests.support.platforms.whatsapp.server import VERIFY
from tests.support.platforms.whatsapp.stage import WhatsAppStage

pytestmark = pytest.mark.anyio


@pytest.fixture
async def stage() -> AsyncIterator[WhatsAppStage]:
    async with WhatsAppStage() as made:
        yield made
        assert made.violations() == []


async def test_a_message_comes_with_its_sender_and_its_place(stage: WhatsAppStage) -> None:
    async with receiving(stage.platform()) as desk:
        ident = await stage.says(stage.room, "Grüße 😀")
        found = await desk.next()
        assert (found.id, found.place, found.sender, found.text) == (ident, stage.room, stage.owner, "Grüße 😀")
        assert (found.direct, found.name) == (True, "Ann")


async def test_a_call_is_only_answered_well_when_its_message_is_kept(stage: WhatsAppStage) -> None:
    async with receiving(stage.platform()) as desk:
        desk.failures = [OSError("disk full"), OSError("disk full")]
        await stage.says(stage.room, "one")
        await stage.says(stage.room, "two")
        assert [(await desk.next()).text, (await desk.next()).text] == ["one", "two"]
        assert desk.offered == ["one", "one", "one", "two"]
        assert stage.server.caller.statuses[:3] == [500, 500, 200]


async def test_what_is_said_while_nobody_listens_comes_later(stage: WhatsAppStage) -> None:
    await stage.says(stage.room, "nobody here")
    async with receiving(stage.platform()) as desk:
        assert (await desk.next()).text == "nobody here"
        await stage.cut()
        await stage.says(stage.room, "cut")
        await stage.restore()
        assert (await desk.next()).text == "cut"


async def test_a_forged_call_is_refused_and_nothing_of_it_is_kept(stage: WhatsAppStage) -> None:
    await stage.cut()
    ident = await stage.says(stage.room, "forged")
    body = json.dumps(stage.server.said[ident]).encode()
    post = stage.server.caller.post
    async with receiving(stage.platform()) as desk:
        await _until_open(stage)
        for signature in ("", "sha256=", "sha256=" + "0" * 64, "0" * 64, "ä"):
            assert await post(body, signature) == 401
        assert await post(b"x" * 3_200_001) == 413
        for malformed in (b"", b"[]", b"{", b"null", b'{"entry": 3}', b'{"entry": [{"changes": [{"value": 1}]}]}'):
            assert await post(malformed) == 200
        assert desk.offered == []
        assert await post(body) == 200
        assert (await desk.next()).text == "forged"


async def test_a_signed_call_that_comes_again_has_the_same_id(stage: WhatsAppStage) -> None:
    async with receiving(stage.platform()) as desk:
        ident = await stage.says(stage.room, "again")
        await stage.redeliver(ident)
        assert [(await desk.next()).id, (await desk.next()).id] == [ident, ident]


async def test_only_who_knows_the_verify_token_gets_the_challenge_back(stage: WhatsAppStage) -> None:
    async with receiving(stage.platform()):
        await _until_open(stage)
        asked = {"hub.mode": "subscribe", "hub.verify_token": VERIFY, "hub.challenge": "1158201444"}
        assert await stage.server.caller.get(**asked) == (200, "1158201444")
        for change in ({"hub.verify_token": "x"}, {"hub.mode": "x"}, {"hub.challenge": "<script>"}):
            assert await stage.server.caller.get(**{**asked, **change}) == (403, "")


async def test_pressed_buttons_come_as_choices(stage: WhatsAppStage) -> None:
    async with receiving(stage.platform()) as desk:
        three = tuple(Button(f"A very long label, number {n}", f"choice:{n}") for n in range(3))
        receipt = await desk.platform.send(stage.room, Outgoing("**Which?**", three), "k1")
        await stage.presses(stage.room, receipt, "choice:2")
        found = await desk.next()
        assert (found.choice, found.text, found.quotes) == ("choice:2", "", receipt)
        ten = tuple(Button(f"Another very long label, number {n}", f"choice:{n}") for n in range(10))
        receipt = await desk.platform.send(stage.room, Outgoing("Of ten?", ten), "k2")
        await stage.presses(stage.room, receipt, "choice:7")
        assert (await desk.next()).choice == "choice:7"
        with pytest.raises(SendRefused, match="at most 10"):
            await desk.platform.send(stage.room, Outgoing("Of many?", (*ten, Button("x", "y"))), "k3")
        assert await stage.texts(stage.room) == ["Which?", "Of ten?"]


async def test_a_long_text_stands_before_its_buttons_once(stage: WhatsAppStage) -> None:
    """The second half is tried again; the first is with the person already."""
    platform = stage.platform()
    long = "word " * 400 + "end"
    server = stage.server

    async def second_is_limited() -> None:
        while not server.shown:
            await asyncio.sleep(0)
        await stage.limit(1, 1)

    limiting = asyncio.create_task(second_is_limited())
    with pytest.raises(SendLater):
        await platform.send(stage.room, Outgoing(long, (Button("Yes", "y"),)), "k")
    await limiting
    await platform.send(stage.room, Outgoing(long, (Button("Yes", "y"),)), "k")
    assert await stage.texts(stage.room) == [long, "…"]
    await platform.close()


async def test_files_go_both_ways(stage: WhatsAppStage) -> None:
    async with receiving(stage.platform()) as desk:
        data = bytes(range(256)) * 40
        await stage.says(stage.room, "look", file=("ä b.bin", data))
        found = await desk.next()
        assert (found.text, [each.name for each in found.files]) == ("look", ["ä b.bin"])
        assert await desk.platform.fetch(found.files[0]) == data
        await desk.platform.send(stage.room, Outgoing("here", file=Upload("ü.py", "text/x-python", b"x = 1")), "k")
        assert await stage.files(stage.room) == [("ü.py", b"x = 1")]
        assert await stage.texts(stage.room) == ["here"]
        with pytest.raises(SendRefused, match="following types"):
            await desk.platform.send(stage.room, Outgoing("", file=Upload("x.bin", "x/y", b"\xff\xfe\x00")), "k2")
        for gone in (File("9", "x"), File("../me", "x")):
            with pytest.raises(SendRefused):
                await desk.platform.fetch(gone)


async def test_the_token_goes_to_no_other_host(stage: WhatsAppStage) -> None:
    async with receiving(stage.platform()) as desk:
        await stage.says(stage.room, "", file=("a.txt", b"x"))
        (file,) = (await desk.next()).files
        port = stage.server.url.rpartition(":")[2]
        for elsewhere in (
            f"http://localhost:{port}/media-files/1",
            "https://evil.example/fbcdn.net",
            "//x",
            "http://[",
        ):
            stage.server.media.elsewhere = elsewhere
            with pytest.raises(SendRefused, match="not WhatsApp's own"):
                await desk.platform.fetch(file)


async def test_typing_answers_their_last_message(stage: WhatsAppStage) -> None:
    async with receiving(stage.platform()) as desk:
        await desk.platform.show_typing(stage.room)
        assert await stage.typed(stage.room) == 0
        await stage.says(stage.room, "hello")
        await desk.next()
        await stage.says(stage.room, "again")
        await desk.next()
    platform = stage.platform()
    await platform.show_typing(stage.room)
    assert await stage.typed(stage.room) == 1
    await platform.close()


async def test_failures_say_what_became_of_the_message(stage: WhatsAppStage) -> None:
    async with receiving(stage.platform()) as desk:
        await stage.limit(1, 7)
        with pytest.raises(SendLater) as later:
            await desk.platform.send(stage.room, Outgoing("limited"), "k1")
        assert later.value.after == 7
        await stage.fail(1)
        with pytest.raises(SendLater):
            await desk.platform.send(stage.room, Outgoing("failed"), "k2")
        await stage.swallow(1)
        with pytest.raises(SendUnsure):
            await desk.platform.send(stage.room, Outgoing("swallowed"), "k3")
        assert await stage.texts(stage.room) == ["swallowed"]
        await stage.says(stage.room, "after its status")
        await desk.next()
        assert await desk.platform.find(stage.room, "k3") == stage.server.shown[0].id
        assert await desk.platform.find(stage.room, "k2") is None
        with pytest.raises(SendRefused):
            await desk.platform.edit(stage.room, "x", Outgoing("y"))


async def test_a_wrong_token_is_refused_at_once_and_told_to_nobody(
    stage: WhatsAppStage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    imposter = stage.imposter()
    for tried in (imposter.connect(()), imposter.send(stage.room, Outgoing("x"), "k")):
        with pytest.raises(BadCredentials) as refused:
            await tried
        assert "EAAwrong" not in str(refused.value)
    await imposter.close()
    assert "EAAwrong" not in caplog.text


async def test_a_second_listener_is_told_of_the_first(stage: WhatsAppStage) -> None:
    second = stage.platform()
    async with receiving(stage.platform()) as desk:
        await _until_open(stage)
        with pytest.raises(SomebodyElse, match="in use"):
            await second.run(desk.sink)
    await second.close()


async def test_settings_that_cannot_work_are_refused() -> None:
    whole = WhatsAppSettings("1", "t", "s", None, "203.0.113.9:1", "http://127.0.0.1:1")
    with pytest.raises(BadCredentials, match="`app_secret` must be set"):
        open_platform(WhatsAppSettings("1", "t"), MemoryState(), Path())
    with pytest.raises(BadCredentials, match="access token"):
        open_platform(WhatsAppSettings("1", "t", "s", api="http://graph.example"), MemoryState(), Path())
    platform = open_platform(whole, MemoryState(), Path())
    with pytest.raises(SendLater):
        await platform.connect(())

    async def nothing(_: object) -> None: ...

    with pytest.raises(BadCredentials, match=r"203\.0\.113\.9:1"):
        await platform.run(nothing)
    await platform.close()


async def _until_open(stage: WhatsAppStage) -> None:
    """The listener is open when a call is answered."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await stage.server.caller.get()
            except OSError:
                await asyncio.sleep(0.01)
            else:
                return
