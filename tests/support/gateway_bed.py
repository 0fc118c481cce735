"""A real gateway process between a platform's server and a scripted model, for tests and for the kill script."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import httpx2
import yaml

from baton.core.transfer.place import parse_place
from tests.support.obtain import INSTALL_SECONDS
from tests.support.patience import PATIENCE
from tests.support.warm import warm

T = TypeVar("T")
MODEL = "openai:test"
ROOT = Path(__file__).resolve().parents[2]


class PlatformServer:
    """One platform's server as a process of its own, driven over its admin API. Use as `async with`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.told: dict[str, Any] = {}
        self._process: Process
        self._client: httpx2.AsyncClient

    async def __aenter__(self) -> PlatformServer:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", f"tests.support.platforms.{self.name}", cwd=ROOT, stdin=DEVNULL, stdout=PIPE
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(2 * INSTALL_SECONDS):
            line = await self._process.stdout.readline()
        assert line, f"the server of {self.name} ended"
        self.told = json.loads(line)
        self._client = httpx2.AsyncClient(timeout=PATIENCE, trust_env=False)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()
        with suppress(ProcessLookupError):
            self._process.terminate()
        await self._process.communicate()

    @property
    def room(self) -> str:
        return str(self.told["room"])

    async def post(self, what: str, **given: Any) -> dict[str, Any]:
        answer = await self._client.post(f"{self.told['admin']}/{what}", json=given)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def get(self, what: str, **query: str) -> dict[str, Any]:
        answer = await self._client.get(f"{self.told['admin']}/{what}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def says(self, place: str, text: str, sender: str = "") -> str:
        return (await self.post("says", place=place, text=text, **({"sender": sender} if sender else {})))["id"]

    async def texts(self, place: str) -> list[str]:
        return (await self.get("texts", place=place))["texts"]

    async def text_with(self, place: str, piece: str, seconds: float = PATIENCE) -> str:
        """The first of our messages there that holds a piece, as soon as there is one."""

        async def look() -> str:
            return next((text for text in await self.texts(place) if piece in text), "")

        return await until(look, f"a message with {piece!r} in {place}", seconds)


class Gateway:
    """`baton gateway` with a home of its own. `stop` and `kill` end it, `start` starts it again."""

    def __init__(self, home: Path, workspace: Path, environ: dict[str, str], **config: Any) -> None:
        self.home = home
        self.workspace = workspace
        self.environ = {**os.environ, **environ, "BATON_HOME": str(home), "BATON_MODEL": MODEL}
        self.config: dict[str, Any] = {"store": {"lease": 2}, "gateway": {"listen": "127.0.0.1:0"}, **config}
        self.process: Process | None = None
        self.output: list[str] = []
        self._reading: asyncio.Task[None] | None = None
        warm(home)

    def configure(self, server: PlatformServer, **more: Any) -> None:
        """Adds a platform whose room is the owner's home."""
        gateway = self.config["gateway"]
        gateway[server.name] = server.told["settings"]
        gateway.setdefault("home", {})[server.name] = parse_place(server.room).room
        gateway.setdefault("owners", []).append(server.told["owner"])
        gateway.update(more)
        self.save()

    def save(self) -> None:
        (self.home / "config.yaml").write_text(yaml.safe_dump(self.config))

    async def start(self, *, ready: bool = True) -> None:
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "baton", "gateway", cwd=self.workspace, env=self.environ, stdin=DEVNULL,
            stdout=DEVNULL, stderr=PIPE,
        )  # fmt: skip
        self.output.clear()
        self._reading = asyncio.create_task(self._read(self.process))
        if ready:
            platforms = list(self.config["gateway"].get("home", {}))
            await until(lambda: self._connected(platforms), f"the gateway on {platforms}")

    async def _connected(self, platforms: list[str]) -> bool:
        assert self.process is not None
        assert self.process.returncode is None, "\n".join(self.output)
        return all(f"{name}: connected" in self.output for name in platforms)

    async def _read(self, process: Process) -> None:
        assert process.stderr is not None
        while line := await process.stderr.readline():
            self.output.append(line.decode(errors="replace").rstrip())

    async def kill(self, number: int = signal.SIGKILL) -> int:
        assert self.process is not None
        with suppress(ProcessLookupError):
            self.process.send_signal(number)
        code = await self.process.wait()
        assert self._reading is not None
        await self._reading
        return code

    async def stop(self) -> int:
        return await self.kill(signal.SIGTERM)

    async def __aenter__(self) -> Gateway:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        if self.process is not None and self.process.returncode is None:
            await self.kill()
        if kind is not None:
            print("\n".join(self.output))

    async def baton(self, *arguments: str) -> tuple[int, str, str]:
        """A command of this home, to its end."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "baton", *arguments, cwd=self.workspace, env=self.environ, stdin=DEVNULL,
            stdout=PIPE, stderr=PIPE,
        )  # fmt: skip
        async with asyncio.timeout(PATIENCE):
            out, err = await process.communicate()
        return process.returncode or 0, out.decode(), err.decode()

    async def json(self, *arguments: str) -> Any:
        code, out, err = await self.baton(*arguments, "--json")
        assert code == 0, err or out
        return json.loads(out)


async def until(look: Callable[[], Awaitable[T]], what: str, seconds: float = PATIENCE) -> T:
    """The first result that is something."""
    try:
        async with asyncio.timeout(seconds):
            while not (found := await look()):
                await asyncio.sleep(0.02)
            return found
    except TimeoutError:
        raise AssertionError(f"waited {seconds:.0f} s for {what}") from None
