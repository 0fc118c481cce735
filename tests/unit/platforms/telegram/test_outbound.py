"""Sending to the strict server, and what is said when it goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from baton.adapters.platforms.telegram.api import Api
from baton.adapters.platforms.telegram.platform import TelegramPlatform, open_platform
from baton.config.platform_settings import TelegramSettings
from baton.core.errors import BadCredentials, SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Button, File, Outgoing, Platform, Upload
from tests.support.platforms.state import MemoryState
from tests.support.platforms.telegram.server import Trouble
from tests.support.platforms.telegram.stage import TelegramStage
from tests.support.platforms.telegram.world import TOKEN

pytestmark = pytest.mark.anyio

PNG = Upload("plot.png", "image/png", b"\x89PNG fine")


@pytest.fixture
async def platform(stage: TelegramStage) -> AsyncIterator[Platform]:
    made = stage.platform()
    yield made
    await made.close()


async def test_text_up_to_the_limit_arrives_whole(stage: TelegramStage, platform: Platform) -> None:
    text = "**" + "😀" * 2047 + "**.x"
    assert platform.size(text) == platform.abilities.limit
    await platform.send(stage.room, Outgoing(text), "k")
    assert await stage.texts(stage.room) == [text.replace("*", "")]
    with pytest.raises(SendRefused):
        await platform.send(stage.room, Outgoing("x" * 4097), "k")


async def test_links_show_no_preview(stage: TelegramStage, platform: Platform) -> None:
    await platform.send(stage.room, Outgoing("https://example.org/?q=secret"), "k")
    _, given = stage.server.calls[-1]
    assert given["link_preview_options"] == {"is_disabled": True}


async def test_a_text_whose_styles_are_refused_goes_plain(stage: TelegramStage, platform: Platform) -> None:
    stage.server.troubles.append(Trouble("refuse", reason="can't parse entities: something new"))
    await platform.send(stage.room, Outgoing("**bold**"), "k")
    (shown,) = stage.people.messages(stage.room)
    assert (shown["text"], shown.get("entities")) == ("bold", None)


async def test_other_refusals_are_final(stage: TelegramStage, platform: Platform) -> None:
    stage.server.troubles.append(Trouble("refuse", reason="not enough rights to send text messages to the chat"))
    with pytest.raises(SendRefused, match="not enough rights"):
        await platform.send(stage.room, Outgoing("**bold**"), "k")
    assert await stage.texts(stage.room) == []


async def test_an_edit_replaces_text_and_buttons_and_repeats_harmlessly(
    stage: TelegramStage, platform: Platform
) -> None:
    receipt = await platform.send(stage.room, Outgoing("Go on?", (Button("Yes", "y"), Button("No", "n"))), "k")
    for _ in range(2):
        await platform.edit(stage.room, receipt, Outgoing("*Done*"))
    (shown,) = stage.people.messages(stage.room)
    assert (shown["text"], "reply_markup" in shown) == ("Done", False)
    for receipt in ("99999", "x", ""):
        with pytest.raises(SendRefused):
            await platform.edit(stage.room, receipt, Outgoing("x"))


async def test_a_picture_is_a_photo_and_its_caption_can_be_edited(stage: TelegramStage, platform: Platform) -> None:
    receipt = await platform.send(stage.room, Outgoing("a **plot**", (Button("Ok", "ok"),), PNG), "k")
    assert await stage.files(stage.room) == [(PNG.name, PNG.data)]
    for _ in range(2):
        await platform.edit(stage.room, receipt, Outgoing("the plot"))
    (shown,) = stage.people.messages(stage.room)
    assert (shown["caption"], "photo" in shown, "reply_markup" in shown) == ("the plot", True, False)


async def test_a_picture_that_is_none_for_the_server_goes_as_a_document(
    stage: TelegramStage, platform: Platform
) -> None:
    odd = Upload("odd.png", "image/png", b"\x89PNG broken")
    await platform.send(stage.room, Outgoing("", file=odd), "k")
    (shown,) = stage.people.messages(stage.room)
    assert shown["document"]["file_name"] == "odd.png"
    assert await stage.files(stage.room) == [("odd.png", odd.data)]


async def test_a_text_too_long_for_a_caption_stands_before_its_file(stage: TelegramStage, platform: Platform) -> None:
    receipt = await platform.send(stage.room, Outgoing("x" * 1025, file=Upload("a.md", "text/markdown", b"# a")), "k")
    text, file = stage.people.messages(stage.room)
    assert (str(text["message_id"]), len(text["text"]), "document" in file, "caption" in file) == (
        receipt,
        1025,
        True,
        False,
    )


async def test_a_file_that_fails_after_its_text_is_unsure(stage: TelegramStage, platform: Platform) -> None:
    stage.server.troubles.extend([Trouble("pass"), Trouble("limit", 1)])
    with pytest.raises(SendUnsure):
        await platform.send(stage.room, Outgoing("x" * 1025, file=Upload("a.md", "text/markdown", b"# a")), "k")


async def test_a_file_larger_than_the_server_takes_is_refused_here(stage: TelegramStage, platform: Platform) -> None:
    with pytest.raises(SendRefused, match="50 MB"):
        await platform.send(stage.room, Outgoing("", file=Upload("a", "", bytes(50_000_001))), "k")
    assert stage.server.calls == []


async def test_a_limit_is_told_and_not_waited_for(stage: TelegramStage, platform: Platform) -> None:
    await stage.limit(1, 40)
    with pytest.raises(SendLater) as told:
        await platform.send(stage.room, Outgoing("x"), "k")
    assert told.value.after == 40
    await platform.send(stage.room, Outgoing("x"), "k")
    assert await stage.texts(stage.room) == ["x"]


async def test_an_internal_error_is_later(stage: TelegramStage, platform: Platform) -> None:
    await stage.fail(1)
    with pytest.raises(SendLater):
        await platform.send(stage.room, Outgoing("x"), "k")
    assert await stage.texts(stage.room) == []


async def test_a_lost_answer_is_unsure(stage: TelegramStage, platform: Platform) -> None:
    await stage.swallow(1)
    with pytest.raises(SendUnsure):
        await platform.send(stage.room, Outgoing("x"), "k")
    assert await stage.texts(stage.room) == ["x"]


async def test_an_answer_that_never_comes_is_unsure_in_the_end(stage: TelegramStage) -> None:
    platform = TelegramPlatform(Api(TOKEN, stage.server.url, patience=0.3), MemoryState())
    stage.server.troubles.append(Trouble("swallow", 600))
    with pytest.raises(SendUnsure, match="in time"):
        await platform.send(stage.room, Outgoing("x"), "k")
    await platform.close()


async def test_a_server_that_is_not_there_is_later(stage: TelegramStage, platform: Platform) -> None:
    await stage.server.__aexit__(None, None, None)
    with pytest.raises(SendLater):
        await platform.send(stage.room, Outgoing("x"), "k")


@pytest.mark.parametrize("where", [Place("telegram", "12345"), Place("telegram", "777", "55"), Place("telegram", "x")])
async def test_an_unknown_place_is_refused(stage: TelegramStage, platform: Platform, where: Place) -> None:
    with pytest.raises(SendRefused):
        await platform.send(where, Outgoing("x"), "k")
    await platform.show_typing(where)


async def test_typing_is_shown_in_the_topic(stage: TelegramStage, platform: Platform) -> None:
    topic = await platform.open_thread(stage.forum, "t", "k")
    await platform.show_typing(topic)
    await platform.show_typing(stage.room)
    seen = [await stage.typed(where) for where in (topic, stage.forum, stage.room)]
    assert seen == [1, 0, 1]


async def test_the_same_key_opens_the_same_topic_after_a_restart(stage: TelegramStage, platform: Platform) -> None:
    topic = await platform.open_thread(stage.room, "😀" * 200, "transfer/1")
    again = stage.platform()
    assert await again.open_thread(stage.room, "other title", "transfer/1") == topic
    assert await again.open_thread(stage.room, "t", "transfer/2") != topic
    await again.close()
    await platform.send(topic, Outgoing("arrived"), "k")
    assert (await stage.texts(topic), await stage.texts(stage.room)) == (["arrived"], [])


async def test_where_there_are_no_topics_the_room_itself_is_given_back(
    stage: TelegramStage, platform: Platform
) -> None:
    assert stage.group is not None
    assert await platform.open_thread(stage.group, "t", "k") == stage.group
    with pytest.raises(SendRefused, match="chat not found"):
        await platform.open_thread(Place("telegram", "12345"), "t", "k")


async def test_files_come_from_the_server_even_if_one_of_that_path_is_here(
    stage: TelegramStage, platform: Platform, isolated: Path
) -> None:
    reference = stage.server.world.keep_file("naïve ?#%.txt", b"theirs")
    here = isolated / "documents" / reference / "naïve ?#%.txt"
    here.parent.mkdir(parents=True)
    here.write_bytes(b"ours, secret")
    assert await platform.fetch(File(reference, "x")) == b"theirs"


async def test_a_file_that_is_gone_or_too_large_is_refused(stage: TelegramStage, platform: Platform) -> None:
    world = stage.server.world
    large = world.keep_file("large", bytes(20_000_001))
    with pytest.raises(SendRefused, match="too big"):
        await platform.fetch(File(large, "large"))
    with pytest.raises(SendRefused, match="20 MB"):
        await platform.fetch(File(large, "large", size=20_000_001))
    with pytest.raises(SendRefused, match="wrong file_id"):
        await platform.fetch(File("unknown", "x"))
    world.vanishing.add(large)
    world.files[large] = ("small", b"x")
    with pytest.raises(SendRefused, match="gone"):
        await platform.fetch(File(large, "x"))


async def test_many_sends_at_once_all_arrive(stage: TelegramStage, platform: Platform) -> None:
    await asyncio.gather(*(platform.send(stage.room, Outgoing(f"n{n}"), "k") for n in range(30)))
    assert sorted(await stage.texts(stage.room)) == sorted(f"n{n}" for n in range(30))


def test_without_a_token_or_over_an_open_line_nothing_is_opened(tmp_path: Path) -> None:
    for settings in (TelegramSettings(), TelegramSettings(token=TOKEN, api="http://example.org")):
        with pytest.raises(BadCredentials) as told:
            open_platform(settings, MemoryState(), tmp_path)
        assert TOKEN not in str(told.value)
