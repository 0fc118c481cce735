"""Meta's side of the webhook: signs, calls in order, and calls again until the answer is 200."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import io
import json
from contextlib import suppress
from typing import Any

import aiohttp

from tests.support.platforms.whatsapp.schema import incoming_flaws

_PAUSE = 0.05


class Caller:
    def __init__(self, url: str, secret: str) -> None:
        self._url = url
        self._secret = secret
        self._calls: asyncio.Queue[bytes] = asyncio.Queue()
        self._free = asyncio.Event()
        self._free.set()
        self._calling: asyncio.Task[None] | None = None
        self._http: aiohttp.ClientSession | None = None
        self.violations: list[str] = []
        self.statuses: list[int] = []

    async def start(self) -> None:
        self._http = aiohttp.ClientSession()
        self._calling = asyncio.create_task(self._call())

    async def stop(self) -> None:
        if self._calling is not None:
            self._calling.cancel()
            with suppress(asyncio.CancelledError):
                await self._calling
        if self._http is not None:
            await self._http.close()

    def put(self, body: dict[str, Any]) -> None:
        self.violations += incoming_flaws(body)
        self._calls.put_nowait(json.dumps(body, ensure_ascii=False).encode())

    def cut(self) -> None:
        self._free.clear()

    def restore(self) -> None:
        self._free.set()

    async def post(self, body: bytes, signature: str | None = None) -> int:
        """The status of one call; signed rightly if nothing else is said."""
        assert self._http is not None
        given = self.signature(body) if signature is None else signature
        headers = {"Content-Type": "application/json", **({"X-Hub-Signature-256": given} if given else {})}
        async with self._http.post(self._url, data=io.BytesIO(body), headers=headers) as answer:
            return answer.status

    def signature(self, body: bytes, secret: str = "") -> str:
        return "sha256=" + hmac.new((secret or self._secret).encode(), body, hashlib.sha256).hexdigest()

    async def get(self, **query: str) -> tuple[int, str]:
        assert self._http is not None
        async with self._http.get(self._url, params=query) as answer:
            return answer.status, await answer.text()

    async def _call(self) -> None:
        while True:
            body = await self._calls.get()
            while not await self._accepted(body):
                await asyncio.sleep(_PAUSE)

    async def _accepted(self, body: bytes) -> bool:
        await self._free.wait()
        try:
            self.statuses.append(await self.post(body))
        except (aiohttp.ClientError, OSError):
            return False
        return self.statuses[-1] == 200
