"""A Slack workspace for one test: npm's `emulate` as a process of its own, with an owner, a stranger and our app."""

from __future__ import annotations

import asyncio
import json
import socket
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

import aiohttp

from tests.support.obtain import ENVIRON, emulators
from tests.support.patience import PATIENCE

BOT, APP = "xoxb-1-bot-canary", "xapp-1-app-canary"
OWNER, STRANGER = "xoxp-owner", "xoxp-stranger"
GENERAL = "C000000001"
APP_ID = "A000000001"
_TRIES = 3
_SCOPES = [
    *("chat:write", "channels:history", "channels:read", "im:history", "im:write", "files:read", "files:write"),
    "channels:manage",
]
_SEED: dict[str, Any] = {
    "strict_scopes": True,
    "users": [{"name": "owner"}, {"name": "stranger"}],
    "oauth_apps": [
        {
            "client_id": "1.2",
            "client_secret": "none",
            "app_id": APP_ID,
            "name": "Baton",
            "bot_name": "baton",
            "redirect_uris": [],
            "scopes": _SCOPES,
        }
    ],
    "tokens": [
        {"token": token, "user": user, "type": kind, "scopes": _SCOPES}
        for token, user, kind in ((OWNER, "owner", "user"), (STRANGER, "stranger", "user"), (BOT, "baton", "bot"))
    ],
}


class Workspace:
    """`users` has the id of each token's user."""

    def __init__(self) -> None:
        self.url = ""
        self.users: dict[str, str] = {}
        self.team = self.bot_id = ""
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._http: aiohttp.ClientSession | None = None

    async def start(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="baton-slack-")
        seed = Path(self._folder.name) / "seed.json"
        seed.write_text(json.dumps({"slack": _SEED}))
        self._http = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=PATIENCE))
        for _ in range(_TRIES):
            self._process = await self._started(seed, _free_port())
            if await self._ready(self._process):
                break
        else:
            raise AssertionError("emulate ends as soon as it is started")
        for token in (OWNER, STRANGER, BOT):
            who = await self.call("auth.test", {}, token)
            self.users[token], self.team = who["user_id"], who["team_id"]
            self.bot_id = who.get("bot_id") or self.bot_id

    async def call(self, method: str, body: dict[str, Any], token: str) -> dict[str, Any]:
        """What the emulator answers to this user."""
        headers = {"Authorization": f"Bearer {token}"}
        async with self._session.post(f"{self.url}/api/{method}", json=body, headers=headers) as answer:
            return await answer.json()

    async def raw(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, str, bytes]:
        """Status, media type and body of anything else it serves."""
        async with self._session.request(method, f"{self.url}{path}", headers=headers, data=BytesIO(body)) as answer:
            return answer.status, answer.content_type, await answer.read()

    async def stop(self) -> None:
        if self._http is not None:
            await self._http.close()
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        if self._folder is not None:
            self._folder.cleanup()

    @property
    def _session(self) -> aiohttp.ClientSession:
        assert self._http is not None, "the workspace was not started"
        return self._http

    async def _started(self, seed: Path, port: int) -> asyncio.subprocess.Process:
        have = emulators()
        self.url = f"http://127.0.0.1:{port}"
        program = [have.node, str(have.modules / "emulate" / "dist" / "index.js")]
        return await asyncio.create_subprocess_exec(
            *[*program, "start", "-s", "slack", "-p", str(port), "--seed", str(seed)],
            cwd=seed.parent,
            env={**ENVIRON, "HOME": str(seed.parent)},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )

    async def _ready(self, process: asyncio.subprocess.Process) -> bool:
        """Whether it serves; if not, it ended, as when somebody else took its port first."""
        async with asyncio.timeout(PATIENCE):
            while process.returncode is None:
                try:
                    return bool((await self.call("auth.test", {}, BOT))["ok"])
                except aiohttp.ClientConnectionError:
                    await asyncio.sleep(0.02)
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
