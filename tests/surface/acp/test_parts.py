"""The parts on their own: prompts that wait in line, sides of a diff, what a client may send."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.registry import tools
from baton.core.agent.message import Call
from baton.engine.past import Past
from baton.surfaces.acp import updates
from baton.surfaces.acp.agent import announcement
from baton.surfaces.acp.client import Capabilities
from baton.surfaces.acp.content import path_of
from baton.surfaces.acp.prompt_queue import PromptQueue
from baton.surfaces.acp.tool_calls import KINDS, MOST_HUNKS, RAW, CallIds, KnownCall, bound, describe, split_hunks
from baton.testing.memory import MemoryStore
from tests.support.acp import schema
from tests.support.handoffs import OneSecret
from tests.support.patience import PATIENCE
from tests.surface.acp.conftest import OpenEditor

DIFF = """\
--- a
+++ a
@@ -1,3 +1,3 @@
 one
-two
+2
 three
@@ -9 +9,2 @@
-nine
\\ No newline at end of file
+9
+10
"""


def test_editors_know_the_kind_of_every_tool(isolated: Path) -> None:
    past = Past(MemoryStore, "c_nothing", OneSecret)
    names = {tool.spec.name for tool in tools(Workspace(isolated), past=past)}
    assert names - set(KINDS) == set(), "KINDS of src/baton/surfaces/acp/tool_calls.py lacks these tools"
    assert set(KINDS) - names == set(), "KINDS of src/baton/surfaces/acp/tool_calls.py has tools that are not there"


def test_a_tool_of_an_mcp_server_is_of_another_kind() -> None:
    shown = describe("c1", KnownCall("test__echo", {"path": "a.txt"}), "/w", "pending")
    assert shown["kind"] == "other"
    assert "locations" not in shown


def test_each_hunk_has_its_two_sides() -> None:
    assert split_hunks(DIFF) == [("one\ntwo\nthree\n", "one\n2\nthree\n"), ("nine\n", "9\n10\n")]
    assert split_hunks("--- /dev/null\n+++ a\n@@ -0,0 +1 @@\n+new\n") == [(None, "new\n")]


@pytest.mark.parametrize(
    "text", ["", "no diff", f"{DIFF}[… 7 more characters]", "--- a\n+++ a\n" + "@@ @@\n x\n" * (MOST_HUNKS + 1)]
)
def test_what_is_no_whole_diff_has_no_sides(text: str) -> None:
    assert split_hunks(text) == []


def test_a_call_id_is_its_own_however_often_a_model_uses_it() -> None:
    ids = CallIds()
    ids.begin("u_1")
    assert [ids.of("c"), ids.of("c")] == [("u_1/c", True), ("u_1/c", False)]
    ids.end("c")
    assert ids.of("c") == ("u_1/c/2", True)
    ids.begin("u_2")
    assert ids.of("c") == ("u_2/c", True)


def test_raw_data_is_bound() -> None:
    assert len(bound({"text": "x" * 10 * RAW})["text"]) < RAW + 100
    assert len(str(bound({str(number): "x" * RAW for number in range(50)}))) < 3 * RAW
    assert bound({"number": float("nan")}) == {"text": "{'number': nan}"}


@pytest.mark.parametrize(
    "given", [None, 7, [], {"fs": 7, "session": [], "elicitation": {"form": True}}, {"session": {}}]
)
def test_what_a_client_says_in_another_form_it_cannot_do(given: Any) -> None:
    assert Capabilities.read(given) == Capabilities()


@pytest.mark.parametrize("unstable", [False, True])
def test_a_fork_is_announced_only_to_those_who_want_what_is_unstable(unstable: bool) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}}
    answer = {"jsonrpc": "2.0", "id": 1, "result": announcement(unstable=unstable, terminal_login=True)}
    judge = schema.judge(schema.UNSTABLE if unstable else schema.STABLE)
    assert judge.errors([(schema.OUT, hello), (schema.IN, answer)]) == []
    assert ("fork" in answer["result"]["agentCapabilities"]["sessionCapabilities"]) is unstable


def test_an_address_is_a_path_only_if_it_is_a_files() -> None:
    assert path_of("file:///w/a%20b.py", "/w") == "a b.py"
    assert path_of("file:///other/a.py", "/w") == "/other/a.py"
    assert path_of("https://x/a.py", "/w") == ""
    assert path_of("file://[broken", "/w") == ""


@pytest.mark.anyio
async def test_work_that_does_not_stop_is_left_and_waited_for() -> None:
    """The cancelled prompt is answered in time, and the next one begins when the old work has really ended."""
    told: list[str] = []
    release = asyncio.Event()

    async def stubborn() -> str:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                told.append("would not")
        told.append("ended")
        return "end_turn"

    async def next_one() -> str:
        told.append("next")
        return "end_turn"

    async def stop() -> bool:
        return False

    prompts = PromptQueue(stop, lambda: told.append("abandoned"), lambda: told.append("resumed"))
    first = asyncio.ensure_future(prompts.answer(stubborn))
    await asyncio.sleep(0)
    prompts.cancel()
    assert await asyncio.wait_for(first, PATIENCE) == "cancelled"
    second = asyncio.ensure_future(prompts.answer(next_one))
    await asyncio.sleep(0)
    release.set()
    assert await asyncio.wait_for(second, PATIENCE) == "end_turn"
    assert told == ["would not", "abandoned", "ended", "resumed", "next"]


@pytest.mark.anyio
async def test_an_event_that_cannot_be_told_keeps_no_prompt(
    editor: OpenEditor, isolated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Any) -> Any:
        raise ValueError("it cannot be told")

    monkeypatch.setattr(updates, "plan", broken)
    plan = Call("c1", "plan", {"items": [{"text": "look", "state": "doing"}]})
    async with editor([["\ud800 half", plan], ["Done."]]) as client:
        assert await client.say(await client.new(isolated), "go") == "end_turn"
        assert client.text().endswith("Done.")
