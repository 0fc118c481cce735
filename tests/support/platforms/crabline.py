"""crabline's emulators: one process for each, which all tests of this process share."""

from __future__ import annotations

import atexit
import json
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import aiohttp

from tests.support.obtain import ENVIRON, emulators

_PROGRAM = Path("@openclaw", "crabline", "dist", "src", "bin", "crabline.js")

Json = dict[str, Any]


class Crabline:
    """`manifest` says where it is and with what secrets; `http` is for talking to it."""

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self.manifest: Json = {}
        self.http = aiohttp.ClientSession()

    async def start(self) -> None:
        self.manifest = _running(self._provider)

    async def inject(self, body: Json) -> Json:
        """A person's message."""
        url, token = self.manifest["endpoints"]["adminInboundUrl"], self.manifest["adminToken"]
        async with self.http.post(url, json=body, headers={"X-Crabline-Admin-Token": token}) as answer:
            given: Json = await answer.json()
            assert answer.status == 200, given
            return given

    async def stop(self) -> None:
        await self.http.close()


@cache
def _running(provider: str) -> Json:
    """The manifest of a process that ends with ours. Skips, or fails where it must not, if it cannot be had."""
    found, folder = emulators(), tempfile.TemporaryDirectory(prefix="baton-crabline-")
    recorder = str(Path(folder.name, "seen.jsonl"))
    process = subprocess.Popen(
        [found.node, str(found.modules / _PROGRAM), "--json", "serve", provider, "--recorder", recorder],
        cwd=folder.name,
        env=ENVIRON,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    said = ""
    while not said.endswith("\n}\n"):
        line = process.stdout.readline()
        assert line, "crabline ended at once"
        said += line

    def end() -> None:
        assert process.stdout is not None
        process.stdout.close()
        process.kill()
        process.wait()
        folder.cleanup()

    atexit.register(end)
    return json.loads(said)
