"""The connections of one model. Imports the library: only `loading` imports this."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import httpx2
from pydantic_ai.models import create_async_httpx2_client

_CONNECT = 10.0


class Wire:
    """Knows which answers a task has open, because not every SDK closes them when a stream is left: Google's is held by
    generators that only the garbage collector ends.
    """

    def __init__(self, timeout: float) -> None:
        limits = httpx2.Timeout(timeout, connect=min(timeout, _CONNECT), pool=None)
        self.http = create_async_httpx2_client(timeout=limits)
        self.http.event_hooks["response"].append(self._opened)
        self._watching: dict[asyncio.Task[Any] | None, list[httpx2.Response]] = {}

    @contextmanager
    def watch(self) -> Generator[list[httpx2.Response]]:
        """The answers that this task begins to get inside the block."""
        task = asyncio.current_task()
        self._watching[task] = found = []
        try:
            yield found
        finally:
            del self._watching[task]

    async def close(self) -> None:
        await self.http.aclose()

    async def _opened(self, response: httpx2.Response) -> None:
        if (found := self._watching.get(asyncio.current_task())) is not None:
            found.append(response)
