"""Sessions of an editor: begun, listed, loaded, resumed, forked, closed and deleted, under ids that never change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from baton.core.agent.message import Call, Prompt
from baton.surfaces.acp.session import Session
from tests.support.acp.client import Client, Refused
from tests.support.acp.schema import IN, UNSTABLE
from tests.surface.acp.conftest import OpenEditor

pytestmark = pytest.mark.anyio
HISTORY = ("user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "tool_call", "plan", "compaction_update")


def provenance(found: dict[str, Any]) -> dict[str, Any]:
    return found["_meta"]["hermes"]["sessionProvenance"]


def said(client: Client, since: int) -> list[str]:
    """What a replay shows, in order: who spoke, and what."""
    shown: list[str] = []
    for update in client.updates(since=since):
        kind = update["sessionUpdate"]
        if kind.endswith("message_chunk"):
            shown.append(f"{kind.partition('_')[0]}: {update['content'].get('text', update['content']['type'])[:20]}")
        elif kind in HISTORY:
            shown.append(f"{kind}: {update.get('title', update.get('status'))}")
    return shown


async def test_a_new_session_says_where_it_comes_from(editor: OpenEditor, isolated: Path) -> None:
    async with editor() as client:
        found = await client.call("session/new", cwd=str(isolated), mcpServers=[])
        known = provenance(found)
        assert known["acpSessionId"] == found["sessionId"]
        assert known["currentHermesSessionId"] == known["rootHermesSessionId"] == found["_meta"]["agentSessionId"]
        assert (known["sessionKind"], known["compressionDepth"], known["isUserFacing"]) == ("root", 0, True)
        assert found["modes"]["currentModeId"] == "ask"
        first = next(message for sender, message in client.frames[2:] if sender == IN)
        assert first["result"] == found, "nothing of a session comes before the client knows its id"


async def test_load_tells_everything_once_and_resume_nothing(
    editor: OpenEditor, isolated: Path, tmp_path: Path
) -> None:
    (isolated / "a.txt").write_text("one\n")
    script = [["I read.", Call("c1", "read", {"path": "a.txt"})], ["It says one."], ["Bye."]]
    home = tmp_path / "kept"
    async with editor(script, home=home) as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "read a.txt")
        await client.say(session_id, "bye", {"type": "resource_link", "name": "a", "uri": f"file://{isolated}/a.txt"})
        live = [each["messageId"] for each in client.updates("agent_message_chunk")]
        call_id = client.updates("tool_call")[0]["toolCallId"]
    async with editor(home=home) as client:
        found = await client.call("session/load", sessionId=session_id, cwd=str(isolated), mcpServers=[])
        assert provenance(found)["acpSessionId"] == session_id
        assert said(client, 0) == [
            "user: read a.txt",
            "agent: I read.",
            "tool_call: Read a.txt",
            "agent: It says one.",
            "user: bye@a.txt",
            "user: resource_link",
            "agent: Bye.",
        ]
        assert [each["messageId"] for each in client.updates("agent_message_chunk")] == live
        assert client.updates("tool_call")[0]["toolCallId"] == call_id
        assert client.updates("tool_call")[0]["status"] == "completed"
        since = len(client.frames)
        await client.call("session/resume", sessionId=session_id, cwd=str(isolated))
        await client.until(lambda: client.updates("usage_update", since))
        assert said(client, since) == []
        assert await client.say(session_id, "again") == "end_turn"
        assert len(client.model.prompts[0].messages) == 7


async def test_the_list_has_pages_and_a_row_for_each_conversation(
    editor: OpenEditor, isolated: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    async with editor() as client:
        unused = await client.new(isolated)
        start, fork = client.store.conversations.start, client.store.conversations.fork
        roots = {where: start("root", str(where))[1].id for where in (isolated, other)}
        ids = [fork(roots[isolated], 0, f"number {number}")[0].id for number in range(53)]
        elsewhere = fork(roots[other], 0, "elsewhere")[0].id
        first = await client.call("session/list", cwd=str(isolated))
        second = await client.call("session/list", cwd=str(isolated), cursor=first["nextCursor"])
        rows = first["sessions"] + second["sessions"]
        assert [row["sessionId"] for row in rows] == ids[::-1], "and none in which nothing was ever said"
        assert "nextCursor" not in second
        assert all(provenance(row)["acpSessionId"] == row["sessionId"] for row in rows)
        everything = (await client.call("session/list"))["sessions"]
        assert everything[0]["sessionId"] == elsewhere
        await client.say(unused, "name me")
        await client.until(lambda: client.updates("session_info_update"))
        newest = (await client.call("session/list"))["sessions"][0]
        assert (newest["sessionId"], newest["title"]) == (unused, "name me")


async def test_what_was_opened_and_never_used_is_there_for_another_process(
    editor: OpenEditor, isolated: Path, tmp_path: Path
) -> None:
    """Some clients open a session in one process and say the first word in the next."""
    home = tmp_path / "kept"
    async with editor(home=home) as client:
        session_id = await client.new(isolated)
    async with editor(home=home) as client:
        await client.call("session/resume", sessionId=session_id, cwd=str(isolated))
        assert await client.say(session_id, "hello") == "end_turn"
        assert [row["sessionId"] for row in (await client.call("session/list"))["sessions"]] == [session_id]


async def test_a_title_that_came_too_late_is_made_up_for(
    editor: OpenEditor, isolated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "kept"
    with monkeypatch.context() as patch:
        patch.setattr(Session, "_name", lambda *_: None)
        async with editor(home=home) as client:
            session_id = await client.new(isolated)
            await client.say(session_id, "name me")
    async with editor(home=home) as client:
        assert "title" not in (await client.call("session/list"))["sessions"][0]
        await client.call("session/load", sessionId=session_id, cwd=str(isolated), mcpServers=[])
        [named] = await client.until(lambda: client.updates("session_info_update"))
        assert named == {"sessionUpdate": "session_info_update", "title": "name me"}
        assert (await client.call("session/list"))["sessions"][0]["title"] == "name me"


@pytest.mark.parametrize(
    "method", ["session/load", "session/resume", "session/prompt", "session/close", "session/fork"]
)
async def test_an_id_that_never_was_is_an_error(editor: OpenEditor, isolated: Path, method: str) -> None:
    async with editor() as client:
        for unknown in ("c_000000000000", "20260101_000000_abcdef", "nonsense", "", "Untitled"):
            params: dict[str, Any] = {"sessionId": unknown, "cwd": str(isolated), "mcpServers": []}
            if method == "session/prompt":
                params = {"sessionId": unknown, "prompt": [{"type": "text", "text": "hi"}]}
            with pytest.raises(Refused) as refused:
                await client.call(method, **params)
            assert refused.value.code == -32002
        assert await client.call("session/delete", sessionId="c_000000000000") == {}


async def test_closed_is_free_and_deleted_is_gone(editor: OpenEditor, isolated: Path) -> None:
    async with editor() as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "hi")
        assert await client.call("session/close", sessionId=session_id) == {}
        assert await client.say(session_id, "still there?") == "end_turn"
        assert await client.call("session/delete", sessionId=session_id) == {}
        assert (await client.call("session/list"))["sessions"] == []
        with pytest.raises(Refused) as refused:
            await client.call("session/load", sessionId=session_id, cwd=str(isolated), mcpServers=[])
        assert refused.value.code == -32002


async def test_a_fork_knows_what_its_parent_knew(editor: OpenEditor, isolated: Path) -> None:
    async with editor([["One."], ["Two."]]) as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "first")
        found = await client.call("session/fork", sessionId=session_id, cwd=str(isolated), mcpServers=[])
        known, fork_id = provenance(found), found["sessionId"]
        head = client.store.conversations.get(session_id).head_id
        assert (known["sessionKind"], known["parentHermesSessionId"]) == ("fork", head)
        await client.say(fork_id, "second")
        assert [each.text for each in client.model.prompts[-1].messages] == ["first", "One.", "second"]
        since = len(client.frames)
        await client.call("session/load", sessionId=fork_id, cwd=str(isolated), mcpServers=[])
        assert said(client, since) == ["user: first", "agent: One.", "user: second", "agent: Two."]
        since = len(client.frames)
        await client.call("session/load", sessionId=session_id, cwd=str(isolated), mcpServers=[])
        assert said(client, since) == ["user: first", "agent: One."]
        client.schema = UNSTABLE


async def test_logged_out_is_logged_out(editor: OpenEditor, isolated: Path) -> None:
    async with editor() as client:
        assert await client.call("logout") == {}
        with pytest.raises(Refused) as refused:
            await client.new(isolated)
        assert refused.value.code == -32000
        assert await client.call("authenticate", methodId="environment") == {}
        assert await client.new(isolated)


async def test_a_client_may_read_as_slowly_as_it_likes(editor: OpenEditor, isolated: Path) -> None:
    def script(prompt: Prompt) -> list[Any]:
        return ["x" * 900_000] * 8 if prompt.messages[-1].text == "much" else ["ok"]

    async with editor(script) as client:
        session_id = await client.new(isolated)
        assert await client.say(session_id, "much") == "end_turn"
        assert len(client.text()) == 7_200_000


async def test_a_session_that_was_deleted_elsewhere_is_not_found(editor: OpenEditor, isolated: Path) -> None:
    async with editor([["One."], ["Two."]]) as client:
        session_id, store = await client.new(isolated), client.store
        assert await client.say(session_id, "hi") == "end_turn"
        await client.until(lambda: store.conversations.get(session_id).owner is None)
        assert store.upkeep.remove(session_id, 2**60)
        for _ in range(2):
            with pytest.raises(Refused) as refused:
                await client.say(session_id, "again")
            assert refused.value.code == -32002


async def test_a_conversation_opened_under_two_ids_answers_under_the_one_it_was_asked_by(
    editor: OpenEditor, isolated: Path
) -> None:
    async with editor([["One."], ["Two."], [Call("c1", "write", {"path": "a", "content": "x"})], ["Three."]]) as client:
        first = await client.new(isolated)
        await client.say(first, "hi")
        second = client.store.conversations.get(first).head_id
        await client.call("session/resume", sessionId=second, cwd=str(isolated))
        for asked in (first, second):
            since = len(client.frames)
            await client.say(asked, "go on")
            assert ids(client, since) == {asked}
        since = len(client.frames)
        await client.call("session/set_mode", sessionId=first, modeId="read_only")
        assert ids(client, since) == {first}


def ids(client: Client, since: int) -> set[str]:
    """Under which ids the client was told or asked something; what greets a session just opened is left out."""
    told = [message["params"] for sender, message in client.frames[since:] if sender == IN and "method" in message]
    greeting = ("available_commands_update", "usage_update", "session_info_update")
    return {each["sessionId"] for each in told if each.get("update", {}).get("sessionUpdate") not in greeting}
