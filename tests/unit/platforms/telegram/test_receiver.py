"""Receiving from the strict server: nothing is lost, nothing is acknowledged too early, nothing ends the loop."""

from __future__ import annotations

import asyncio
import logging
import traceback

import pytest

from baton.core.errors import BadCredentials, SendLater, SomebodyElse
from baton.engine.aio import Backoff
from baton.ports.platform import Button, Outgoing
from tests.support.platforms.telegram.stage import TelegramStage
from tests.support.platforms.telegram.world import BOT, OWNER, TOKEN
from tests.unit.platforms.telegram.conftest import Running

pytestmark = pytest.mark.anyio


async def test_a_message_is_acknowledged_only_after_it_was_kept(stage: TelegramStage, running: Running) -> None:
    world = stage.server.world
    running.inbox.failures = 2
    first = await stage.says(stage.room, "first")
    second = await stage.says(stage.room, "second")
    kept = await running.inbox.has(2)
    assert [each.id for each in kept] == [first, second]
    third = await stage.says(stage.room, "third")
    await running.inbox.has(3)
    acknowledged = {world.delivered[each]["update_id"] for each in (first, second)}
    assert acknowledged <= world.confirmed
    offsets = [given["offset"] for method, given in stage.server.calls if method == "getUpdates" and "offset" in given]
    assert min(offsets) > world.delivered[first]["update_id"]
    assert running.inbox.kept[-1].id == third


async def test_what_was_not_acknowledged_comes_again_to_the_next_gateway(stage: TelegramStage) -> None:
    said = [await stage.says(stage.room, f"number {n}") for n in range(3)]
    platform = stage.platform()
    await platform.connect([])
    stuck = asyncio.Event()

    async def sink(_: object) -> None:
        stuck.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(platform.run(sink))
    await stuck.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await platform.close()
    async with Running(stage.platform()) as again:
        assert [each.id for each in await again.inbox.has(3)] == said


async def test_what_was_kept_does_not_come_again_to_the_next_gateway(stage: TelegramStage) -> None:
    """Though it is stopped before it could acknowledge."""
    async with Running(stage.platform()) as up:
        before = await stage.says(stage.room, "before")
        await up.inbox.has(1)
        await stage.server.polled(2)
    await stage.redeliver(before)
    between = await stage.says(stage.room, "in between")
    async with Running(stage.platform()) as again:
        assert [each.id for each in await again.inbox.has(1)] == [between]


@pytest.mark.parametrize("known", [True, False])
async def test_only_what_the_sink_would_not_know_again_is_noted(stage: TelegramStage, known: bool) -> None:
    platform = stage.platform()
    await platform.connect([])

    async def sink(_: object) -> bool:
        return known

    task = asyncio.create_task(platform.run(sink))
    said = await stage.says(stage.room, "hello")
    while stage.server.world.delivered[said]["update_id"] not in stage.server.world.confirmed:
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await platform.close()
    number = str(stage.server.world.delivered[said]["update_id"])
    assert stage.state.get("kept") == (None if known else number)


@pytest.mark.parametrize("noted", ["", "x", "-5", "７", "9" * 40])
async def test_a_damaged_note_of_what_was_kept_costs_nothing(stage: TelegramStage, noted: str) -> None:
    stage.state.put("kept", noted)
    async with Running(stage.platform()) as up:
        said = await stage.says(stage.room, "hello")
        assert [each.id for each in await up.inbox.has(1)] == [said]


async def test_a_message_delivered_twice_has_the_same_id(stage: TelegramStage, running: Running) -> None:
    said = await stage.says(stage.room, "once")
    await running.inbox.has(1)
    await stage.redeliver(said)
    first, second = await running.inbox.has(2)
    assert first == second


async def test_a_quiet_week_costs_no_message(stage: TelegramStage, running: Running) -> None:
    """The server counts from another number then; an offset kept from before would throw the message away."""
    await stage.says(stage.room, "before")
    await running.inbox.has(1)
    await stage.server.polled(2)
    assert "offset" in stage.server.calls[-1][1]
    stage.server.expire()
    await stage.server.polled(3)
    assert "offset" not in stage.server.calls[-1][1]
    stage.server.world.count_from(5)
    await stage.says(stage.room, "after")
    assert [each.text for each in await running.inbox.has(2)] == ["before", "after"]


async def test_hostile_updates_are_skipped_and_the_rest_goes_on(
    stage: TelegramStage, running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    world = stage.server.world
    world.post("h1", message={"message_id": 1, "text": ["/handoff"], "from": {"id": OWNER}})
    world.post("h2", message="\x1b[2J")
    world.post("h3", surprise={"kind": 9})
    world.enqueue({"update_id": 901.5, "message": {}})
    after = await stage.says(stage.room, "still here")
    kept = await running.inbox.has(1)
    assert [each.id for each in kept] == [after]
    assert sum("skipped" in each.message for each in caplog.records) >= 3
    assert "\x1b" not in caplog.text
    stage.server.violations.clear()


async def test_our_own_and_other_bots_messages_never_come(stage: TelegramStage, running: Running) -> None:
    assert stage.group is not None
    chat = stage.server.world.chats[int(stage.group.room)]
    stage.people.posts(stage.server.world.message(chat, BOT, None, text="me"))
    other = {"id": 5, "is_bot": True, "first_name": "Other"}
    stage.people.posts(stage.server.world.message(chat, other, None, text="loop"))
    said = await stage.says(stage.group, "person", sender=stage.stranger)
    (only,) = await running.inbox.has(1)
    assert (only.id, only.sender, only.direct, only.place) == (said, stage.stranger, False, stage.group)


@pytest.mark.parametrize("nothing", [[], {}, None])
async def test_a_server_that_answers_nothing_at_once_is_asked_with_pauses(
    stage: TelegramStage, monkeypatch: pytest.MonkeyPatch, nothing: object
) -> None:
    answers, pauses, enough = 0, 0, asyncio.Event()

    async def answer(_: object) -> object:
        nonlocal answers
        answers += 1
        if answers == 5:
            enough.set()
            await asyncio.Event().wait()
        return nothing

    async def pause(*_: object) -> None:
        nonlocal pauses
        pauses += 1

    monkeypatch.setattr(stage.server, "_updates", answer)
    monkeypatch.setattr(Backoff, "wait", pause)
    async with Running(stage.platform()):
        await enough.wait()
    assert pauses == 4
    stage.server.violations.clear()


async def test_a_lost_connection_is_made_again(stage: TelegramStage, running: Running) -> None:
    await stage.says(stage.room, "before")
    await running.inbox.has(1)
    await stage.cut()
    said = await stage.says(stage.room, "meanwhile")
    await stage.restore()
    assert (await running.inbox.has(2))[-1].id == said


@pytest.mark.parametrize("private", [True, False])
async def test_a_reply_in_an_opened_topic_comes_from_the_place_that_was_given_back(
    stage: TelegramStage, running: Running, private: bool
) -> None:
    room = stage.room if private else stage.forum
    topic = await running.platform.open_thread(room, "A title", "key")
    assert topic != room
    await stage.says(topic, "here I am")
    await stage.says(room, "and outside")
    inside, outside = await running.inbox.has(2)
    assert (inside.place, inside.quotes, outside.place) == (topic, "", room)


async def test_a_reply_in_an_ordinary_group_is_no_thread(stage: TelegramStage, running: Running) -> None:
    assert stage.group is not None
    receipt = await running.platform.send(stage.group, Outgoing("hello all"), "k")
    (ours,) = stage.people.messages(stage.group)
    stage.people.says(stage.group, "yes?", reply_to_message=ours, message_thread_id=ours["message_id"])
    (reply,) = await running.inbox.has(1)
    assert (reply.place, reply.quotes, reply.text) == (stage.group, receipt, "yes?")


async def test_a_press_on_a_button_comes_as_a_choice_and_is_answered(stage: TelegramStage, running: Running) -> None:
    topic = await running.platform.open_thread(stage.room, "t", "k")
    message = Outgoing("Go on?", (Button("Yes", "draft:1:yes"), Button("No", "draft:1:no")))
    receipt = await running.platform.send(topic, message, "k")
    await stage.presses(topic, receipt, "draft:1:no")
    await stage.presses(topic, receipt, "draft:1:yes")
    first, second = await running.inbox.has(2)
    assert (first.choice, first.text, first.quotes, first.place) == ("draft:1:no", "", receipt, topic)
    assert (second.choice, second.sender) == ("draft:1:yes", stage.owner)
    await stage.redeliver(first.id)
    again = (await running.inbox.has(3))[-1]
    assert again == first
    assert first.id != second.id
    await stage.says(topic, "so the loop has gone on after a press that cannot be answered again")
    await running.inbox.has(4)
    assert len(stage.server.world.answered) == 2


async def test_the_older_of_two_receivers_stops(stage: TelegramStage, running: Running) -> None:
    await stage.says(stage.room, "one")
    await running.inbox.has(1)
    async with Running(stage.platform()) as newer:
        assert running.task is not None
        with pytest.raises(SomebodyElse):
            await running.task
        said = await stage.says(stage.room, "two")
        while newer.inbox.kept == [] or newer.inbox.kept[-1].id != said:
            await newer.inbox.has(len(newer.inbox.kept) + 1)


async def test_a_revoked_token_ends_the_loop(stage: TelegramStage, running: Running) -> None:
    await stage.says(stage.room, "one")
    await running.inbox.has(1)
    stage.server.token = "1:revoked"
    await stage.cut()
    await stage.restore()
    assert running.task is not None
    with pytest.raises(BadCredentials):
        await running.task


async def test_connect_says_who_we_are_and_lists_what_telegram_can_list(stage: TelegramStage) -> None:
    platform = stage.platform()
    assert await platform.connect([("/handoff", "Go on\nelsewhere"), ("status", ""), ("packet-only", "x")]) == (
        f"@{BOT['username']}"
    )
    assert stage.server.world.commands == [
        {"command": "handoff", "description": "Go on elsewhere"},
        {"command": "status", "description": "status"},
    ]
    assert stage.server.world.webhook == ""
    await platform.close()


async def test_wrong_credentials_are_told_at_once(stage: TelegramStage) -> None:
    platform = stage.imposter()
    with pytest.raises(BadCredentials) as told:
        await platform.connect([])
    assert TOKEN[:-1] not in "".join(traceback.format_exception(told.value))
    await platform.close()


async def test_a_server_that_is_not_there_is_later(stage: TelegramStage) -> None:
    platform = stage.platform()
    await stage.server.__aexit__(None, None, None)
    with pytest.raises(SendLater):
        await platform.connect([])
    await platform.close()


async def test_the_token_is_in_no_log_line(stage: TelegramStage, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with Running(stage.platform()) as up:
        await stage.says(stage.room, "hello")
        await up.inbox.has(1)
        await stage.fail(1)
        with pytest.raises(SendLater):
            await up.platform.send(stage.room, Outgoing("x"), "k")
        await stage.cut()
    ours = [each for each in caplog.records if not each.name.startswith(("asyncio", "aiohttp"))]
    assert TOKEN not in "".join(each.getMessage() for each in ours)


async def test_an_edit_is_asked_for_and_arrives_with_what_it_corrects(stage: TelegramStage, running: Running) -> None:
    said = await stage.says(stage.room, "first")
    (first,) = await running.inbox.has(1)
    message = stage.server.world.delivered[said]["message"]
    stage.server.world.post("edit", edited_message={**message, "text": "second", "edit_date": message["date"] + 9})
    edit = (await running.inbox.has(2))[1]
    assert (edit.text, edit.corrects, edit.place) == ("second", first.id, first.place)
    assert edit.id != first.id
