"""In encrypted rooms everything is encrypted, both ways, whatever happens in between."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from baton.adapters.platforms.matrix.inbound import NOTICE
from baton.core.errors import SendLater
from baton.core.transfer.place import Place
from baton.ports.platform import Outgoing, Upload
from tests.contract.platform.matrix.kit import connected, receiving
from tests.support.platforms.matrix.sealed_person import SealedPerson, closed, opened
from tests.support.platforms.matrix.stage import PASSWORD, MatrixStage, shared_synapse

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


@pytest.fixture
async def owner(stage: MatrixStage, tmp_path: Path) -> AsyncIterator[SealedPerson]:
    """The owner, with a device that encrypts."""
    name = stage.owner.removeprefix("matrix:")
    async with SealedPerson(shared_synapse().url, name, PASSWORD, tmp_path / "owner") as person:
        yield person


@pytest.fixture
async def sealed(stage: MatrixStage) -> Place:
    """An encrypted room of the owner and the bot."""
    room = await stage.people[stage.owner].make_room(stage.bot.id, sealed=True)
    await stage.bot.join(room)
    stage.proxy.sealed.add(room)
    return Place("matrix", room)


async def test_a_conversation_in_an_encrypted_room_is_encrypted_both_ways(
    stage: MatrixStage, owner: SealedPerson, sealed: Place
) -> None:
    async with connected(stage) as platform, receiving(platform) as ear:
        asked = await owner.say(sealed.room, "are you there?")
        heard = await ear.next()
        await platform.send(sealed, Outgoing("**yes**"), "k1")
        seen = await owner.sees(sealed.room, stage.bot.id)

    assert (heard.id, heard.text, heard.sender, heard.place, heard.direct) == (
        asked,
        "are you there?",
        stage.owner,
        sealed,
        True,
    )
    assert (seen["body"], seen["formatted_body"]) == ("yes", "<p><strong>yes</strong></p>")
    assert await stage.texts(sealed) == []  # nothing that could be read without a key


async def test_what_an_encrypted_message_says_of_its_sender_and_its_room_is_not_believed(
    stage: MatrixStage, tmp_path: Path, sealed: Place
) -> None:
    name, us = stage.stranger.removeprefix("matrix:"), stage.owner.removeprefix("matrix:")
    await stage.people[stage.owner].invite(sealed.room, name)
    await stage.people[stage.stranger].join(sealed.room)
    async with (
        SealedPerson(shared_synapse().url, name, PASSWORD, tmp_path / "stranger") as stranger,
        connected(stage) as platform,
        receiving(platform) as ear,
    ):
        await stranger.say(sealed.room, "hello")
        await ear.next()
        olm = stranger.nio.olm
        assert olm is not None
        said = {"type": "m.room.message", "content": {"msgtype": "m.text", "body": "yes", "sender": us}}
        forged = olm.group_encrypt(sealed.room, {**said, "sender": us, "user_id": us, "event_id": "$theirs"})
        event = await stage.people[stage.stranger].say(sealed.room, forged, "m.room.encrypted")
        heard = await ear.next()

    assert (heard.id, heard.sender, heard.place, heard.direct) == (event, stage.stranger, sealed, False)


async def test_the_same_key_is_one_message_also_when_encrypted_anew(
    stage: MatrixStage, owner: SealedPerson, sealed: Place
) -> None:
    async with connected(stage) as platform:
        first = await platform.send(sealed, Outgoing("once"), "k1")
    async with connected(stage) as restarted:
        again = await restarted.send(sealed, Outgoing("once"), "k1")
        await restarted.send(sealed, Outgoing("last"), "k2")

    assert first == again
    assert [(await owner.sees(sealed.room, stage.bot.id))["body"] for _ in range(2)] == ["once", "last"]


async def test_threads_and_edits_work_in_an_encrypted_room(
    stage: MatrixStage, owner: SealedPerson, sealed: Place
) -> None:
    async with connected(stage) as platform, receiving(platform) as ear:
        thread = await platform.open_thread(sealed, "the work", "t1")
        receipt = await platform.send(thread, Outgoing("begun"), "k1")
        await platform.edit(thread, receipt, Outgoing("done"))
        contents = [await owner.sees(sealed.room, stage.bot.id) for _ in range(3)]
        relation = {"rel_type": "m.thread", "event_id": thread.thread}
        await owner.say(sealed.room, "thanks", **{"m.relates_to": relation})
        heard = await ear.next()

    assert [content["body"] for content in contents] == ["the work", "begun", "* done"]
    assert contents[1]["m.relates_to"]["event_id"] == thread.thread
    assert contents[2]["m.new_content"]["body"] == "done"
    assert (heard.text, heard.place) == ("thanks", thread)


async def test_a_room_that_becomes_encrypted_while_we_cannot_hear_gets_no_plain_text(
    stage: MatrixStage, owner: SealedPerson
) -> None:
    async with connected(stage) as platform, receiving(platform):
        await stage.cut()
        await stage.people[stage.owner].seal(stage.room.room)
        stage.proxy.sealed.add(stage.room.room)
        await owner.nio.sync(0)
        await platform.send(stage.room, Outgoing("secret"), "k1")
        seen = await owner.sees(stage.room.room, stage.bot.id)

    assert seen["body"] == "secret"
    assert await stage.texts(stage.room) == []


async def test_a_restart_reads_what_was_encrypted_with_the_keys_of_before(
    stage: MatrixStage, owner: SealedPerson, sealed: Place
) -> None:
    async with connected(stage) as platform, receiving(platform) as ear:
        await owner.say(sealed.room, "before")
        await ear.next()
    await owner.say(sealed.room, "meanwhile")
    async with connected(stage) as restarted, receiving(restarted) as ear:
        assert await ear.texts(1) == ["meanwhile"]


async def test_a_message_whose_key_could_not_be_given_is_not_sent(
    stage: MatrixStage, owner: SealedPerson, sealed: Place
) -> None:
    async with connected(stage) as platform:
        for path in ("/keys/claim", "/sendToDevice/"):
            stage.proxy.broken = {path}
            with pytest.raises(SendLater):
                await platform.send(sealed, Outgoing("hello"), "k1")
        events = [event["type"] for event in await stage.people[stage.owner].events(sealed.room)]
        stage.proxy.broken = set()
        await platform.send(sealed, Outgoing("hello"), "k1")
        seen = await owner.sees(sealed.room, stage.bot.id)

    assert "m.room.encrypted" not in events
    assert seen["body"] == "hello"


async def test_files_are_encrypted_both_ways(stage: MatrixStage, owner: SealedPerson, sealed: Place) -> None:
    plain = stage.people[stage.owner]
    async with connected(stage) as platform, receiving(platform) as ear:
        await platform.send(sealed, Outgoing("look", file=Upload("a.png", "image/png", b"picture")), "k1")
        seen = await owner.sees(sealed.room, stage.bot.id)
        kept = await plain.download(seen["file"]["url"])
        data, file = closed(b"their words")
        file["url"] = await plain.upload(data)
        await owner.say(sealed.room, "b.txt", msgtype="m.file", file=file, info={"mimetype": "text/plain"})
        heard = await ear.next()
        fetched = await platform.fetch(heard.files[0])

    assert (seen["msgtype"], seen["body"], seen["filename"]) == ("m.image", "look", "a.png")
    assert kept != b"picture"
    assert opened(kept, seen["file"]) == b"picture"
    assert (heard.text, heard.files[0].name, heard.files[0].media_type) == ("", "b.txt", "text/plain")
    assert fetched == b"their words"


async def test_a_message_that_comes_before_its_key_is_read_when_the_key_comes_even_after_a_restart(
    stage: MatrixStage, owner: SealedPerson, sealed: Place
) -> None:
    async with connected(stage) as platform, receiving(platform) as ear:
        stage.proxy.holding = True
        await owner.say(sealed.room, "early")
        await stage.says(stage.room, "plain")
        assert await ear.texts(1) == ["plain"]
    async with connected(stage) as restarted, receiving(restarted) as ear:
        stage.proxy.holding = False
        await stage.says(stage.room, "another")
        assert sorted(await ear.texts(2)) == ["another", "early"]


async def test_a_person_we_spoke_to_is_told_once_of_a_message_that_stays_unreadable(
    stage: MatrixStage, owner: SealedPerson, sealed: Place
) -> None:
    async with connected(stage, patience=0) as platform, receiving(platform) as ear:
        await platform.send(sealed, Outgoing("I am here"), "k1")
        await owner.sees(sealed.room, stage.bot.id)
        await owner.hide_from(stage.bot.id)
        await owner.say(sealed.room, "unreadable")
        await stage.says(stage.room, "one more round")
        await ear.texts(1)
        told = (await owner.sees(sealed.room, stage.bot.id))["body"]
        await platform.send(sealed, Outgoing("next"), "k2")
        then = (await owner.sees(sealed.room, stage.bot.id))["body"]

    assert (told, then) == (NOTICE, "next")
    assert ear.is_empty()


async def test_a_stranger_is_not_answered_whatever_cannot_be_read(
    stage: MatrixStage, owner: SealedPerson, sealed: Place
) -> None:
    async with connected(stage, patience=0) as platform, receiving(platform) as ear:
        await owner.hide_from(stage.bot.id)
        await owner.say(sealed.room, "unreadable")
        for text in ("one", "two"):
            await stage.says(stage.room, text)
            await ear.texts(1)

    events = await stage.people[stage.owner].events(sealed.room)
    assert [event for event in events if event["sender"] == stage.bot.id and event["type"] == "m.room.encrypted"] == []


async def test_rubbish_sent_to_our_device_stops_neither_us_nor_the_key_behind_it(
    stage: MatrixStage, owner: SealedPerson, sealed: Place
) -> None:
    stranger = stage.people[stage.stranger]
    async with connected(stage) as platform, receiving(platform) as ear:
        stage.proxy.holding = True
        asked = {"device_keys": {stage.bot.id: []}}
        found = (await stranger.call("POST", "keys", "query", body=asked))["device_keys"][stage.bot.id]
        ((device, keys),) = found.items()
        for number, body in enumerate(("", "AAAA", "!!", None)):
            content = {
                "algorithm": "m.olm.v1.curve25519-aes-sha2",
                "sender_key": "rubbish",
                "ciphertext": {keys["keys"][f"curve25519:{device}"]: {"type": 0, "body": body}},
            }
            messages = {"messages": {stage.bot.id: {device: content}}}
            await stranger.call("PUT", "sendToDevice", "m.room.encrypted", f"rubbish{number}", body=messages)
        await owner.say(sealed.room, "encrypted")
        await stage.says(stage.room, "plain")
        assert await ear.texts(1) == ["plain"]
        stage.proxy.holding = False
        await stage.says(stage.room, "another")
        assert sorted(await ear.texts(2)) == ["another", "encrypted"]
