"""One of crabline's emulators as a process of its own."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

import aiohttp

from tests.support.obtain import ENVIRON, emulators

_PROGRAM = Path("@openclaw", "crabline", "dist", "src", "bin", "crabline.js")


class Crabline:
    """`manifest` says where it is and with what secrets; `http` is for talking to it."""

    def __init__(self, provider: str, *options: str) -> None:
        self._provider = provider
        self._options = options
        self._folder = tempfile.TemporaryDirectory(prefix="baton-crabline-")
        self._process: asyncio.subprocess.Process | None = None
        self.manifest: dict[str, Any] = {}
        self.http = aiohttp.ClientSession()

    async def start(self) -> None:
        found, ready = emulators(), Path(self._folder.name, "ready.json")
        options = ["--recorder", str(Path(self._folder.name, "seen.jsonl")), "--ready-file", str(ready), *self._options]
        self._process = await asyncio.create_subprocess_exec(
            *[found.node, str(found.modules / _PROGRAM), "--json", "serve", self._provider, *options],
            cwd=self._folder.name,
            env=ENVIRON,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(30):
            assert await self._process.stdout.readuntil(b"\n}"), "crabline ended at once"
        self.manifest = json.loads(ready.read_text())

    async def inject(self, body: dict[str, Any]) -> dict[str, Any]:
        """A person's message."""
        url, token = self.manifest["endpoints"]["adminInboundUrl"], self.manifest["adminToken"]
        async with self.http.post(url, json=body, headers={"X-Crabline-Admin-Token": token}) as answer:
            given = await answer.json()
            assert answer.status == 200, given
            return given

    async def stop(self) -> None:
        await self.http.close()
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        self._folder.cleanup()
