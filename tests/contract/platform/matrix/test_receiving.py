"""What comes in: everything that was said since we came, once, in order, and nothing from before."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

import pytest

from baton.core.errors import BadCredentials, SomebodyElse
from baton.ports.platform import Inbound, Outgoing
from tests.contract.platform.matrix.kit import Ear, connected, receiving
from tests.support.patience import PATIENCE
from tests.support.platforms.matrix.stage import MatrixStage

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


async def test_what_was_said_before_the_first_start_is_history(stage: MatrixStage) -> None:
    await stage.says(stage.room, "before")
    async with connected(stage) as platform, receiving(platform) as ear:
        await stage.says(stage.room, "after")
        assert await ear.texts(1) == ["after"]


async def test_more_than_one_answer_holds_comes_whole_and_in_order(stage: MatrixStage) -> None:
    said = [f"message {number}" for number in range(70)]
    async with connected(stage) as platform, receiving(platform) as ear:
        await stage.cut()
        for text in said:
            await stage.says(stage.room, text)
        await stage.restore()
        heard = await ear.texts(len(said))
        limited = [
            answer["rooms"]["join"][stage.room.room]["timeline"]["limited"]
            for answer in stage.proxy.syncs
            if stage.room.room in answer.get("rooms", {}).get("join", {})
        ]

    assert heard == said
    assert any(limited), "the gap was none: the test asks nothing"


async def test_what_was_said_while_we_were_stopped_comes_at_the_next_start(stage: MatrixStage) -> None:
    async with connected(stage) as platform, receiving(platform) as ear:
        await stage.says(stage.room, "one")
        await ear.texts(1)
    for text in ("two", "three"):
        await stage.says(stage.room, text)
    async with connected(stage) as restarted, receiving(restarted) as ear:
        assert await ear.texts(2) == ["two", "three"]


async def test_a_message_that_was_not_kept_comes_again_after_a_kill(stage: MatrixStage) -> None:
    reached = asyncio.Event()

    async def dies(_: Inbound) -> None:
        reached.set()
        await asyncio.Event().wait()

    async with connected(stage) as platform:
        task = asyncio.create_task(platform.run(dies))
        await stage.says(stage.room, "keep me")
        await asyncio.wait_for(reached.wait(), PATIENCE)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    async with connected(stage) as restarted, receiving(restarted) as ear:
        assert await ear.texts(1) == ["keep me"]


async def test_an_invitation_is_accepted_and_what_was_said_with_it_is_heard(stage: MatrixStage) -> None:
    owner = stage.people[stage.owner]
    async with connected(stage) as platform, receiving(platform) as ear:
        room = await owner.make_room(is_direct=True)
        await owner.say(room, {"msgtype": "m.text", "body": "not for you"})
        await owner.invite(room, stage.bot.id)
        await owner.say(room, {"msgtype": "m.text", "body": "hello"})
        first = await ear.next()
        await owner.say(room, {"msgtype": "m.text", "body": "and now?"})
        second = await ear.next()

    assert [(each.text, each.direct, each.place.room) for each in (first, second)] == [
        ("hello", True, room),
        ("and now?", True, room),
    ]


async def test_a_room_with_a_third_person_is_not_direct_even_if_they_are_only_invited(stage: MatrixStage) -> None:
    async with connected(stage) as platform, receiving(platform) as ear:
        await stage.says(stage.room, "alone")
        alone = await ear.next()
        await stage.people[stage.owner].invite(stage.room.room, stage.stranger.removeprefix("matrix:"))
        await stage.says(stage.room, "not alone")
        together = await ear.next()

    assert (alone.direct, together.direct) == (True, False)


async def test_an_answer_names_our_message_and_nobody_elses(stage: MatrixStage) -> None:
    owner = stage.people[stage.owner]

    async def answers(event: str, text: str) -> None:
        content = {"msgtype": "m.text", "body": text, "m.relates_to": {"m.in_reply_to": {"event_id": event}}}
        await owner.say(stage.room.room, content)

    async with connected(stage) as platform:
        receipt = await platform.send(stage.room, Outgoing("shall I?"), "k1")
    async with connected(stage) as restarted, receiving(restarted) as ear:
        theirs = await stage.says(stage.room, "a note to self")
        await answers(theirs, "> <@me:x> a note\n\nno")
        await answers(receipt, "> <@bot:x> shall I?\n> really\n\nyes")
        await answers("$nothing", "what?")
        heard = [await ear.next() for _ in range(4)]

    assert [(each.text, each.quotes) for each in heard] == [
        ("a note to self", ""),
        ("no", ""),
        ("yes", receipt),
        ("what?", ""),
    ]


async def test_two_processes_with_one_device_are_one_too_many(stage: MatrixStage) -> None:
    async with connected(stage) as platform, receiving(platform) as ear:
        await stage.says(stage.room, "first")
        await ear.texts(1)
        async with connected(stage) as other:
            with pytest.raises(SomebodyElse):
                await asyncio.wait_for(other.run(Ear()), PATIENCE)


async def test_a_device_that_was_logged_out_ends_the_run_and_a_new_login_goes_on(stage: MatrixStage) -> None:
    async with connected(stage) as platform:
        task = asyncio.create_task(platform.run(Ear()))
        await stage.bot.call("POST", "logout", "all", body={})
        with pytest.raises(BadCredentials):
            await asyncio.wait_for(task, PATIENCE)
    await stage.says(stage.room, "meanwhile")
    async with connected(stage) as again, receiving(again) as ear:
        assert await ear.texts(1) == ["meanwhile"]
        await again.send(stage.room, Outgoing("back"), "k1")
    assert await stage.texts(stage.room) == ["back"]


async def test_a_position_the_server_does_not_know_is_a_new_beginning(stage: MatrixStage) -> None:
    async with connected(stage):
        pass
    (key,) = [key for key in stage.state.texts if key.startswith("since ")]
    stage.state.put(key, "rubbish")
    await stage.says(stage.room, "lost")
    async with connected(stage) as platform, receiving(platform) as ear:
        await stage.says(stage.room, "heard")
        assert await ear.texts(1) == ["heard"]


async def test_a_restart_is_the_same_device_and_its_files_are_ours_alone(stage: MatrixStage) -> None:
    devices: list[str] = []
    for _ in range(2):
        async with connected(stage):
            found = (await stage.bot.call("GET", "devices"))["devices"]
            devices.append(" ".join(sorted(each["device_id"] for each in found)))

    assert devices[0] == devices[1]
    assert stage.home.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in stage.home.iterdir()} == {
        path.name: 0o600 for path in stage.home.iterdir()
    }


async def test_neither_password_nor_token_is_logged(stage: MatrixStage, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with connected(stage) as platform, receiving(platform) as ear:
        await stage.cut()
        await stage.restore()
        await stage.says(stage.room, "a private matter")
        await ear.texts(1)
    imposter = stage.imposter()
    with pytest.raises(BadCredentials) as refused:
        await imposter.connect([])
    await imposter.close()

    token = (stage.home / "login.json").read_text().partition('"token": "')[2].partition('"')[0]
    said = caplog.text + str(refused.value) + repr(refused.value.facts)
    assert len(token) > 10
    assert not [secret for secret in (token, "correct-horse", "a private matter") if secret in said]
