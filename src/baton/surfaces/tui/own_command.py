"""A command you run yourself, `!git status`: you see its output, and so does the agent with your next message."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from baton.core.display import one_line, plain
from baton.core.value import value
from baton.surfaces.shared.attachments import Attachment
from baton.surfaces.words import chat as words

if TYPE_CHECKING:
    from baton.surfaces.tui.app import ChatApp

KEPT = 30_000
SHOWN = 12
_PIECE = 65_536


@value
class Ran:
    command: str
    output: str
    verdict: str

    def attach(self) -> Attachment:
        return Attachment(
            words.OWN_OUTPUT.format(command=one_line(self.command, 200), verdict=self.verdict), self.output, 0
        )


class OwnCommand:
    """Runs one at a time, in a group of its own, as you would run it: without a sandbox and without a question."""

    def __init__(self, app: ChatApp, workspace: str) -> None:
        self._app = app
        self._workspace = workspace
        self._process: asyncio.subprocess.Process | None = None
        self._stopped = False
        self.ran: list[Ran] = []
        """What ran since the last message was taken."""

    @property
    def running(self) -> bool:
        return self._process is not None

    async def run(self, command: str) -> None:
        try:
            self._process = await self._begin(command)
        except OSError as error:
            await self._app.notice(
                words.NOT_STARTED.format(command=one_line(command, 60), reason=error.strerror), "error"
            )
            return
        before = self._app.line.state
        self._app.show_status(state=words.RUNNING.format(command=one_line(command, 60)))
        try:
            output = await _read_tail(self._process)
            code = await self._process.wait()
        finally:
            self._process = None
            self._app.show_status(state=before)
        verdict = (
            words.ENDED_STOPPED
            if self._stopped
            else words.ENDED_WELL
            if code == 0
            else words.ENDED_WITH.format(code=code)
        )
        self._stopped = False
        ran = Ran(command, output, verdict)
        self.ran.append(ran)
        await self._show(ran)

    async def _begin(self, command: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            os.environ.get("SHELL") or "/bin/sh",
            "-c",
            command,
            cwd=self._workspace,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )

    def stop(self) -> bool:
        """Ends it and what it started. False if none runs."""
        if self._process is None:
            return False
        self._stopped = True
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        return True

    async def _show(self, ran: Ran) -> None:
        lines = plain(ran.output).rstrip().split("\n")
        more = len(lines) - SHOWN
        title = words.OWN_COMMAND.format(command=one_line(ran.command, 60), verdict=ran.verdict)
        before = f"\n  {words.LINES_BEFORE.format(count=more)}" if more > 0 else ""
        shown = "".join(f"\n  {line}" for line in lines[-SHOWN:])
        await self._app.add(Static(Content.assemble((title, "$text"), before, shown), classes="notice own"))


async def _read_tail(process: asyncio.subprocess.Process) -> str:
    """All of a short output, the end of a long one."""
    assert process.stdout is not None
    kept, dropped = b"", 0
    while piece := await process.stdout.read(_PIECE):
        kept += piece
        if len(kept) > 2 * KEPT:
            dropped += len(kept) - KEPT
            kept = kept[-KEPT:]
    return (words.LEFT_OUT.format(count=dropped) if dropped else "") + kept.decode(errors="replace")
