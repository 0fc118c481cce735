"""Stop means stopped: within a second, whatever was going on, and the next prompt runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from baton.core.agent.message import Call, Prompt
from tests.support.acp.client import Client, its
from tests.support.ticks import Ticks
from tests.surface.acp.conftest import OpenEditor

pytestmark = pytest.mark.anyio
LONG = "word " * 4_000


async def cancelled(client: Client, session_id: str, reply: asyncio.Future[dict[str, Any]]) -> None:
    async with Ticks() as ticks:
        client.notify("session/cancel", sessionId=session_id)
        assert (await its(reply))["stopReason"] == "cancelled"
    assert ticks.seconds < 1
    running: dict[str, str] = {}
    for update in client.updates():
        if update["sessionUpdate"] in ("tool_call", "tool_call_update"):
            running[update["toolCallId"]] = update["status"]
    assert not {"pending", "in_progress"} & set(running.values())


async def test_while_the_model_speaks(editor: OpenEditor, isolated: Path) -> None:
    async with editor([["Half", 60], ["The rest."]]) as client:
        session_id = await client.new(isolated)
        reply = client.prompt(session_id, "go")
        await client.until(lambda: client.text() == "Half")
        await cancelled(client, session_id, reply)
        assert await client.say(session_id, "go on") == "end_turn"
        assert client.text() == "HalfThe rest."


async def test_before_it_began(editor: OpenEditor, isolated: Path) -> None:
    async with editor([["Half", 60]]) as client:
        session_id = await client.new(isolated)
        reply = client.prompt(session_id, "go")
        await cancelled(client, session_id, reply)


async def test_while_a_person_is_asked(editor: OpenEditor, isolated: Path) -> None:
    call = Call("c1", "shell", {"command": "touch made"})
    async with editor([[call], ["Fine."]], answer=lambda *_: None) as client:
        session_id = await client.new(isolated)
        reply = client.prompt(session_id, "go")
        await client.until(lambda: client.asked("session/request_permission"))
        await cancelled(client, session_id, reply)
        assert await client.say(session_id, "and now?") == "end_turn"
        assert not (isolated / "made").exists()


async def test_while_a_tool_runs(editor: OpenEditor, isolated: Path) -> None:
    call = Call("c1", "shell", {"command": "echo begun; sleep 60"})
    async with editor([[call], ["Fine."]], mode="unattended") as client:
        session_id = await client.new(isolated)
        reply = client.prompt(session_id, "go")
        await client.until(lambda: "begun" in str(client.updates("tool_call_update")))
        await cancelled(client, session_id, reply)
        assert await client.say(session_id, "and now?") == "end_turn"


def summariser(slow: float) -> Callable[[Prompt], list[Any]]:
    def script(prompt: Prompt) -> list[Any]:
        return [slow, "A summary."] if not prompt.tools else ["Yes."]

    return script


@pytest.mark.parametrize("can", [None, {"session": {"compaction": {}}}])
async def test_while_it_compresses(editor: OpenEditor, isolated: Path, can: Any) -> None:
    async with editor(summariser(60), can=can, window=16_000) as client:
        session_id = await client.new(isolated)
        for words in (LONG, LONG, "short"):
            await client.say(session_id, words)
        reply = client.prompt(session_id, "/compress")
        kind = "compaction_update" if can else "tool_call"
        await client.until(lambda: client.updates(kind))
        await cancelled(client, session_id, reply)
        if can:
            assert [each["status"] for each in client.updates(kind)][-1] == "cancelled"
        assert await client.say(session_id, "go on") == "end_turn"


async def test_while_it_hands_off_and_while_the_review_is_open(editor: OpenEditor, isolated: Path) -> None:
    async with editor(summariser(60), answer=lambda *_: None) as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "work on it")
        head = client.store.conversations.get(session_id).head_id
        reply = client.prompt(session_id, "/handoff")
        await client.until(lambda: client.updates("tool_call"))
        await cancelled(client, session_id, reply)
        client.model._script = summariser(0)
        reply = client.prompt(session_id, "/handoff")
        await client.until(lambda: client.asked("session/request_permission"))
        await cancelled(client, session_id, reply)
        assert client.store.conversations.get(session_id).head_id == head
        assert await client.say(session_id, "go on") == "end_turn"


async def test_a_cancel_is_for_what_waits_too_and_not_for_what_comes_later(editor: OpenEditor, isolated: Path) -> None:
    async with editor([["Half", 60], ["Later."]]) as client:
        session_id = await client.new(isolated)
        one, two = client.prompt(session_id, "one"), client.prompt(session_id, "two")
        await client.until(lambda: client.text() == "Half")
        client.notify("session/cancel", sessionId=session_id)
        three = client.prompt(session_id, "three")
        reasons = [(await its(each))["stopReason"] for each in (one, two, three)]
        assert reasons == ["cancelled", "cancelled", "end_turn"]
        assert len(client.model.prompts) == 2


async def test_a_request_can_be_cancelled_by_its_id(editor: OpenEditor, isolated: Path) -> None:
    call = Call("c1", "shell", {"command": "touch made"})
    async with editor([[call], ["Later."]], answer=lambda *_: None) as client:
        session_id = await client.new(isolated)
        reply = client.prompt(session_id, "one")
        await client.until(lambda: client.asked("session/request_permission"))
        client.notify("$/cancel_request", requestId=client.last_id)
        assert (await its(reply))["stopReason"] == "cancelled"
        told = [m["params"] for _, m in client.frames if m.get("method") == "$/cancel_request"]
        assert told[-1] == {"requestId": "baton-1"}, "the question is taken back"
        assert await client.say(session_id, "two") == "end_turn"


async def test_sessions_do_not_wait_for_each_other(editor: OpenEditor, isolated: Path) -> None:
    def script(prompt: Prompt) -> list[Any]:
        return ["slow", 60] if prompt.messages[-1].text == "slow" else ["quick"]

    async with editor(script) as client:
        one, two = await client.new(isolated), await client.new(isolated)
        slow = client.prompt(one, "slow")
        await client.until(lambda: client.text() == "slow")
        assert await client.say(two, "quick") == "end_turn"
        assert not slow.done()
        await cancelled(client, one, slow)


@pytest.mark.parametrize("can", [None, {"session": {"compaction": {}}}])
async def test_a_long_compression_gives_signs_of_life(editor: OpenEditor, isolated: Path, can: Any) -> None:
    async with editor(summariser(4), can=can, window=16_000) as client:
        session_id = await client.new(isolated)
        for words in (LONG, LONG, "short"):
            await client.say(session_id, words)
        since = len(client.frames)
        reply = client.prompt(session_id, "/compress")
        kind = "compaction_update" if can else "tool_call_update"
        for number in range(1, 4):
            async with Ticks() as ticks:
                await client.until(lambda number=number: signs(client, kind, since) >= number)
            assert ticks.seconds < 2
        assert (await its(reply))["stopReason"] == "end_turn"


def signs(client: Client, kind: str, since: int) -> int:
    return len([each for each in client.updates(kind, since) if each["status"] == "in_progress"])


async def test_work_that_says_nothing_still_gives_signs_of_life(editor: OpenEditor, isolated: Path) -> None:
    """At the latest every two seconds: of a tool that ends when it was heard of twice, and of a model."""
    call = Call("c1", "shell", {"command": "while [ ! -e heard ]; do sleep 0.1; done"})
    async with editor([[call], [3, "Done."]], mode="unattended") as client:
        session_id = await client.new(isolated)
        await client.until(lambda: client.updates("usage_update"))
        since = len(client.frames)
        reply = client.prompt(session_id, "wait")
        for number in range(3):
            async with Ticks() as ticks:
                await client.until(lambda number=number: len(client.updates("tool_call_update", since)) >= number)
            assert ticks.seconds < 2
        (isolated / "heard").touch()
        assert (await its(reply))["stopReason"] == "end_turn"
        kinds = [(each["sessionUpdate"], each.get("status")) for each in client.updates(since=since)]
        started, ended = kinds.index(("tool_call", "in_progress")), kinds.index(("tool_call_update", "completed"))
        assert kinds[started:ended].count(("tool_call_update", "in_progress")) >= 2
        spoke = kinds.index(("agent_message_chunk", None))
        assert kinds[ended:spoke].count(("agent_thought_chunk", None)) >= 1
        used = client.updates("usage_update", since)
        assert all(one != other for one, other in pairwise(used)), "a sign of life is no usage"
