"""Slack's own ways, on an emulated workspace: what the suite for all platforms cannot know."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import pytest

from baton.core.errors import BadCredentials, SendRefused
from baton.ports.platform import File, Inbound, Outgoing, Platform, Upload
from tests.support.patience import PATIENCE
from tests.support.platforms.slack.stage import SlackStage
from tests.support.platforms.slack.workspace import APP, BOT

pytestmark = pytest.mark.anyio


@pytest.fixture
async def stage() -> AsyncIterator[SlackStage]:
    async with SlackStage() as made:
        yield made
        assert made.violations() == []


@dataclass
class Desk:
    """A running adapter and what it handed over. Each of `failures` is raised once instead of keeping a message."""

    platform: Platform
    kept: asyncio.Queue[Inbound] = field(default_factory=asyncio.Queue)
    failures: list[Exception] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    async def sink(self, inbound: Inbound) -> None:
        self.arrived.set()
        await self.gate.wait()
        if self.failures:
            raise self.failures.pop()
        await self.kept.put(inbound)

    async def next(self) -> Inbound:
        return await asyncio.wait_for(self.kept.get(), PATIENCE)


@asynccontextmanager
async def running(stage: SlackStage) -> AsyncIterator[Desk]:
    desk = Desk(stage.platform())
    desk.gate.set()
    await desk.platform.connect(())
    task = asyncio.create_task(desk.platform.run(desk.sink))
    try:
        await asyncio.wait_for(stage.server.sockets.connected(), PATIENCE)
        yield desk
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await desk.platform.close()


async def test_an_envelope_is_acknowledged_when_the_message_is_kept(stage: SlackStage) -> None:
    async with running(stage) as desk:
        desk.gate.clear()
        said = await stage.says(stage.room, "hold on")
        other = await stage.says(stage.group, "wait")
        await asyncio.wait_for(desk.arrived.wait(), PATIENCE)
        assert stage.server.sockets.acknowledged == []
        desk.failures.append(OSError("the disk is full"))
        desk.gate.set()
        assert [(await desk.next()).id, (await desk.next()).id] == [said, other]
        await _until(lambda: len(stage.server.sockets.acknowledged) == 2)


async def test_what_was_not_acknowledged_comes_again_after_a_restart(stage: SlackStage) -> None:
    async with running(stage) as desk:
        desk.gate.clear()
        said = await stage.says(stage.room, "do not forget")
        await asyncio.wait_for(desk.arrived.wait(), PATIENCE)
    assert stage.server.sockets.acknowledged == []
    async with running(stage) as desk:
        assert (await desk.next()).id == said


async def test_a_mention_and_another_delivery_are_the_same_message(stage: SlackStage) -> None:
    async with running(stage) as desk:
        me = stage.server.workspace.users[BOT]
        said = await stage.server.act(
            "chat.postMessage", {"channel": stage.group.room, "text": f"<@{me}> hi"}, "xoxp-owner"
        )
        key = f"{stage.group.room}:{said['ts']}"
        came = await desk.next()
        assert (came.id, came.text, came.place) == (key, "hi", stage.group)
        await stage.server.events.again(key, renamed=True)
        await stage.says(stage.group, "next")
        assert (await desk.next()).text == "next"
        await _until(lambda: len(stage.server.sockets.acknowledged) == 4)
    async with running(stage) as desk:
        await stage.server.events.again(key, renamed=True)
        assert (await desk.next()).id == key


async def test_messages_of_a_time_without_connection_are_read_from_the_history(stage: SlackStage) -> None:
    stage.server.sockets.forgets = True
    async with running(stage) as desk:
        thread = await desk.platform.open_thread(stage.room, "work", "k")
        await desk.platform.send(stage.group, Outgoing("hello"), "k2")
        await stage.cut()
        missed = [
            await stage.says(where, f"{number}") for number in range(3) for where in (stage.room, thread, stage.group)
        ]
        await stage.restore()
        came = [await desk.next() for _ in missed]
        assert sorted(each.id for each in came) == sorted(missed)
        for where in (stage.room, thread, stage.group):
            assert [each.text for each in came if each.place == where] == ["0", "1", "2"]


async def test_messages_of_a_stop_are_read_once_at_the_next_start(stage: SlackStage) -> None:
    stage.server.sockets.forgets = True
    async with running(stage) as desk:
        await stage.says(stage.room, "before")
        assert (await desk.next()).text == "before"
        await _until(lambda: stage.server.sockets.acknowledged)
    missed = await stage.says(stage.room, "meanwhile", file=("a.txt", b"abc"))
    async with running(stage) as desk:
        came = await desk.next()
        assert (came.id, came.text) == (missed, "meanwhile")
        assert await desk.platform.fetch(came.files[0]) == b"abc"
    async with running(stage) as desk:
        await stage.says(stage.room, "after")
        assert (await desk.next()).text == "after"


async def test_what_nobody_expects_does_no_harm(stage: SlackStage) -> None:
    async with running(stage) as desk:
        sockets = stage.server.sockets
        for frame in ("", "null", "[]", "{", '"x"', "[" * 100_000, '{"type": "events_api"}', '{"type": ["x"]}'):
            await sockets.raw(frame)
        strange = [
            await sockets.push("events_api", {"event": {"type": "message", "user": "U1", "ts": "?", "channel": "C1"}}),
            await sockets.push("events_api", {"event": {"type": "team_join", "user": {"id": "U9"}}}),
            await sockets.push("interactive", {"type": "view_submission"}),
            await sockets.push("of_tomorrow", {}),
        ]
        await stage.says(stage.room, "still here?")
        assert (await desk.next()).text == "still here?"
        await _until(lambda: set(strange) <= set(sockets.acknowledged))


async def test_slack_asks_to_connect_anew(stage: SlackStage) -> None:
    async with running(stage) as desk:
        for reason in ("warning", "refresh_requested"):
            await stage.server.sockets.disconnect(reason)
            await stage.says(stage.room, reason)
            assert (await desk.next()).text == reason


async def test_a_token_revoked_while_running_ends_it(stage: SlackStage) -> None:
    platform = stage.platform()
    try:
        await platform.connect(())
        stage.server.revoked = True
        task = asyncio.create_task(platform.run(_keep_nothing))
        await asyncio.wait_for(stage.server.sockets.connected(), PATIENCE)
        await stage.server.sockets.disconnect("link_disabled")
        with pytest.raises(BadCredentials, match="token_revoked"):
            await asyncio.wait_for(task, PATIENCE)
    finally:
        await platform.close()


async def test_typing_is_shown_in_threads(stage: SlackStage) -> None:
    async with running(stage) as desk:
        thread = await desk.platform.open_thread(stage.group, "work", "k")
        await desk.platform.show_typing(stage.group)
        await desk.platform.show_typing(thread)
        assert stage.server.statuses == {(thread.room, thread.thread): 1}
        stage.server.refused_status = "missing_scope"
        await desk.platform.show_typing(thread)
        stage.server.refused_status = ""
        await desk.platform.show_typing(thread)
        assert await stage.typed(thread) == 1


async def test_a_slash_command(stage: SlackStage) -> None:
    async with running(stage) as desk:
        await stage.commands(stage.room, "/baton", "handoff telegram")
        came = await desk.next()
        assert (came.text, came.sender, came.place) == ("/handoff telegram", stage.owner, stage.room)
        assert not came.direct, "it could be anybody's direct messages"


async def test_without_the_scope_nobody_is_asked_who_is_in_a_channel(stage: SlackStage) -> None:
    await stage.leaves(stage.group, stage.owner)
    stage.server.unscoped = True
    platform = stage.platform()
    await platform.connect([])
    await platform.check_reader(stage.group, [stage.owner])
    await platform.close()


@pytest.mark.parametrize("error", ["msg_blocks_too_long", "invalid_blocks"])
async def test_a_text_that_slack_cannot_make_blocks_of_is_still_sent(stage: SlackStage, error: str) -> None:
    platform = stage.platform()
    try:
        await platform.connect(())
        stage.server.refused_blocks = error
        receipt = await platform.send(stage.room, Outgoing("**so** be it"), "k")
        await platform.edit(stage.room, receipt, Outgoing("so *it* is"))
        assert await stage.texts(stage.room) == ["so it is"]
        assert await platform.find(stage.room, "k") == receipt
    finally:
        await platform.close()


async def test_a_file_whose_sending_was_unsure_is_found(stage: SlackStage) -> None:
    platform = stage.platform()
    try:
        await platform.connect(())
        await stage.swallow(1)
        with pytest.raises(Exception, match="connection failed"):
            await platform.send(stage.room, Outgoing("see", file=Upload("a.bin", "", b"\0")), "k")
        found = await platform.find(stage.room, "k")
        assert found is not None
        assert await stage.files(stage.room) == [("a.bin", b"\0")]
    finally:
        await platform.close()


async def test_a_file_kept_elsewhere_is_not_asked_for_with_our_token(stage: SlackStage) -> None:
    async with running(stage) as desk:
        with pytest.raises(SendRefused, match="file_not_found"):
            await desk.platform.fetch(File("F0", "x"))
        stage.server.elsewhere = "http://127.0.0.1:9/files-pri/F1/x"
        await stage.says(stage.room, "look", file=("a.txt", b"abc"))
        with pytest.raises(SendRefused, match="kept elsewhere"):
            await desk.platform.fetch((await desk.next()).files[0])


async def test_no_token_is_logged_or_said(
    stage: SlackStage, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    said: list[str] = []
    async with running(stage) as desk:
        await stage.cut()
        await stage.restore()
        for times in (stage.fail, stage.swallow):
            await times(1)
            with pytest.raises(Exception, match="slack") as raised:
                await desk.platform.send(stage.room, Outgoing("x"), "k")
            said += [str(raised.value), repr(raised.value.__cause__), json.dumps(raised.value.facts)]
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith("aiohttp.access")]
    assert ours
    for line in (*said, *ours):
        assert "ticket=" not in line
        assert BOT not in line
        assert APP not in line


async def _keep_nothing(_: Inbound) -> None:
    return None


async def _until(reached: object) -> None:
    """Waits for what the other side of a connection has yet to see."""
    assert callable(reached)
    async with asyncio.timeout(PATIENCE):
        while not reached():
            await asyncio.sleep(0.01)
