"""Where a real client and a real agent meet: a workspace, a home, a model on the loopback, and the tap between them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.real_user.acp.model import MODEL, ScriptedModel
from tests.real_user.acp.wire import Wire
from tests.support.patience import PATIENCE
from tests.support.warm import warm

HERE = Path(__file__).parent
SECONDS = PATIENCE
LINE_LIMIT = 1 << 26


class Bed:
    def __init__(self, workspace: Path, scratch: Path, model: ScriptedModel, python: str) -> None:
        self.workspace = workspace
        self.model = model
        self.wire = Wire(scratch / "tap.log")
        self.agent = [python, "-S", str(HERE / "tap.py"), str(self.wire.log), python, "-m", "baton", "acp"]
        home = str(scratch / "home")
        places = {"HOME": home, "BATON_HOME": f"{home}/baton", "TMPDIR": str(scratch)}
        warm(Path(places["BATON_HOME"]))
        self.environ = {**os.environ, **places, **model.environ, "BATON_MODEL": MODEL}

    def configure(self, text: str) -> None:
        """The user's configuration file, for agents that start from now on."""
        home = Path(self.environ["BATON_HOME"])
        home.mkdir(mode=0o700, exist_ok=True)
        (home / "config.yaml").write_text(text)

    def kill_agent(self) -> None:
        """The newest one, without warning."""
        os.kill(self.wire.runs()[-1].pid, signal.SIGKILL)


class Client:
    """A driver's process, led step by step. Use as `async with`."""

    def __init__(self, bed: Bed, command: list[str]) -> None:
        self._bed = bed
        self._command = command
        self._process: Process | None = None
        self.heard = 0

    async def __aenter__(self) -> Client:
        self._process = await asyncio.create_subprocess_exec(
            *self._command, *self._bed.agent, env=self._bed.environ, stdin=PIPE, stdout=PIPE, limit=LINE_LIMIT
        )
        return self

    async def __aexit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        assert self._process is not None
        if self._process.returncode is None and kind is not None:
            self._process.kill()
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()

    async def step(self, act: str, **given: Any) -> dict[str, Any]:
        """The whole answer: `result` or `error`, and `updates`."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": act, **given}).encode() + b"\n")
        async with asyncio.timeout(SECONDS):
            line = await self._process.stdout.readline()
        assert line, f"the client ended in {act}"
        answer = json.loads(line)
        self.heard += len(answer["updates"])
        return answer

    async def done(self, act: str, **given: Any) -> dict[str, Any]:
        """The result of what must not be refused."""
        answer = await self.step(act, **given)
        assert "error" not in answer, answer["error"]
        return answer["result"]
