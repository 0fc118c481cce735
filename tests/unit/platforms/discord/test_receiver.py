"""Messages on their way in, over a real connection to the stand-in."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from baton.core.errors import BadCredentials
from baton.ports.platform import Button, Outgoing
from tests.support.patience import PATIENCE
from tests.support.platforms.discord.stage import DiscordStage
from tests.unit.platforms.discord.conftest import Listening, listening

pytestmark = pytest.mark.anyio


async def at_once(*_: object, **__: object) -> None:
    """Instead of the five seconds that discord.py leaves between two new sessions."""


async def settled(stage: DiscordStage, client: Listening, text: str = "settled") -> None:
    """Everything said before has been dealt with, and it is kept how far was read."""
    said = await stage.says(stage.room, text)
    while (await client.next()).id != said:
        pass
    async with asyncio.timeout(PATIENCE):
        while int(stage.state.get(f"read/{stage.room.room}") or "0") < int(said):
            await asyncio.sleep(0.001)


async def test_what_is_said_before_the_gateway_has_answered_is_not_missed(stage: DiscordStage) -> None:
    async with listening(stage.platform()) as client:
        said = await stage.says(stage.room, "already here?")
        assert (await client.next()).id == said


async def test_messages_come_in_order_and_with_their_places(stage: DiscordStage) -> None:
    assert stage.group is not None
    async with listening(stage.platform()) as client:
        await settled(stage, client)
        sent = [await stage.says(place, f"{n}") for n in range(10) for place in (stage.room, stage.group, stage.chat)]
        got = [await client.next() for _ in sent]
        for place in (stage.room, stage.group, stage.chat):
            here = [each for each in got if each.place == place]
            assert [each.text for each in here] == [f"{n}" for n in range(10)]
            assert {each.direct for each in here} == {place == stage.chat}


async def test_a_message_the_sink_did_not_keep_comes_again(stage: DiscordStage) -> None:
    async with listening(stage.platform()) as client:
        client.fails = 2
        first, second = await stage.says(stage.room, "one"), await stage.says(stage.room, "two")
        assert [(await client.next()).id, (await client.next()).id] == [first, second]
        assert client.tried == [first, first, first, second]


async def test_what_was_not_kept_when_we_stopped_comes_after_the_restart(stage: DiscordStage) -> None:
    async with listening(stage.platform()) as client:
        await settled(stage, client)
        client.fails = 1000
        lost = await stage.says(stage.room, "lost?")
        while lost not in client.tried:
            await asyncio.sleep(0)
    async with listening(stage.platform()) as client:
        assert (await client.next()).id == lost


async def test_what_is_said_while_we_are_stopped_comes_in_order_and_once(stage: DiscordStage) -> None:
    async with listening(stage.platform()) as client:
        thread = await client.platform.open_thread(stage.room, "Work", "key")
        await client.platform.send(stage.chat, Outgoing("hello"), "greeting")
        await settled(stage, client)
    said = [await stage.says(stage.room, f"{n}") for n in range(230)]
    said += [await stage.says(place, "here too") for place in (thread, stage.chat)]
    async with listening(stage.platform()) as client:
        live = await stage.says(stage.room, "and live")
        got = [await client.next() for _ in range(len(said) + 1)]
        assert sorted((each.id for each in got), key=int) == [*said, live]
        assert [each.text for each in got if each.place == stage.room] == [*(f"{n}" for n in range(230)), "and live"]
        assert {each.place for each in got} == {stage.room, thread, stage.chat}
        assert [each.direct for each in got if each.place == stage.chat] == [True]
    async with listening(stage.platform()) as client:
        await settled(stage, client, "nothing twice")
        assert len(client.tried) == 1


async def test_a_lost_connection_is_resumed_and_nothing_is_missed(stage: DiscordStage) -> None:
    async with listening(stage.platform()) as client:
        await settled(stage, client)
        await stage.cut()
        missed = await stage.says(stage.chat, "never seen before")
        await stage.restore()
        assert (await client.next()).id == missed
        assert (stage.server.gateway.begun, stage.server.gateway.resumed) == (1, 1)


async def test_a_session_that_cannot_be_resumed_begins_anew_and_nothing_is_missed(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stage.group is not None
    monkeypatch.setattr("discord.Client.before_identify_hook", at_once)
    async with listening(stage.platform()) as client:
        await settled(stage, client)
        await stage.cut()
        missed = [await stage.says(stage.room, "one"), await stage.says(stage.group, "two")]
        stage.server.gateway.forget()
        await stage.restore()
        assert {(await client.next()).id, (await client.next()).id} == set(missed)
        assert stage.server.gateway.begun == 2


async def test_a_message_delivered_again_is_handed_over_once(stage: DiscordStage) -> None:
    async with listening(stage.platform()) as client:
        said = await stage.says(stage.room, "once")
        assert (await client.next()).id == said
        await stage.redeliver(said)
        await settled(stage, client)
        assert client.tried.count(said) == 1


async def test_bots_webhooks_and_we_ourselves_are_not_heard(stage: DiscordStage) -> None:
    robot = f"discord:{stage.server.world.robot['id']}"
    async with listening(stage.platform()) as client:
        await settled(stage, client, "begin")
        await client.platform.send(stage.room, Outgoing("mine"), "k")
        await stage.says(stage.room, "beep", sender=robot)
        await stage.server.says(stage.room, "hook", webhook_id="77")
        await settled(stage, client, "end")
        assert len(client.tried) == 2


async def test_an_own_message_moves_on_how_far_was_read(stage: DiscordStage) -> None:
    async with listening(stage.platform()) as client:
        await settled(stage, client)
        ours = await client.platform.send(stage.room, Outgoing("mine"), "k")
        await settled(stage, client)
        assert int(stage.state.texts[f"read/{stage.room.room}"]) >= int(ours)


async def test_a_press_is_acknowledged_after_it_was_kept(stage: DiscordStage) -> None:
    async with listening(stage.platform()) as client:
        await settled(stage, client)
        receipt = await client.platform.send(stage.room, Outgoing("Run it?", (Button("Yes", "allow:1"),)), "k")
        client.looked.clear()
        client.fails, client.look = 1, lambda: dict(stage.server.world.acknowledged)
        number = await stage.server.presses(stage.room, receipt, "allow:1")
        pressed = await client.next()
        assert client.looked == [{}, {}]
        assert (pressed.id, pressed.choice, pressed.quotes, pressed.sender) == (number, "allow:1", receipt, stage.owner)
        await settled(stage, client)
        assert stage.server.world.acknowledged == {number: 6}


HOSTILE: list[tuple[str, Any]] = [
    ("MESSAGE_CREATE", {}),
    ("MESSAGE_CREATE", {"id": "1", "channel_id": "../../users", "author": {"id": "2"}}),
    ("MESSAGE_CREATE", {"id": "5", "channel_id": "5", "author": {"id": "5"}, "content": "no such channel", "type": 0}),
    ("MESSAGE_CREATE", {"id": [], "channel_id": {}, "author": 5}),
    ("MESSAGE_CREATE", [1, 2, 3]),
    ("INTERACTION_CREATE", {"type": 3}),
    ("INTERACTION_CREATE", {"type": 3, "id": "1", "channel_id": "1", "token": 7}),
    ("GUILD_CREATE", {"id": None, "channels": 7}),
    ("NOBODY_KNOWS_THIS", {"id": 1}),
    ("THREAD_CREATE", None),
]


async def test_hostile_events_end_nothing(stage: DiscordStage) -> None:
    async with listening(stage.platform()) as client:
        await settled(stage, client)
        (session,) = stage.server.gateway.sessions()
        assert session.connection is not None
        for kind, data in HOSTILE:
            await session.dispatch(kind, data)
        for frame in (b"{", b"[]", b'{"op": 0, "t": 5, "d": {}}', b'{"d":' * 100_000, b"\xff"):
            await session.connection.send_packed(frame)
        await settled(stage, client, "still here")
        assert stage.server.gateway.begun == 1


async def test_hostile_messages_in_a_channel_do_not_hide_the_others(stage: DiscordStage) -> None:
    async with listening(stage.platform()) as client:
        await settled(stage, client)
    await stage.says(stage.room, "odd")
    stage.server.world.in_channel(stage.room.room)[-1]["author"] = "nobody"
    stage.server.rules.note = lambda violation: None  # type: ignore[method-assign]
    good = await stage.says(stage.room, "good")
    async with listening(stage.platform()) as client:
        assert (await client.next()).id == good


async def test_a_damaged_state_is_as_an_empty_one(stage: DiscordStage) -> None:
    for damage in (
        "[",
        "[]",
        json.dumps({"channels": [{"id": 5}, 7]}),
        json.dumps({"channels": [{"id": "5", "type": 0}]}),
    ):
        stage.state.put("channels", damage)
        stage.state.put("read/5", "x")
        async with listening(stage.platform()) as client:
            await settled(stage, client)


async def test_a_channel_we_may_not_read_ends_nothing(stage: DiscordStage) -> None:
    assert stage.group is not None
    platform = stage.platform()
    stage.server.world.closed.add(stage.room.room)
    async with listening(platform) as client:
        await stage.says(stage.room, "behind closed doors")
        said = await stage.says(stage.group, "before the gateway has answered")
        assert (await client.next()).id == said


async def test_a_channel_that_is_gone_is_forgotten(stage: DiscordStage) -> None:
    async with listening(stage.platform()) as client:
        thread = await client.platform.open_thread(stage.room, "Work", "key")
        await settled(stage, client)
    del stage.server.world.channels[thread.thread]
    async with listening(stage.platform()) as client:
        await settled(stage, client, "perhaps read back")
        await settled(stage, client, "live")
        assert thread.thread not in stage.state.texts["channels"]


async def test_a_stop_at_the_moment_the_connection_is_made_is_a_stop(
    stage: DiscordStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform = stage.platform()
    from discord.gateway import DiscordWebSocket

    begin = DiscordWebSocket.from_client

    async def stopped(*given: Any, **more: Any) -> DiscordWebSocket:
        made = await begin(*given, **more)
        running.cancel()
        return made

    monkeypatch.setattr(DiscordWebSocket, "from_client", stopped)
    await platform.connect([])
    running = asyncio.create_task(platform.run(Listening(platform).sink))
    ended, _ = await asyncio.wait([running], timeout=PATIENCE)
    running.cancel()
    await asyncio.wait([running], timeout=PATIENCE)
    await platform.close()
    assert ended == {running}
    assert running.cancelled()


async def test_a_token_taken_back_ends_receiving(stage: DiscordStage) -> None:
    platform = stage.platform()
    await platform.connect([])
    running = asyncio.create_task(platform.run(Listening(platform).sink))
    await stage.says(stage.room, "x")
    stage.server.world.token = "another"
    await stage.server.gateway.drop()
    with pytest.raises(BadCredentials) as caught:
        await asyncio.wait_for(running, PATIENCE)
    assert str(stage.settings()["token"]) not in str(caught.value)
    await platform.close()


async def test_a_bot_without_the_content_intent_is_told_so(stage: DiscordStage) -> None:
    platform = stage.platform()
    await platform.connect([])
    stage.server.gateway.content_allowed = False
    with pytest.raises(BadCredentials, match="message content intent"):
        await asyncio.wait_for(platform.run(Listening(platform).sink), PATIENCE)
    await platform.close()
