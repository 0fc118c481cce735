from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.agent.message import ToolSpec
from baton.core.handoff.compression import Limits
from baton.core.log.payloads import UserInput
from baton.core.value import value
from baton.engine.turns.parts import Parts, TurnSettings
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.step import Patience
from baton.engine.turns.toolbox import Toolbox
from baton.ports.approver import Answer
from baton.ports.model import Model
from baton.ports.store import Store
from baton.ports.tool import Intent, Outcome, Output
from tests.support.patience import PATIENCE


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_sqlite(str(tmp_path / "store" / "baton.db"))
    yield store
    store.close()


class FakeTool:
    """A tool that does what a test gave it to do."""

    def __init__(self, name: str, act: Callable[[Mapping[str, Any], Output], Awaitable[Outcome]], effect: str = "read"):
        self.spec = ToolSpec(name, f"the tool {name}", {"type": "object"})
        self._act = act
        self._effect = effect

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        return Intent(f"{self.spec.name} {dict(args)}", self._effect)

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        return await self._act(args, output)


class FakeApprover:
    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.asked: list[Any] = []

    async def ask(self, asked: Any) -> Answer:
        self.asked.append(asked)
        return self._answers.pop(0) if self._answers else Answer("no")


class FakeMemory:
    def __init__(self) -> None:
        self.prints: list[str] = []

    def list_allowed(self) -> Sequence[str]:
        return self.prints

    def remember(self, fingerprint: str, title: str) -> None:
        self.prints.append(fingerprint)


@value
class Bench:
    """A runtime over a store, a model and tools."""

    runtime: Runtime
    conversation_id: str
    store: Store

    async def turn(self, text: str) -> list[Any]:
        return [event async for event in self.runtime.turn(self.conversation_id, UserInput(text))]

    def kinds(self) -> list[str]:
        head = self.store.conversations.get(self.conversation_id).head_id
        return [entry.kind for entry in self.store.entries.load(head)]

    def entries(self) -> list[Any]:
        head = self.store.conversations.get(self.conversation_id).head_id
        return self.store.entries.load(head)


QUICK = TurnSettings(
    system="be good",
    patience=Patience(silence=5, tries=3, first=0.01, longest=0.05),
    limits=Limits(deadline=0.5, tries=2, cool_down=60),
    max_steps=5,
)


@pytest.fixture
def bench(store: Store) -> Callable[..., Bench]:
    def make(
        model: Model,
        tools: Sequence[Any] = (),
        *,
        mode: str = "unattended",
        settings: TurnSettings = QUICK,
        clean: Callable[[str], str] = str,
    ) -> Bench:
        conversation, _ = store.conversations.start("test")
        toolbox = Toolbox(tools, FakeApprover(), FakeMemory(), mode, clean=clean)
        runtime = Runtime(store, lambda _: Parts(model, toolbox, settings), surface="test")
        return Bench(runtime, conversation.id, store)

    return make


async def soon(check: Callable[[], bool]) -> None:
    """Waits for something another task does."""
    async with asyncio.timeout(PATIENCE):
        while not check():
            await asyncio.sleep(0.002)
