"""Editors on the official SDKs, TypeScript and Python, against `baton acp`: a whole working day of one thread."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.real_user.acp import kit
from tests.real_user.acp.bed import HERE, Bed, Client

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


def typescript() -> list[str]:
    node = kit.node()
    return [node.program, str(HERE / "drivers" / "typescript.mjs"), str(node.sdk / "dist" / "v1" / "stable" / "acp.js")]


def python() -> list[str]:
    return [kit.python(), str(HERE / "drivers" / "python.py")]


CLIENTS = {"typescript": typescript, "python": python}


@pytest.fixture(params=CLIENTS)
async def client(request: pytest.FixtureRequest, bed: Bed) -> AsyncIterator[Client]:
    async with Client(bed, CLIENTS[request.param]()) as client:
        yield client


def words(updates: list[dict[str, Any]], kind: str = "agent_message_chunk") -> str:
    return "".join(each["content"]["text"] for each in updates if each["sessionUpdate"] == kind)


def messages(updates: list[dict[str, Any]], kind: str) -> list[str]:
    """Whole messages: the chunks with one id put together."""
    found: dict[str, str] = {}
    for each in updates:
        if each["sessionUpdate"] == kind:
            found[each["messageId"]] = found.get(each["messageId"], "") + each["content"]["text"]
    return list(found.values())


class Thread:
    """One session of a client, under the id it was given at first."""

    def __init__(self, bed: Bed, client: Client) -> None:
        self._client = client
        self.cwd = str(bed.workspace)
        self.id = ""

    async def begin(self) -> dict[str, Any]:
        await self._client.done("open")
        made = await self._client.done("new", cwd=self.cwd)
        self.id = made["sessionId"]
        return made["_meta"]

    async def say(self, text: str, **given: Any) -> tuple[str, str]:
        """The stop reason, and what the agent said."""
        answer = await self._client.step("prompt", session=self.id, text=text, **given)
        assert "error" not in answer, answer["error"]
        return answer["result"]["stopReason"], words(answer["updates"])

    async def again(self, act: str) -> dict[str, Any]:
        """Loaded or resumed."""
        answer = await self._client.step(act, session=self.id, cwd=self.cwd)
        assert "error" not in answer, answer["error"]
        return answer

    async def rows(self) -> list[dict[str, Any]]:
        return (await self._client.done("list", cwd=self.cwd))["sessions"]


@pytest.fixture
def thread(bed: Bed, client: Client) -> Thread:
    return Thread(bed, client)


def head(meta: dict[str, Any]) -> str:
    assert meta["agentSessionId"] == meta["hermes"]["sessionProvenance"]["currentHermesSessionId"]
    return meta["agentSessionId"]


async def test_a_prompt_permissions_and_a_cancel(bed: Bed, client: Client, thread: Thread) -> None:
    await thread.begin()
    assert await thread.say("good morning") == ("end_turn", "You said 'good morning' in a context of 2.")
    await thread.say("make allowed.txt", choose="allow_once")
    await thread.say("make refused.txt", choose="reject_once")
    await thread.say("make closed.txt")
    assert (bed.workspace / "allowed.txt").exists()
    assert not (bed.workspace / "refused.txt").exists()
    assert not (bed.workspace / "closed.txt").exists()
    assert await thread.say("please wait", cancel="session") == ("cancelled", "One moment")
    assert await bed.model.hung_up()
    assert (await thread.say("and now?"))[0] == "end_turn"
    [row] = await thread.rows()
    assert (row["sessionId"], row["title"]) == (thread.id, "good morning")
    await client.done("close")
    [run] = bed.wire.runs()
    assert run.session_ids() == {thread.id}
    assert len(run.asked("session/request_permission")) == 3
    assert len(run.updates()) == client.heard
    assert bed.wire.moves() == []
    assert run.ended == 0


SAID = ["good morning", "tell a story", "another story", "where were we?", "go on", "still there?"]


@pytest.mark.parametrize(("client", "mode"), [("typescript", "split"), ("python", "in_place")], indirect=["client"])
async def test_a_thread_outlives_compression_handoff_and_kill(
    bed: Bed, client: Client, thread: Thread, mode: str
) -> None:
    bed.configure(f"agent: {{compression: {{mode: {mode}}}}}\n")
    heads = [head(await thread.begin())]
    answers = [(await thread.say(text))[1] for text in SAID[:4]]
    heads += [move["currentHermesSessionId"] for move in bed.wire.moves()]
    assert len(heads) == (2 if mode == "split" else 1)

    stop, told = await thread.say("/handoff", choose="allow_once", form={"decision": "start"})
    assert stop == "end_turn"
    assert ".baton/handoffs/" in told
    heads.append(bed.wire.moves()[-1]["currentHermesSessionId"])
    answers.append((await thread.say(SAID[4]))[1])
    assert answers[-1].endswith(" in a context of 2.")

    bed.kill_agent()
    await client.step("close")
    await client.done("open")
    answer = await thread.again("resume")
    assert head(answer["result"]["_meta"]) == heads[-1]
    assert [each for each in answer["updates"] if each["sessionUpdate"].endswith("_chunk")] == []
    answers.append((await thread.say(SAID[5]))[1])

    await client.done("close")
    await client.done("open")
    replay = await thread.again("load")
    assert head(replay["result"]["_meta"]) == heads[-1]
    assert [text for text in messages(replay["updates"], "user_message_chunk") if text in SAID] == SAID
    assert [text for text in messages(replay["updates"], "agent_message_chunk") if text in answers] == answers
    [row] = await thread.rows()
    assert (row["sessionId"], head(row["_meta"])) == (thread.id, heads[-1])
    assert row["_meta"]["baton"]["lineageCompressions"] == row["_meta"]["baton"]["handoffs"] == 1
    await client.done("close")

    moves = bed.wire.moves()
    assert [move["currentHermesSessionId"] for move in moves] == heads[1:]
    assert [move["previousHermesSessionId"] for move in moves] == heads[:-1]
    assert {move["acpSessionId"] for move in moves} == {thread.id}
    runs = bed.wire.runs()
    assert [run.killed for run in runs] == [True, False, False]
    assert set.union(*(run.session_ids() for run in runs)) == {thread.id}
    assert sum(len(run.updates()) for run in runs) == client.heard


@pytest.mark.parametrize("client", ["typescript"], indirect=True)
async def test_a_request_taken_back_and_a_thread_deleted(bed: Bed, client: Client, thread: Thread) -> None:
    await thread.begin()
    given = {"session": thread.id, "text": "please wait", "cancel": "request"}
    answer = await client.step("prompt", **given)
    assert answer.get("error", {}).get("code") == -32800 or answer["result"] == {"stopReason": "cancelled"}
    assert (await thread.say("and now?"))[0] == "end_turn"
    assert await client.done("delete", session=thread.id) == {}
    assert await client.done("delete", session=thread.id) == {}
    assert await thread.rows() == []
    for act in ("load", "resume"):
        refused = await client.step(act, session=thread.id, cwd=thread.cwd)
        assert refused["error"]["code"] == -32002
    await client.done("close")
    assert len(bed.wire.runs()[0].asked("$/cancel_request")) == 1


async def test_a_cancel_while_the_context_is_compressed(bed: Bed, client: Client, thread: Thread) -> None:
    await thread.begin()
    for text in SAID[:3]:
        await thread.say(text)
    bed.model.stuck = True
    assert (await thread.say(SAID[3], cancel="compression"))[0] == "cancelled"
    assert await bed.model.idle(), "the summary is given up, or was never asked for"
    bed.model.stuck = False
    assert (await thread.say(SAID[4]))[0] == "end_turn"
    await client.done("close")
