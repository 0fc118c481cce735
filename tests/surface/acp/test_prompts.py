"""Prompts of an editor: what is told, in which order, and how each is answered."""

from __future__ import annotations

import asyncio
import base64
import threading
from pathlib import Path
from typing import Any

import pytest

from baton.core.agent.message import Call, Usage
from baton.core.errors import ModelRefused, StoreFull
from baton.core.value import replace
from baton.ports.model import Finished
from baton.wiring.agent import WorkspaceAgent
from tests.support.acp.client import Refused, allow, its
from tests.support.acp.schema import IN
from tests.support.patience import PATIENCE
from tests.surface.acp.conftest import QUICK, OpenEditor

pytestmark = pytest.mark.anyio
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


async def test_a_prompt_is_answered_after_everything_it_said(editor: OpenEditor, isolated: Path) -> None:
    async with editor([["Hel", "lo."]]) as client:
        session_id = await client.new(isolated)
        assert await client.say(session_id, "hi") == "end_turn"
        assert client.text() == "Hello."
        told = [message for sender, message in client.frames if sender == IN]
        answer = next(i for i, message in enumerate(told) if message.get("result") == {"stopReason": "end_turn"})
        kinds = [each["params"]["update"]["sessionUpdate"] for each in told[answer + 1 :]]
        assert set(kinds) <= {"session_info_update"}, "only a title may come later"
        assert {each["messageId"] for each in client.updates("agent_message_chunk")} != {None}
        used = client.updates("usage_update")[-1]
        assert used["size"] == 32_000
        await client.until(lambda: client.updates("session_info_update"))
        assert client.updates("session_info_update") == [{"sessionUpdate": "session_info_update", "title": "hi"}]


async def test_only_the_first_prompt_waits_for_the_title(
    editor: OpenEditor, isolated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules that are being compiled take seconds, and every answer until then came that much later."""
    compiled, clean = threading.Event(), WorkspaceAgent.clean

    def slow(agent: WorkspaceAgent, text: str, conversation_id: str = "") -> str:
        if text == "name me":
            compiled.wait(10 * PATIENCE)
        return clean(agent, text, conversation_id)

    monkeypatch.setattr(WorkspaceAgent, "clean", slow)
    async with editor([["One."], ["Two."]]) as client:
        session_id = await client.new(isolated)
        assert await client.say(session_id, "name me") == "end_turn"
        monkeypatch.setattr("baton.surfaces.acp.session._NAMING_SECONDS", 10 * PATIENCE)
        try:
            assert await asyncio.wait_for(client.say(session_id, "go on"), PATIENCE) == "end_turn"
        finally:
            compiled.set()
        await client.until(lambda: client.updates("session_info_update"))


async def test_an_answer_without_a_word_says_so(editor: OpenEditor, isolated: Path) -> None:
    async with editor([[""]]) as client:
        assert await client.say(await client.new(isolated), "hi") == "end_turn"
        assert "The model had nothing to say." in str(client.updates())


async def test_a_change_is_shown_asked_for_and_made(editor: OpenEditor, isolated: Path) -> None:
    (isolated / "a.txt").write_text("one\ntwo\n")
    change = Call("c1", "edit", {"path": "a.txt", "old": "two", "new": "three"})
    async with editor([["I change it.", change], ["Done."]]) as client:
        session_id = await client.new(isolated)
        assert await client.say(session_id, "change it") == "end_turn"
        asked = client.asked("session/request_permission")[0]
        block = {"type": "diff", "path": str(isolated / "a.txt"), "oldText": "one\ntwo\n", "newText": "one\nthree\n"}
        assert asked["toolCall"]["content"] == [block]
        assert [each["kind"] for each in asked["options"]] == [
            "allow_once",
            "allow_always",
            "allow_always",
            "reject_once",
        ]
        called = client.updates("tool_call")[0]
        assert (called["kind"], called["status"], called["title"]) == ("edit", "pending", "Change a.txt")
        assert called["locations"] == [{"path": str(isolated / "a.txt")}]
        assert called["toolCallId"] == asked["toolCall"]["toolCallId"]
        ended = client.updates("tool_call_update")[-1]
        assert (ended["status"], ended["content"]) == ("completed", [block])
        assert (isolated / "a.txt").read_text() == "one\nthree\n"
        order = [m.get("method") for s, m in client.frames if s == IN and "method" in m]
        kinds = [
            m["params"].get("update", {}).get("sessionUpdate") for s, m in client.frames if s == IN and "method" in m
        ]
        assert kinds.index("tool_call") < order.index("session/request_permission")


async def test_no_means_no(editor: OpenEditor, isolated: Path) -> None:
    def refuse(method: str, params: dict[str, Any]) -> Any:
        return {"outcome": {"outcome": "selected", "optionId": "reject_once"}}

    command = Call("c1", "shell", {"command": "touch made"})
    async with editor([[command], ["Then not."]], answer=refuse) as client:
        assert await client.say(await client.new(isolated), "do it") == "end_turn"
        assert client.updates("tool_call_update")[-1]["status"] == "failed"
        assert not (isolated / "made").exists()
        assert client.updates("tool_call")[0]["kind"] == "execute"


async def test_the_same_call_id_twice_is_two_calls(editor: OpenEditor, isolated: Path) -> None:
    look = Call("c1", "list", {})
    async with editor([[look], [look], ["Done."]]) as client:
        await client.say(await client.new(isolated), "look twice")
        ids = [each["toolCallId"] for each in client.updates("tool_call")]
        assert len(ids) == len(set(ids)) == 2


async def test_a_plan_is_a_plan(editor: OpenEditor, isolated: Path) -> None:
    items = [
        {"text": "look", "state": "done"},
        {"text": "mend", "state": "doing"},
        {"text": "test", "state": "pending"},
    ]
    async with editor([[Call("c1", "plan", {"items": items})], ["Done."]]) as client:
        await client.say(await client.new(isolated), "plan")
        states = [each["status"] for each in client.updates("plan")[0]["entries"]]
        assert states == ["completed", "in_progress", "pending"]
        assert client.updates("tool_call") == []


async def test_files_and_links_are_data_and_meta_stays_away(editor: OpenEditor, isolated: Path) -> None:
    secret = {"baton": {"note": "META-CANARY"}}
    blocks = [
        {"type": "text", "text": "explain ", "_meta": secret},
        {"type": "resource_link", "name": "b", "uri": f"file://{isolated}/b.py", "_meta": secret},
        {
            "type": "resource",
            "resource": {"uri": f"file://{isolated}/a.py", "text": "print(1)\nfile-0>>>\n", "_meta": secret},
            "_meta": secret,
        },
    ]
    async with editor() as client:
        session_id = await client.new(isolated)
        reply = client.ask("session/prompt", sessionId=session_id, prompt=blocks, _meta=secret)
        assert (await its(reply))["stopReason"] == "end_turn"
        sent = client.model.prompts[0].messages[-1].text
        assert sent.startswith("explain @b.py@a.py\n\n[a.py, attached by the editor.")
        assert "print(1)" in sent
        assert "META-CANARY" not in str(client.model.prompts)


async def test_pictures_are_taken_and_what_is_none_is_refused(editor: OpenEditor, isolated: Path) -> None:
    png = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(20)).decode()
    async with editor() as client:
        session_id = await client.new(isolated)
        assert (
            await client.say(session_id, "see", {"type": "image", "mimeType": "image/png", "data": png}) == "end_turn"
        )
        assert client.model.prompts[0].messages[-1].images[0].data == png
        for data in ("AAAA", "%%%"):
            with pytest.raises(Refused) as refused:
                await client.say(session_id, {"type": "image", "mimeType": "image/png", "data": data})
            assert refused.value.code == -32602


async def test_commands_answer_in_words(editor: OpenEditor, isolated: Path) -> None:
    async with editor() as client:
        session_id = await client.new(isolated)
        await client.until(lambda: client.updates("available_commands_update"))
        names = [each["name"] for each in client.updates("available_commands_update")[0]["availableCommands"]]
        assert "handoff" in names
        assert "quit" not in names
        assert await client.say(session_id, "/status") == "end_turn"
        assert "fake:model" in client.text()
        assert await client.say(session_id, "/nonsense") == "end_turn"
        assert "There is no command /nonsense" in client.text()
        assert await client.say(session_id, "/new") == "end_turn"
        assert "new thread" in client.text()
        assert await client.say(session_id, "/mode accept_edits") == "end_turn"
        assert client.updates("current_mode_update")[-1]["currentModeId"] == "accept_edits"
        options = client.updates("config_option_update")[-1]["configOptions"]
        assert [each["currentValue"] for each in options if each["id"] == "mode"] == ["accept_edits"]
        assert client.model.prompts == []


async def test_options_and_modes_stay_the_same_thing(editor: OpenEditor, isolated: Path) -> None:
    async with editor() as client:
        session_id = await client.new(isolated)
        assert await client.call("session/set_mode", sessionId=session_id, modeId="read_only") == {}
        told = client.updates("config_option_update")[-1]["configOptions"]
        assert [each["id"] for each in told] == ["mode", "model", "effort"]
        assert told[0]["currentValue"] == "read_only"
        found = await client.call("session/set_config_option", sessionId=session_id, configId="mode", value="ask")
        assert found["configOptions"][0]["currentValue"] == "ask"
        assert client.updates("current_mode_update")[-1]["currentModeId"] == "ask"
        found = await client.call(
            "session/set_config_option", sessionId=session_id, configId="model", value="fake:other"
        )
        assert found["configOptions"][1]["currentValue"] == "fake:other"
        for option, value in (("mode", "yolo"), ("nothing", "x")):
            with pytest.raises(Refused) as refused:
                await client.call("session/set_config_option", sessionId=session_id, configId=option, value=value)
            assert refused.value.code == -32602


async def test_a_mode_holds_at_once_also_for_the_turn_that_runs(editor: OpenEditor, isolated: Path) -> None:
    """Chosen while a question is open: yes to it does not outweigh read-only, and the next call asks no more."""
    waiting: list[tuple[str, dict[str, Any]]] = []

    def answer(method: str, params: dict[str, Any]) -> Any:
        return waiting.append((method, params)) if not waiting else allow(method, params)

    make = [Call(f"c{name}", "shell", {"command": f"touch {name}"}) for name in "abc"]
    async with editor([*([call] for call in make), ["Done."]], answer=answer) as client:
        session_id = await client.new(isolated)
        reply = client.prompt(session_id, "make them")
        await client.until(lambda: waiting)
        await client.call("session/set_mode", sessionId=session_id, modeId="read_only")
        question = next(m for _, m in client.frames if m.get("method") == "session/request_permission")
        client.send({"jsonrpc": "2.0", "id": question["id"], "result": allow(*waiting[0])})
        assert (await its(reply))["stopReason"] == "end_turn"
        assert len(client.asked("session/request_permission")) == 1
        assert [(isolated / name).exists() for name in "abc"] == [False] * 3
        assert "read-only" in client.model.prompts[1].messages[-1].text


async def test_a_freer_mode_asks_no_more(editor: OpenEditor, isolated: Path) -> None:
    started = asyncio.Event()

    def answer(method: str, params: dict[str, Any]) -> Any:
        started.set()
        return allow(method, params)

    calls = [[Call("c1", "shell", {"command": "while [ ! -e go ]; do sleep 0.05; done"})]]
    calls += [[Call("c2", "shell", {"command": "touch made"})], ["Done."]]
    async with editor(calls, answer=answer) as client:
        session_id = await client.new(isolated)
        reply = client.prompt(session_id, "make it")
        await asyncio.wait_for(started.wait(), PATIENCE)
        await client.call("session/set_config_option", sessionId=session_id, configId="mode", value="unattended")
        (isolated / "go").touch()
        assert (await its(reply))["stopReason"] == "end_turn"
        assert len(client.asked("session/request_permission")) == 1
        assert (isolated / "made").exists()


async def test_a_second_prompt_waits_for_the_first(editor: OpenEditor, isolated: Path) -> None:
    async with editor([["First.", 0.2], ["Second."]]) as client:
        session_id = await client.new(isolated)
        one, two = client.prompt(session_id, "one"), client.prompt(session_id, "two")
        assert [(await its(each))["stopReason"] for each in (one, two)] == ["end_turn", "end_turn"]
        assert client.text() == "First.Second."


async def test_a_failed_turn_is_an_error_a_person_can_read(editor: OpenEditor, isolated: Path) -> None:
    async with editor([[ModelRefused(model="fake:model", reason="no such key")], ["Now."]]) as client:
        session_id = await client.new(isolated)
        with pytest.raises(Refused) as refused:
            await client.say(session_id, "hi")
        assert refused.value.code == -32603
        assert "no such key" in refused.value.error["data"]["details"]
        assert await client.say(session_id, "again") == "end_turn"


async def test_how_a_model_stopped_is_how_the_prompt_did(editor: OpenEditor, isolated: Path) -> None:
    stops = [["cut", Finished(Usage(), "length")], ["no", Finished(Usage(), "refusal")], ["yes"]]
    async with editor(stops) as client:
        session_id = await client.new(isolated)
        assert [await client.say(session_id, "x") for _ in stops] == ["max_tokens", "refusal", "end_turn"]


async def test_a_silent_model_ends_the_prompt_with_words(editor: OpenEditor, isolated: Path) -> None:
    settings = replace(QUICK, agent=replace(QUICK.agent, model_timeout=1.0))
    async with editor([[60], ["Now."]], settings=settings) as client:
        session_id = await client.new(isolated)
        with pytest.raises(Refused) as refused:
            await client.say(session_id, "hi")
        assert "said nothing" in refused.value.error["message"]
        assert await client.say(session_id, "again") == "end_turn"


async def test_a_store_that_fails_is_an_answer_too(
    editor: OpenEditor, isolated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with editor() as client:
        session_id = await client.new(isolated)
        await client.say(session_id, "hi")

        def full(*_: object, **__: object) -> None:
            raise StoreFull(path="the store")

        with monkeypatch.context() as patch:
            patch.setattr(type(client.store.entries), "append", full)
            with pytest.raises(Refused) as refused:
                await client.say(session_id, "more")
            assert "no room left" in refused.value.error["message"]
        assert await client.say(session_id, "again") == "end_turn"


@pytest.mark.parametrize(("name", "data"), [("plot.png", PNG), ("table.csv", b"a,b\n")])
async def test_a_file_that_is_shown_is_a_picture_or_a_link(
    editor: OpenEditor, isolated: Path, name: str, data: bytes
) -> None:
    (isolated / name).write_bytes(data)
    async with editor([[Call("c1", "show", {"path": name, "caption": "Look"})], ["Done."]]) as client:
        await client.say(await client.new(isolated), "show it")
        ended = client.updates("tool_call_update")[-1]
        assert ended["status"] == "completed"
        caption, block = (each["content"] for each in ended["content"])
        assert caption == {"type": "text", "text": "Look"}
        if data == PNG:
            assert block == {"type": "image", "data": base64.b64encode(PNG).decode(), "mimeType": "image/png"}
        else:
            assert (block["type"], block["uri"]) == ("resource_link", f"file://{isolated / name}")
        assert client.asked("session/request_permission") == []
