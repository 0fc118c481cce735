from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.config import Settings
from baton.config.schema import AgentSettings, AutoHandoffSettings, CompressionSettings
from baton.config.tool_settings import ToolsSettings
from baton.core.value import replace
from baton.engine.turns.runtime import Runtime
from baton.ports.store import Store
from baton.surfaces.acp.host import Defaults, Setup
from baton.surfaces.acp.serve import serve
from baton.surfaces.shared.chat import Chat
from baton.testing.model import FakeModel
from baton.wiring.acp import to_servers
from baton.wiring.agent import AgentSpec, Lent, WorkspaceAgent
from tests.support.acp.client import Answer, Client
from tests.support.patience import PATIENCE
from tests.support.warm import warm

QUICK = replace(
    Settings(),
    tools=ToolsSettings(sandbox="off"),
    agent=replace(
        AgentSettings(),
        model_tries=1,
        compression=CompressionSettings(),
        auto_handoff_on_compression=replace(AutoHandoffSettings(), require_clean_checkpoint=False),
    ),
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class FakeHost:
    """A host over a store of its own, with a model that says what a test wrote."""

    def __init__(self, home: Path, model: FakeModel, settings: Settings, mode: str) -> None:
        self._home = home
        self._settings = settings
        self._mode = mode
        self._lock = threading.Lock()
        self._store: Store | None = None
        self.model = model
        self.chats: list[Chat] = []

    def store(self) -> Store:
        with self._lock:
            if self._store is None:
                self._store = open_sqlite(str(self._home / "baton.db"))
            return self._store

    def defaults(self, directory: str) -> Defaults:
        return Defaults(self.model.name, self._mode, ("fake:other",))

    def usable(self, model: str) -> bool:
        return model.startswith("fake:")

    def check_login(self) -> None:
        pass

    def prepare(self) -> None:
        pass

    async def chat(self, setup: Setup) -> Chat:
        spec = AgentSpec(setup.opening.directory, str(self._home), setup.model, setup.mode, self._settings)
        lent = Lent(to_servers(setup.opening.servers, ()), setup.ports.editor, setup.ports.terminals)
        agent = WorkspaceAgent(spec, lent)
        for name in (self.model.name, "fake:other"):
            agent._models._opened[name] = self.model
        agent.begin(setup.ports.approver)
        store = self.store()
        self.chats.append(Chat(store, Runtime(store, agent.parts, surface="editor", lease=5.0), agent))
        return self.chats[-1]

    def close(self) -> None:
        if self._store is not None:
            self._store.close()


class EditorClient(Client):
    """A client with the host behind the agent it talks to."""

    host: FakeHost

    @property
    def model(self) -> FakeModel:
        return self.host.model

    @property
    def store(self) -> Store:
        return self.host.store()


OpenEditor = Callable[..., AbstractAsyncContextManager[EditorClient]]


@asynccontextmanager
async def serving(host: FakeHost, answer: Answer | None = None) -> AsyncGenerator[EditorClient]:
    """The agent in this process, on real pipes. Leaving checks every frame it sent."""
    taken, give = os.pipe()
    take, given = os.pipe()
    stop = asyncio.Event()
    task = asyncio.create_task(serve(host, taken, given, stop))
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    writing = threading.Thread(target=_write, args=(give, lines))
    writing.start()
    editor = EditorClient(lines.put, answer)
    editor.host = host
    reading = asyncio.create_task(_read(take, editor))
    try:
        yield editor
    finally:
        lines.put(None)
        async with asyncio.timeout(PATIENCE):
            await task
        os.close(given)
        await reading
        os.close(take)
        os.close(taken)
    assert editor.verdict() == []


def _write(descriptor: int, lines: queue.SimpleQueue[bytes | None]) -> None:
    while (data := lines.get()) is not None:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
    os.close(descriptor)


async def _read(descriptor: int, editor: Client) -> None:
    reader = asyncio.StreamReader(limit=2**26)
    loop = asyncio.get_running_loop()
    copy = os.fdopen(os.dup(descriptor), "rb")
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), copy)
    while line := await reader.readline():
        editor.line(line)
    transport.close()


@pytest.fixture
def editor(tmp_path: Path) -> OpenEditor:
    @asynccontextmanager
    async def make(
        script: Sequence[Sequence[Any]] | Callable[[Any], Sequence[Any]] = (("Hello.",),),
        *,
        answer: Answer | None = None,
        mode: str = "ask",
        window: int = 32_000,
        settings: Settings = QUICK,
        can: Any = None,
        hello: bool = True,
        home: Path | None = None,
    ) -> AsyncGenerator[EditorClient]:
        host = FakeHost(warm(home or tmp_path / "state"), FakeModel(script, window=window), settings, mode)
        try:
            async with serving(host, answer) as made:
                if hello:
                    await made.hello(can)
                yield made
        finally:
            host.close()

    return make
