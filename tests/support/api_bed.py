"""The HTTP API of a small gateway, on a real port of this machine. Use as `async with`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx2

from baton.ports.model import Model
from baton.ports.store import Store
from baton.surfaces.api.context import Context
from baton.surfaces.api.server import bind
from baton.testing.memory.store import MemoryStore
from baton.wiring.gateway import serve_api
from tests.support.handoffs import kit, repository
from tests.support.patience import PATIENCE
from tests.support.small_gateway import SmallGateway

TOKEN = "t0ken-of-the-tests_0123456789abcdefghijklmnopqrst"
BEARER = {"authorization": f"Bearer {TOKEN}"}
EVENTS = {"accept": "text/event-stream"}


class Event:
    """A server-sent event as it came."""

    def __init__(self, name: str, data: Any, position: str) -> None:
        self.name = name
        self.data = data
        self.position = position


class ApiBed:
    def __init__(self, workspace: Path, model: Model, *, store: Store | None = None, **given: Any) -> None:
        self.workspace = repository(workspace / "repo")
        self.store = store or MemoryStore()
        self.small = SmallGateway(self.store, self.workspace, model, **given)
        self.small.host.handoff = kit(self.workspace, workspace / "home")
        self.context: Context
        self.client: httpx2.AsyncClient
        self.url = ""
        self.stop = asyncio.Event()
        self._open = AsyncExitStack()

    async def __aenter__(self) -> ApiBed:
        listener = bind("127.0.0.1:0")
        self.url = listener.url
        await self._open.enter_async_context(self.small)
        gateway, host = self.small.gateway, self.small.host
        self.context = await self._open.enter_async_context(serve_api(listener, TOKEN, gateway, host, self.stop))
        self.client = httpx2.AsyncClient(base_url=self.url, headers=BEARER, timeout=PATIENCE, trust_env=False)
        await self._open.enter_async_context(self.client)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def get(self, path: str, status: int = 200, **query: Any) -> Any:
        return _read(await self.client.get(path, params=query), status)

    async def post(self, path: str, status: int = 200, **given: Any) -> Any:
        return _read(await self.client.post(path, **({"json": given} if given else {})), status)

    async def put(self, path: str, status: int = 200, **given: Any) -> Any:
        return _read(await self.client.put(path, json=given), status)

    async def begin(self, text: str = "hello") -> str:
        """The id of a new conversation whose first turn has ended."""
        *_, last = [event async for event in self.turn("/v1/conversations", 201, text=text)]
        assert last.name == "turn_ended", last.name
        return str((await self.get("/v1/conversations"))["conversations"][0]["id"])

    async def turn(self, path: str, status: int = 200, **given: Any) -> AsyncIterator[Event]:
        async with self.client.stream("POST", path, json=given, headers=EVENTS) as answer:
            assert answer.status_code == status, await answer.aread()
            async for event in events_of(answer):
                yield event


async def events_of(answer: httpx2.Response) -> AsyncIterator[Event]:
    """Comments are left out; a position without an event is one without a name."""
    found: dict[str, str] = {}
    async for line in answer.aiter_lines():
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(": ")
            found[name] = value
        elif found:
            data = json.loads(found["data"]) if "data" in found else None
            yield Event(found.get("event", ""), data, found.get("id", ""))
            found = {}


def _read(answer: httpx2.Response, status: int) -> Any:
    assert answer.status_code == status, answer.text
    data = answer.json()
    if status >= 400:
        assert set(data["error"]) == {"code", "what", "kept", "todo"}
        return data["error"]
    return data
