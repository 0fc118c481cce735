"""All surfaces at once over one store and one conversation: a terminal, an editor, two channels and the HTTP API."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.agent.message import Call, Prompt, UserMessage
from baton.core.agent.question import Question
from baton.core.transfer.place import Place
from baton.engine.turns import questions
from baton.ports.store import Store
from baton.surfaces.tui.app import ChatApp
from baton.surfaces.tui.approval import ApprovalView
from baton.testing.model import FakeModel
from baton.testing.service import FakeService
from tests.contract.platform.kit import load
from tests.support.api_bed import ApiBed
from tests.support.channels import Channel, FakeChannel, StagedChannel
from tests.support.small_gateway import soon
from tests.support.tui import ShellTool, make_app
from tests.support.warm import warm
from tests.surface.acp.conftest import QUICK, EditorClient, FakeHost, serving
from tests.surface.tui.conftest import SIZE, ready, screen_text, send

FAKE_PLACES = {"telegram": Place("telegram", "777"), "matrix": Place("matrix", "!home:example.org")}
NAMES = ("terminal", "editor", "telegram", "matrix", "api")


def worker(prompt: Prompt) -> list[Any]:
    """Runs a command for whatever a person says, then says that it is done."""
    last = prompt.messages[-1]
    if isinstance(last, UserMessage):
        return [Call("c1", "shell", {"command": f"printf {last.text}"})]
    return ["Done."]


class Surfaces:
    """Use as `async with`. Every surface has the conversation open; nobody answers unless a test does. With `real`
    the channels are the stages of their platforms, reached by the real adapters.
    """

    def __init__(self, home: Path, workspace: Path, *, real: bool = False) -> None:
        self._real = real
        self.channels: dict[str, Channel] = {}
        self._home = warm(home)
        self._workspace = workspace
        self._open = AsyncExitStack()
        self.store: Store
        self.bed: ApiBed
        self.app: ChatApp
        self.pilot: Pilot[int]
        self.editor: EditorClient
        self.conversation_id = ""
        self.dialogues: dict[str, asyncio.Future[Any]] = {}

    async def __aenter__(self) -> Surfaces:
        self.store = open_sqlite(str(self._home / "baton.db"))
        self._open.callback(self.store.close)
        if self._real:
            await self._open_stages()
        else:
            await self._open_fakes()
        conversation, _ = self.store.conversations.start("all at once", str(self._workspace))
        self.conversation_id = conversation.id
        for channel in self.channels.values():
            self.store.bindings.bind(channel.place, conversation.id)
        await self._open_editor()
        await self._open_terminal()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def _open_fakes(self) -> None:
        services = {name: FakeService(name) for name in FAKE_PLACES}
        self.channels |= {name: FakeChannel(services[name], place) for name, place in FAKE_PLACES.items()}
        owners = tuple(f"{name}:owner" for name in FAKE_PLACES)
        await self._open_gateway(owners, services=services)

    async def _open_stages(self) -> None:
        staged: list[StagedChannel] = []
        for name in FAKE_PLACES:
            stage = await self._open.enter_async_context(load(name)())
            staged.append(StagedChannel(stage, stage.platform(), self.store))
            self.channels[name] = staged[-1]
        owners = tuple(channel.stage.owner for channel in staged)
        await self._open_gateway(owners, platforms={channel.place.platform: channel.platform for channel in staged})
        for channel in staged:
            await channel.knock(self.bed.small.gateway.parts.reception)

    async def _open_gateway(self, owners: tuple[str, ...], **given: Any) -> None:
        home = {name: channel.place.room for name, channel in self.channels.items()}
        self.bed = ApiBed(
            self._workspace, FakeModel(worker), store=self.store, tools=[ShellTool()], home=home, owners=owners, **given
        )
        await self._open.enter_async_context(self.bed)

    async def _open_editor(self) -> None:
        host = FakeHost(self._home, FakeModel(worker), QUICK, "ask")
        self._open.callback(host.close)
        self.editor = await self._open.enter_async_context(serving(host, self._on_dialogue))
        await self.editor.hello()
        await self.editor.call("session/load", sessionId=self.conversation_id, cwd=str(self._workspace), mcpServers=[])

    def _on_dialogue(self, method: str, params: dict[str, Any]) -> Any:
        """The editor's person takes their time, until a test answers for them."""
        future = asyncio.get_running_loop().create_future()
        self.dialogues[str(params["toolCall"]["toolCallId"])] = future
        return future

    async def _open_terminal(self) -> None:
        opened: list[Store] = []
        self._open.callback(lambda: [each.close() for each in opened])
        self.app = make_app(
            self._home, FakeModel(worker), resume=self.conversation_id, opened=opened, workspace=str(self._workspace)
        )
        self.pilot = await self._open.enter_async_context(self.app.run_test(size=SIZE))
        await ready(self.pilot)
        await soon(lambda: not self.app.controller._saying.locked(), "the terminal to have recovered")

    async def ask(self, name: str, text: str) -> Question:
        """Has a turn begun on a surface; the question it waits with."""
        await soon(lambda: self.store.conversations.get(self.conversation_id).owner is None, "the last turn to end")
        if name == "terminal":
            await soon(lambda: not self.app.backend.chat.busy and self.app.line.state == "", "an idle terminal")
            await send(self.pilot, text)
        elif name == "editor":
            self.editor.prompt(self.conversation_id, text)
        elif name == "api":
            await soon(lambda: self._begin_by_api(text), "the API to take it")
        else:
            await self.channels[name].says(text)
        return await self.wait_for(lambda: questions.list_open(self.store, self.conversation_id), f"{name} to ask")

    async def _begin_by_api(self, text: str) -> bool:
        """False while another surface looks after the conversation, for a moment."""
        path = f"/v1/conversations/{self.conversation_id}/turns"
        begun = await self.bed.client.post(path, json={"text": text})
        assert begun.status_code in (202, 409), begun.text
        return begun.status_code == 202

    async def answer(self, name: str, question: Question, *, allow: bool = True) -> None:
        """Waits until a surface shows the question, and answers it there."""
        if name == "terminal":
            view = await self.wait_for(self._armed, "the terminal to show it")
            view.focus()
            await self.pilot.pause()
            await self.pilot.press("y" if allow else "n")
        elif name == "editor":
            dialogue = await self.wait_for(lambda: self._dialogue(question), "the editor to show it")
            option = "allow_once" if allow else "reject_once"
            dialogue.set_result({"outcome": {"outcome": "selected", "optionId": option}})
        elif name == "api":
            (found,) = (await self.bed.get("/v1/approvals"))["approvals"]
            await self.bed.post(f"/v1/approvals/{found['handle']}", answer="yes" if allow else "no")
        else:
            await self.channels[name].answers(question, allow=allow)

    async def check_ended(self, name: str, question: Question) -> None:
        """Waits until a surface no longer asks."""
        if name == "terminal":
            await self.wait_for(lambda: not list(self.app.query(ApprovalView)), "the terminal to take it back")
        elif name == "editor":
            await self.wait_for(lambda: self._is_done_in_editor(question), "the editor to show its end")
        elif name == "api":
            await self.wait_for(self._is_done_in_api, "the API to list it no more")
        else:
            await self.wait_for(lambda: self.channels[name].shows_end(question), f"{name}: its end")

    async def _is_done_in_api(self) -> bool:
        return (await self.bed.get("/v1/approvals"))["approvals"] == []

    def _is_done_in_editor(self, question: Question) -> bool:
        ids = (f"question-{question.handle}", f"/{question.call_id}")
        calls = [each for each in self.editor.updates() if str(each.get("toolCallId", "")).endswith(ids)]
        return not calls or calls[-1]["status"] in ("completed", "failed")

    async def wait_for(self, look: Callable[[], Any], what: str) -> Any:
        found = await soon(look, what)
        return found[0] if isinstance(found, list) else found

    def _armed(self) -> list[ApprovalView]:
        return [view for view in self.app.query(ApprovalView) if view.armed]

    def _dialogue(self, question: Question) -> list[asyncio.Future[Any]]:
        found = self.dialogues.get(f"question-{question.handle}")
        return [found] if found else []

    def screen(self) -> str:
        return " ".join(screen_text(self.app).split())

    def results(self, text: str) -> list[dict[str, Any]]:
        """What calls with this command came to, as the transcript has it."""
        entries = self.store.entries.load(self.store.conversations.get(self.conversation_id).head_id)
        turn = [entry.data for entry in entries if entry.kind in ("user", "tool_result")]
        begun = next((at for at, data in enumerate(turn) if data.get("text") == text), len(turn))
        return [data for data in turn[begun + 1 : begun + 3] if "ok" in data]
