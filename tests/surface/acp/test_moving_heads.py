"""Compressions and handoffs in an editor: one id, a whole history, and one word about each head that moved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from baton.config.schema import CompressionSettings
from baton.core.agent.message import Call, Prompt
from baton.core.errors import ModelUnavailable
from baton.core.value import replace
from tests.support.acp.client import EVERYTHING, Client, Refused, allow
from tests.support.whole_message import LONG as WHOLE
from tests.support.whole_message import PICTURE, came_whole
from tests.surface.acp.conftest import QUICK, OpenEditor
from tests.surface.acp.test_lifecycle import provenance, said

pytestmark = pytest.mark.anyio
LONG = "word " * 4_000
SPLIT = replace(QUICK, agent=replace(QUICK.agent, compression=CompressionSettings(mode="split")))


def worker(prompt: Prompt) -> list[Any]:
    return ["A summary of it all."] if not prompt.tools else ["Yes."]


def moves(client: Client, since: int = 0) -> list[dict[str, Any]]:
    return [each for each in client.updates("session_info_update", since) if "_meta" in each]


GOES_ON = "The work continues in it now, in this thread."
YOURS = "This thread continues in it: say what is next, or just “Go on with the work.”"


def told(client: Client, since: int) -> list[dict[str, Any]]:
    """The messages that end a handoff, without the ids they happen to have."""
    found = [each for each in client.updates("agent_message_chunk", since) if "_meta" in each]
    return [{name: value for name, value in each.items() if name != "messageId"} for each in found]


def ended_in(session_id: str, path: str, following: str) -> dict[str, Any]:
    """The whole of what a client is told when a handoff is done."""
    words = f"""\
A fresh session began from the packet {path}.

{following}

In a client that cannot continue here, open a new thread and paste:

```text
Read {path} and continue the work described there. Look at the live state of the workspace before you change anything.
```

In a terminal: `baton resume {session_id}`

"""
    return {
        "sessionUpdate": "agent_message_chunk",
        "content": {"type": "text", "text": words},
        "_meta": {"baton": {"packetPath": path, "continue": told_action(session_id)}},
    }


async def talk(client: Client, session_id: str) -> None:
    for words in (LONG, LONG, "short"):
        assert await client.say(session_id, words) == "end_turn"


@pytest.mark.parametrize("can", [None, EVERYTHING])
@pytest.mark.parametrize("settings", [QUICK, SPLIT])
async def test_a_compression_is_told_and_loses_nothing(
    editor: OpenEditor, isolated: Path, tmp_path: Path, can: Any, settings: Any
) -> None:
    split, home = settings is SPLIT, tmp_path / "kept"
    async with editor(worker, can=can, window=16_000, settings=settings, home=home) as client:
        session_id = await client.new(isolated)
        await talk(client, session_id)
        assert moves(client) == []
        assert await client.say(session_id, "/compress") == "end_turn"
        if can:
            told = client.updates("compaction_update")
            assert [told[0]["status"], told[-1]["status"]] == ["in_progress", "completed"]
            assert told[-1]["summary"] == [{"type": "text", "text": "A summary of it all."}]
        else:
            assert client.updates("compaction_update") == client.updates("notice") == []
            card, ended = client.updates("tool_call")[-1], client.updates("tool_call_update")[-1]
            assert (card["kind"], ended["status"]) == ("think", "completed")
            assert ended["rawOutput"]["preTokens"] > ended["rawOutput"]["postTokens"]
        used = [each["used"] for each in client.updates("usage_update")]
        assert used[-1] < max(used)
        assert len(moves(client)) == split
        if split:
            known = provenance(moves(client)[0])
            assert known["reason"] == "compression"
            assert known["previousHermesSessionId"] == known["rootHermesSessionId"]
            assert moves(client)[0]["_meta"]["baton"]["compressionMode"] == "split"
        assert await client.say(session_id, "and on") == "end_turn"
        assert len(moves(client)) == split, "a head that did not move is not mentioned"
    async with editor(worker, can=can, window=16_000, settings=settings, home=home) as client:
        found = await client.call("session/load", sessionId=session_id, cwd=str(isolated), mcpServers=[])
        known, mode = provenance(found), found["_meta"]["baton"]["compressionMode"]
        assert (known["compressionDepth"], mode) == (1, "split" if split else "in_place")
        assert known["sessionKind"] == ("continuation" if split else "root")
        users = [line for line in said(client, 0) if line.startswith("user")]
        assert users == ["user: word word word word ", "user: word word word word ", "user: short", "user: and on"]
        assert len([line for line in said(client, 0) if line == "agent: Yes."]) == 4
        if split:
            await client.until(lambda: client.updates("usage_update"))
            since = len(client.frames)
            old = known["rootHermesSessionId"]
            await client.call("session/load", sessionId=old, cwd=str(isolated), mcpServers=[])
            assert said(client, since) == said(client, 0)[: len(said(client, since))]
            updates = [message for _, message in client.frames[since:] if message.get("method") == "session/update"]
            assert {message["params"]["sessionId"] for message in updates} == {old}
            assert await client.say(old, "by the old id") == "end_turn"


@pytest.mark.parametrize("can", [None, EVERYTHING])
async def test_a_failed_compression_is_told(editor: OpenEditor, isolated: Path, can: Any) -> None:
    def failing(prompt: Prompt) -> list[Any]:
        return ["Yes."] if prompt.tools else [ModelUnavailable(model="fake:model", reason="HTTP 500")]

    async with editor(failing, can=can, window=16_000) as client:
        session_id = await client.new(isolated)
        await talk(client, session_id)
        assert await client.say(session_id, "/compress") == "end_turn"
        told = client.updates("compaction_update" if can else "tool_call_update")[-1]
        assert told["status"] == "failed"
        assert "HTTP 500" in str(told)


async def test_a_handoff_is_reviewed_and_the_thread_goes_on(editor: OpenEditor, isolated: Path, tmp_path: Path) -> None:
    home = tmp_path / "kept"
    async with editor(worker, home=home) as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "Never touch main. Fix the race.")
        root = client.store.conversations.get(session_id).head_id
        since = len(client.frames)
        assert await client.say(session_id, "/handoff") == "end_turn"
        asked = client.asked("session/request_permission")[-1]
        assert [each["name"] for each in asked["options"]] == [
            "Start the fresh session",
            "Cancel",
            "Drop a rule first",
        ]
        assert "## Scope" in client.text(since=since)
        path = moves(client, since)[0]["_meta"]["baton"]["packetPath"]
        assert (isolated / path).exists()
        assert told(client, since) == [ended_in(session_id, path, YOURS)]
        known = provenance(moves(client, since)[0])
        assert known["acpSessionId"] == session_id
        assert (known["previousHermesSessionId"], known["reason"], known["creatorKind"]) == (root, "handoff", "handoff")
        more = moves(client, since)[0]["_meta"]["baton"]
        assert (more["handoffState"], more["continue"]["prompt"]) == ("done", "Go on with the work.")
        assert await client.say(session_id, "go on") == "end_turn"
        assert len(moves(client, since)) == 1
        assert "Never touch main" in client.model.prompts[-1].messages[0].text
    async with editor(worker, home=home) as client:
        found = await client.call("session/load", sessionId=session_id, cwd=str(isolated), mcpServers=[])
        assert found["_meta"]["baton"]["packetPath"] == path
        assert said(client, 0) == [
            "user: Never touch main. Fi",
            "agent: Yes.",
            "tool_call: Hand off to a fresh session",
            "user: go on",
            "agent: Yes.",
        ]
        rows = (await client.call("session/list"))["sessions"]
        assert [row["_meta"] for row in rows] == [found["_meta"]], "the same wherever it is told"
        assert provenance(rows[0])["sessionKind"] == "continuation"


async def test_a_form_may_change_the_packet_or_decline_it(editor: OpenEditor, isolated: Path) -> None:
    given: dict[str, Any] = {"action": "decline"}

    def answer(method: str, params: dict[str, Any]) -> Any:
        return given if method == "elicitation/create" else allow(method, params)

    async with editor(worker, can=EVERYTHING, answer=answer) as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "Fix the race.")
        head = client.store.conversations.get(session_id).head_id
        assert await client.say(session_id, "/handoff") == "end_turn"
        assert client.store.conversations.get(session_id).head_id == head
        assert "continues as it was" in client.text()
        form = client.asked("elicitation/create")[0]["requestedSchema"]["properties"]
        given.update(
            action="accept", content={"decision": "start", "packet": form["packet"]["default"] + "\nMIND THE GAP"}
        )
        assert await client.say(session_id, "/handoff") == "end_turn"
        assert await client.say(session_id, "go on") == "end_turn"
        assert "MIND THE GAP" in client.model.prompts[-1].messages[0].text
        assert len(moves(client)) == 1


@pytest.mark.parametrize("mode", ["fresh_session", "fresh_process", "prompt_user"])
async def test_by_policy_the_same_prompt_goes_on(editor: OpenEditor, isolated: Path, mode: str) -> None:
    policy = replace(QUICK.agent.auto_handoff_on_compression, enabled=True, max_prompt_tokens=11_000, mode=mode)
    settings = replace(QUICK, agent=replace(QUICK.agent, auto_handoff_on_compression=policy))
    async with editor(worker, settings=settings, mode="unattended") as client:
        session_id = await client.new(isolated)
        assert [await client.say(session_id, LONG) for _ in range(2)] == ["end_turn"] * 2
        since = len(client.frames)
        assert await client.say(session_id, f"{LONG} and go on") == "end_turn"
        assert len(moves(client, since)) == 1
        assert provenance(moves(client, since)[0])["reason"] == "handoff"
        assert len(client.asked("session/request_permission")) == (mode == "prompt_user")
        path = moves(client, since)[0]["_meta"]["baton"]["packetPath"]
        assert told(client, since) == [ended_in(session_id, path, GOES_ON)]
        assert client.text(since=since).rstrip().endswith("Yes.")
        assert await client.say(session_id, "next") == "end_turn"
        assert len(moves(client, since)) == 1


def pusher(prompt: Prompt) -> list[Any]:
    """Says yes until it has a packet; then it pushes by force, whatever the packet says."""
    if not prompt.tools or "<<<packet-" not in str(prompt.messages[0]):
        return worker(prompt)
    asked_for = any("git push --force" in str(message) for message in prompt.messages[1:])
    return ["Done."] if asked_for else [Call("call-1", "shell", {"command": "git push --force"})]


@pytest.mark.parametrize("mode", ["fresh_session", "fresh_process", "prompt_user"])
async def test_a_call_that_destroys_waits_for_the_editor_after_a_handoff(
    editor: OpenEditor, isolated: Path, mode: str
) -> None:
    def answer(method: str, params: dict[str, Any]) -> Any:
        refuse = "push" in str(params.get("toolCall", ""))
        wanted = "reject_once" if refuse else "allow_once"
        chosen = [each["optionId"] for each in params["options"] if each["kind"] == wanted]
        return {"outcome": {"outcome": "selected", "optionId": (chosen or [params["options"][0]["optionId"]])[0]}}

    policy = replace(QUICK.agent.auto_handoff_on_compression, enabled=True, max_prompt_tokens=11_000, mode=mode)
    settings = replace(QUICK, agent=replace(QUICK.agent, auto_handoff_on_compression=policy))
    async with editor(pusher, settings=settings, mode="unattended", answer=answer) as client:
        session_id = await client.new(isolated)
        assert [await client.say(session_id, LONG) for _ in range(2)] == ["end_turn"] * 2
        assert await client.say(session_id, f"{LONG} and go on") == "end_turn"
        questions = [each for each in client.asked("session/request_permission") if "git push --force" in str(each)]
        assert len(questions) == 1
        entries = client.store.entries.load(client.store.conversations.get(session_id).head_id)
        assert [entry.data["ok"] for entry in entries if entry.kind == "tool_result"] == [False]
        assert not [entry for entry in entries if entry.kind == "tool_call"], "it was not started"


@pytest.mark.parametrize("can", [None, EVERYTHING], ids=["question", "form"])
@pytest.mark.parametrize("closes", [True, False], ids=["closed", "cannot ask"])
async def test_a_question_without_an_answer_does_not_keep_a_prompt_waiting(
    editor: OpenEditor, isolated: Path, can: Any, closes: bool
) -> None:
    def answer(method: str, params: dict[str, Any]) -> Any:
        if not closes:
            raise Refused({"code": -32601, "message": "Method not found"})
        return {"action": "cancel"} if method == "elicitation/create" else {"outcome": {"outcome": "cancelled"}}

    policy = replace(
        QUICK.agent.auto_handoff_on_compression, enabled=True, max_prompt_tokens=11_000, mode="prompt_user"
    )
    settings = replace(QUICK, agent=replace(QUICK.agent, auto_handoff_on_compression=policy))
    async with editor(worker, can=can, settings=settings, mode="unattended", answer=answer) as client:
        session_id = await client.new(isolated)
        for words in (LONG, LONG, f"{LONG} and go on", "one", "two", "three"):
            assert await client.say(session_id, words) == "end_turn"
            assert client.model.prompts[-1].messages[-1].text == words
        assert "Nobody chose, so the session continues as it was." in client.text()
        assert moves(client) == client.store.drafts.list_waiting() == []
        assert len(client.asked("elicitation/create") or client.asked("session/request_permission")) == 1
        assert len(list((isolated / ".baton/handoffs").glob("*.md"))) == 1


@pytest.mark.parametrize("can", [None, EVERYTHING])
async def test_a_fresh_session_at_once_says_what_comes_next(editor: OpenEditor, isolated: Path, can: Any) -> None:
    """A message of the thread, also for a client that shows notices elsewhere; before the prompt is answered."""
    async with editor(worker, can=can) as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "Fix the race.")
        since = len(client.frames)
        assert await client.say(session_id, "/fresh") == "end_turn"
        [move] = moves(client, since)
        path = move["_meta"]["baton"]["packetPath"]
        assert told(client, since) == [ended_in(session_id, path, YOURS)]
        assert move["_meta"]["baton"]["continue"] == told_action(session_id)
        answer = next(i for i, (_, m) in enumerate(client.frames) if m.get("id") == client.last_id and "result" in m)
        assert told(client, answer) == []


def told_action(session_id: str) -> dict[str, str]:
    return {"label": "Continue in the fresh session", "sessionId": session_id, "prompt": "Go on with the work."}


async def test_a_packet_alone_or_a_no_ends_nothing(editor: OpenEditor, isolated: Path) -> None:
    def no(method: str, params: dict[str, Any]) -> Any:
        return {"outcome": {"outcome": "selected", "optionId": "cancel"}}

    async with editor(worker, answer=no) as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "Fix the race.")
        for command in ("/handoff --packet-only", "/handoff"):
            assert await client.say(session_id, command) == "end_turn"
        assert told(client, 0) == moves(client) == []


async def test_an_undone_handoff_moves_the_head_once_and_keeps_the_thread(editor: OpenEditor, isolated: Path) -> None:
    asked: list[Prompt] = []

    def remember(prompt: Prompt) -> list[Any]:
        asked.append(prompt)
        return worker(prompt)

    async with editor(remember) as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "Fix the race.")
        await client.say(session_id, "/fresh")
        since = len(client.frames)
        assert await client.say(session_id, "/undo") == "end_turn"
        assert "The last handoff was taken back" in client.text(since=since)
        [move] = moves(client, since)
        baton = move["_meta"]["baton"]
        assert (baton["edge"], baton["handoffs"], baton["handoffState"]) == ("undo", 0, "none")
        assert provenance(move)["sessionKind"] == "continuation"
        await client.say(session_id, "and now?")
        texts = [message.text for message in asked[-1].messages]
        assert texts == ["Fix the race.", "Yes.", "and now?"]


@pytest.mark.parametrize("mode", ["fresh_session", "fresh_process", "prompt_user"])
async def test_a_long_prompt_with_a_picture_reaches_the_fresh_session_whole(
    editor: OpenEditor, isolated: Path, mode: str
) -> None:
    policy = replace(QUICK.agent.auto_handoff_on_compression, enabled=True, max_prompt_tokens=9_000, mode=mode)
    settings = replace(QUICK, agent=replace(QUICK.agent, auto_handoff_on_compression=policy))
    async with editor(worker, settings=settings, mode="unattended") as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "Fix the race.")
        picture = {"type": "image", "mimeType": "image/png", "data": PICTURE}
        assert await client.say(session_id, WHOLE, picture) == "end_turn"
        assert len(moves(client)) == 1
        assert came_whole(client.model.prompts[-1].messages, WHOLE)
