"""`python python.py AGENT…`: an editor on the official Python SDK, led by lines on standard input.

Each line is a step, `{"do": …}`; each answer holds its result or error, and the updates since the last answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import acp
from acp import schema

LIMIT = 1 << 26
CAPABILITIES = schema.ClientCapabilities(fs=schema.FileSystemCapabilities(read_text_file=True, write_text_file=True))


class Editor:
    def __init__(self) -> None:
        self.step: dict[str, Any] = {}
        self.updates: list[dict[str, Any]] = []
        self.cue = asyncio.Event()

    def on_connect(self, conn: Any) -> None:
        pass

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        self.updates.append(plain(update))
        if update.session_update == self._cue():
            self.cue.set()

    def _cue(self) -> str:
        """What a step that cancels waits for: the first word, or the beginning of a compression."""
        return "tool_call" if self.step.get("cancel") == "compression" else "agent_message_chunk"

    async def request_permission(self, session_id: str, tool_call: Any, options: list[Any], **_: Any) -> Any:
        fit = [each for each in options if each.kind == self.step.get("choose")]
        if not fit:
            return schema.RequestPermissionResponse(outcome=schema.DeniedOutcome(outcome="cancelled"))
        outcome = schema.AllowedOutcome(outcome="selected", option_id=fit[0].option_id)
        return schema.RequestPermissionResponse(outcome=outcome)

    async def read_text_file(self, path: str, session_id: str, **_: Any) -> Any:
        return schema.ReadTextFileResponse(content=Path(path).read_text())

    async def write_text_file(self, content: str, path: str, session_id: str, **_: Any) -> Any:
        Path(path).write_text(content)
        return schema.WriteTextFileResponse()


class Driver:
    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._stack = contextlib.AsyncExitStack()
        self._agent: Any = None
        self.editor = Editor()

    async def take(self, step: dict[str, Any]) -> dict[str, Any]:
        self.editor.step = step
        self.editor.cue.clear()
        try:
            answer = {"result": plain(await getattr(self, step["do"])(step))}
        except acp.RequestError as error:
            answer = {"error": {"code": error.code, "message": str(error)}}
        for _ in range(20):  # the SDK hands each update to a task of its own
            await asyncio.sleep(0)
        updates, self.editor.updates = self.editor.updates, []
        return {**answer, "updates": updates}

    async def open(self, _: Any) -> Any:
        self._stack = contextlib.AsyncExitStack()
        spawned = acp.spawn_agent_process(
            self.editor,
            *self._command,
            env=dict(os.environ),
            use_unstable_protocol=True,
            transport_kwargs={"limit": LIMIT},
        )
        self._agent, _ = await self._stack.enter_async_context(spawned)
        return await self._agent.initialize(1, client_capabilities=CAPABILITIES)

    async def new(self, step: dict[str, Any]) -> Any:
        return await self._agent.new_session(cwd=step["cwd"], mcp_servers=[])

    async def load(self, step: dict[str, Any]) -> Any:
        return await self._agent.load_session(cwd=step["cwd"], session_id=step["session"], mcp_servers=[])

    async def resume(self, step: dict[str, Any]) -> Any:
        return await self._agent.resume_session(cwd=step["cwd"], session_id=step["session"], mcp_servers=[])

    async def list(self, step: dict[str, Any]) -> Any:
        return await self._agent.list_sessions(cwd=step["cwd"])

    async def prompt(self, step: dict[str, Any]) -> Any:
        words = [schema.TextContentBlock(type="text", text=step["text"])]
        asked = asyncio.ensure_future(self._agent.prompt(prompt=words, session_id=step["session"]))
        if step.get("cancel"):
            await self.editor.cue.wait()
            await self._agent.cancel(session_id=step["session"])
        return await asked

    async def close(self, _: Any) -> Any:
        await self._stack.aclose()
        return {}


def plain(given: Any) -> Any:
    return given.model_dump(mode="json", by_alias=True, exclude_none=True) if hasattr(given, "model_dump") else given


async def main() -> None:
    driver = Driver(sys.argv[1:])
    while line := await asyncio.to_thread(sys.stdin.readline):
        sys.stdout.write(json.dumps(await driver.take(json.loads(line))) + "\n")
        sys.stdout.flush()


asyncio.run(main())
