"""Messages on their way out: each once, and what became of it told truly."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import time
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from baton.adapters.platforms.discord.platform import open_platform
from baton.config.platform_settings import DiscordSettings
from baton.core.errors import BadCredentials, SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Button, File, Outgoing, Platform, Upload
from tests.support.platforms.discord import shapes
from tests.support.platforms.discord.stage import DiscordStage
from tests.unit.platforms.discord.conftest import listening

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[4]


@pytest.fixture
async def platform(stage: DiscordStage) -> AsyncIterator[Platform]:
    platform = stage.platform()
    await platform.connect([])
    yield platform
    await platform.close()


class Clock:
    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


@pytest.fixture
async def later(stage: DiscordStage) -> AsyncIterator[tuple[Platform, Clock]]:
    """A platform of which the clock can be moved."""
    from baton.adapters.platforms.discord.platform import DiscordPlatform

    stage.platform()
    given = {name: str(each) for name, each in stage.settings().items()}
    clock = Clock()
    platform = DiscordPlatform(DiscordSettings(**given), stage.state, clock)
    await platform.connect([])
    yield platform, clock
    await platform.close()


async def test_a_message_is_shown_once_whatever_becomes_of_the_answer(stage: DiscordStage, platform: Platform) -> None:
    await stage.swallow(2)
    for _ in range(2):
        with pytest.raises(SendUnsure):
            await platform.send(stage.room, Outgoing("once"), "key")
    receipt = await platform.send(stage.room, Outgoing("once"), "key")
    assert await stage.texts(stage.room) == ["once"]
    assert await platform.find(stage.room, "key") == receipt
    assert await platform.find(stage.room, "another") is None


async def test_an_answer_that_never_comes_is_waited_for_only_so_long(
    stage: DiscordStage, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("baton.adapters.platforms.http_calls.TOTAL", 0.5)
    stage.server.swallow(1, hang=True)
    with pytest.raises(SendUnsure):
        await platform.send(stage.room, Outgoing("once"), "key")
    assert await stage.texts(stage.room) == ["once"]


async def test_after_the_window_of_the_nonce_the_message_is_looked_for(
    stage: DiscordStage, later: tuple[Platform, Clock]
) -> None:
    platform, clock = later
    await platform.send(stage.room, Outgoing("same words"), "first")
    await stage.swallow(1)
    with pytest.raises(SendUnsure):
        await platform.send(stage.room, Outgoing("same words"), "second")
    stage.server.world.nonces.clear()
    clock.ahead = 3600.0
    receipt = await platform.send(stage.room, Outgoing("same words"), "second")
    assert await stage.texts(stage.room) == ["same words", "same words"]
    assert receipt == stage.server.world.in_channel(stage.room.room)[-1]["id"]


async def test_after_the_window_what_never_arrived_is_sent(stage: DiscordStage, later: tuple[Platform, Clock]) -> None:
    platform, clock = later
    await platform.send(stage.room, Outgoing("same words"), "first")
    await stage.fail(1)
    with pytest.raises(SendUnsure):
        await platform.send(stage.room, Outgoing("same words"), "second")
    stage.server.world.nonces.clear()
    clock.ahead = 3600.0
    await platform.send(stage.room, Outgoing("same words"), "second")
    assert await stage.texts(stage.room) == ["same words", "same words"]


async def test_what_is_known_to_be_sent_is_not_sent_again_after_a_restart(stage: DiscordStage) -> None:
    async with listening(stage.platform()) as client:
        receipt = await client.platform.send(stage.room, Outgoing("once"), "key")
    stage.server.world.nonces.clear()
    async with listening(stage.platform()) as client:
        assert await client.platform.send(stage.room, Outgoing("once"), "key") == receipt
    assert await stage.texts(stage.room) == ["once"]


async def test_discord_says_later_and_we_do_not_try_inside(stage: DiscordStage, platform: Platform) -> None:
    await stage.limit(1, 0.25)
    with pytest.raises(SendLater) as caught:
        await platform.send(stage.room, Outgoing("x"), "key")
    assert caught.value.after == 0.25
    assert await stage.texts(stage.room) == []
    await platform.send(stage.room, Outgoing("x"), "key")
    assert await stage.texts(stage.room) == ["x"]


async def test_an_error_of_discord_is_met_once(stage: DiscordStage, platform: Platform) -> None:
    await stage.fail(2)
    for _ in range(2):
        with pytest.raises(SendUnsure):
            await platform.send(stage.room, Outgoing("x"), "key")
    await platform.send(stage.room, Outgoing("x"), "key")
    assert await stage.texts(stage.room) == ["x"]


REFUSED = {
    "no such channel": (Place("discord", "1"), Outgoing("x")),
    "too long": (None, Outgoing("x" * 2001)),
    "empty": (None, Outgoing(" ")),
    "two buttons alike": (None, Outgoing("x", (Button("a", "c"), Button("b", "c")))),
}


@pytest.mark.parametrize(("place", "message"), REFUSED.values(), ids=REFUSED)
async def test_what_discord_will_never_take(
    stage: DiscordStage, platform: Platform, place: Place | None, message: Outgoing
) -> None:
    with pytest.raises(SendRefused):
        await platform.send(place or stage.room, message, "key")


async def test_the_longest_message_is_taken_whole(stage: DiscordStage, platform: Platform) -> None:
    text = "🎺" * platform.abilities.limit
    assert platform.size(text) == platform.abilities.limit
    await platform.send(stage.room, Outgoing(text), "key")
    assert await stage.texts(stage.room) == [text]


async def test_discord_out_of_reach_is_later(stage: DiscordStage, platform: Platform) -> None:
    await stage.server.__aexit__(None, None, None)
    with pytest.raises(SendLater):
        await platform.send(stage.room, Outgoing("x"), "key")
    with pytest.raises(SendLater):
        await platform.show_typing(stage.room)
    with pytest.raises(SendLater):
        await platform.connect([])


async def test_wrong_credentials_are_told_at_once_and_are_nowhere_in_the_error(
    stage: DiscordStage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    platform = stage.imposter()
    with pytest.raises(BadCredentials) as caught:
        await platform.connect([])
    await platform.close()
    assert "not.a.token" not in str(caught.value) + repr(caught.value.__context__) + caplog.text


async def test_nothing_secret_is_logged(stage: DiscordStage, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with listening(stage.platform()) as client:
        await stage.says(stage.room, "x")
        await client.next()
        receipt = await client.platform.send(stage.room, Outgoing("x", (Button("Yes", "y"),)), "key")
        await stage.presses(stage.room, receipt, "y")
        await client.next()
        await stage.limit(1, 0.1)
        with pytest.raises(SendLater):
            await client.platform.send(stage.room, Outgoing("y"), "key 2")
    secrets = [str(stage.settings()["token"]), *stage.server.rest.interactions.values()]
    assert [each for each in secrets if each in caplog.text] == []


async def test_edits_replace_text_and_buttons_and_the_same_again_is_harmless(
    stage: DiscordStage, platform: Platform
) -> None:
    receipt = await platform.send(stage.room, Outgoing("Run it?", (Button("Yes", "y"),)), "key")
    for _ in range(2):
        await platform.edit(stage.room, receipt, Outgoing("Ran it."))
    assert await stage.texts(stage.room) == ["Ran it."]
    assert stage.server.world.messages[receipt]["components"] == []
    with pytest.raises(SendRefused):
        await platform.edit(stage.room, "../1", Outgoing("x"))


async def test_typing_is_shown_and_never_refused(stage: DiscordStage, platform: Platform) -> None:
    await platform.show_typing(stage.room)
    await platform.show_typing(Place("discord", "1"))
    assert await stage.typed(stage.room) == 1


async def test_a_thread_is_public_and_the_same_for_the_same_key(stage: DiscordStage, platform: Platform) -> None:
    first = await platform.open_thread(stage.room, "Fix the build", "key")
    assert await platform.open_thread(stage.room, "Fix the build", "key") == first
    assert await platform.open_thread(first, "Fix the build", "key") == first
    other = await platform.open_thread(stage.room, "Fix the build", "another key")
    assert other != first
    kinds = [each["type"] for each in stage.server.world.channels.values() if each.get("parent_id")]
    assert kinds == [11, 11]
    assert await stage.texts(stage.room) == ["Fix the build", "Fix the build"]


async def test_a_thread_whose_beginning_was_interrupted_is_found_again(stage: DiscordStage) -> None:
    async with listening(stage.platform()) as client:
        await stage.swallow(1)
        with pytest.raises(SendUnsure):
            await client.platform.open_thread(stage.room, "Work", "key")
    async with listening(stage.platform()) as client:
        thread = await client.platform.open_thread(stage.room, "Work", "key")
        said = await stage.says(thread, "here")
        found = await client.next()
        assert (found.id, found.place) == (said, thread)
    assert await stage.texts(stage.room) == ["Work"]


async def test_where_no_thread_can_be_the_place_is_the_room(stage: DiscordStage, platform: Platform) -> None:
    assert await platform.open_thread(stage.chat, "Work", "key") == stage.chat
    assert await stage.texts(stage.chat) == []
    stage.server.world.no_threads = True
    assert await platform.open_thread(stage.room, "Work", "key") == stage.room
    assert await stage.texts(stage.room) == ["Work"]


async def test_a_post_of_a_forum_stays_the_place(stage: DiscordStage, platform: Platform) -> None:
    world = stage.server.world
    post = shapes.thread(world.new_id(), world.forum, "Question", world.owner["id"], 11, 1440)
    world.channels[post["id"]] = post
    place = Place("discord", world.forum["id"], post["id"])
    assert await platform.open_thread(place, "Work", "key") == place
    await platform.send(place, Outgoing("x"), "key")
    assert await stage.texts(place) == ["x"]


async def test_files_go_out_and_come_in(stage: DiscordStage) -> None:
    data = os.urandom(300_000)
    async with listening(stage.platform()) as client:
        upload = Upload("größe.bin", "application/octet-stream", data)
        await client.platform.send(stage.room, Outgoing("Here.", file=upload), "key")
        assert await stage.files(stage.room) == [("größe.bin", data)]
        await stage.says(stage.room, "", file=("in.bin", data))
        (file,) = (await client.next()).files
        assert (file.name, file.size) == ("in.bin", len(data))
        assert await client.platform.fetch(file) == data


@pytest.mark.parametrize("name", ["api", "gateway"])
async def test_the_token_is_never_sent_unencrypted_to_another_machine(stage: DiscordStage, name: str) -> None:
    address = {"api": "http://192.0.2.1/api/v10", "gateway": "ws://192.0.2.1"}[name]
    settings = DiscordSettings(**{"token": "t", name: address})
    with pytest.raises(BadCredentials, match="not encrypted"):
        open_platform(settings, stage.state, ROOT)
    assert open_platform(DiscordSettings("t"), stage.state, ROOT).name == "discord"


@pytest.mark.parametrize("ref", ["", "1/2", "http://127.0.0.1/x", "1/2/../3", "1/2/3"])
async def test_files_that_are_none_are_refused(platform: Platform, ref: str) -> None:
    with pytest.raises(SendRefused):
        await platform.fetch(File(ref, "x"))


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/a", "https://cdn.discordapp.com/a", "file:///etc/passwd", "//x", "http://[", ""]
)
async def test_a_file_is_fetched_from_the_platform_only(stage: DiscordStage, platform: Platform, url: str) -> None:
    said = await stage.says(stage.room, "", file=("in.bin", b"x"))
    (attachment,) = stage.server.world.messages[said]["attachments"]
    attachment["url"] = url
    with pytest.raises(SendRefused):
        await platform.fetch(File(f"{stage.room.room}/{said}/{attachment['id']}", "x"))


async def test_a_file_that_is_too_large_or_gone_is_refused(stage: DiscordStage, platform: Platform) -> None:
    said = await stage.says(stage.room, "", file=("in.bin", bytes(20_000_001)))
    (attachment,) = stage.server.world.messages[said]["attachments"]
    file = File(f"{stage.room.room}/{said}/{attachment['id']}", "in.bin")
    with pytest.raises(SendRefused, match="20 MB"):
        await platform.fetch(file)
    stage.server.world.files.clear()
    with pytest.raises(SendRefused, match="HTTP 404"):
        await platform.fetch(file)


async def test_the_stand_in_runs_alone_and_can_be_driven_from_outside(stage: DiscordStage) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.platforms.discord", stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    try:
        about = json.loads(await process.stdout.readline())
        platform = open_platform(DiscordSettings(**about["settings"]), stage.state, ROOT)
        async with listening(platform) as client:
            body = json.dumps({"place": about["room"], "text": "hello", "sender": about["owner"]}).encode()
            request = urllib.request.Request(f"{about['admin']}/says", body, {"Content-Type": "application/json"})
            answer = await asyncio.to_thread(lambda: json.load(urllib.request.urlopen(request)))
            assert (await client.next()).id == answer["id"]
    finally:
        process.kill()
        await process.wait()
