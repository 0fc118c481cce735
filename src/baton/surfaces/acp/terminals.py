"""The client's terminals: a command runs in one, and the person watches it in the call it belongs to."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from baton.ports.terminal import Exit, Printed
from baton.surfaces.acp import frames
from baton.surfaces.acp.frames import Json, RpcError
from baton.surfaces.acp.peer import Gone

if TYPE_CHECKING:
    from baton.surfaces.acp.client import Line
    from baton.surfaces.acp.following import Following

SECONDS = 10.0


class EditorTerminals:
    """Implements `ports.terminal.Terminals` over a session's line."""

    def __init__(self, line: Line, following: Following) -> None:
        self._line = line
        self._following = following

    def offered(self) -> bool:
        return self._line.can.terminals

    async def open(
        self, command: str, args: Sequence[str], *, cwd: str, env: Mapping[str, str], keep: int
    ) -> EditorTerminal | None:
        variables = [{"name": name, "value": each} for name, each in env.items()]
        wanted = {"command": command, "args": list(args), "cwd": cwd, "env": variables, "outputByteLimit": keep}
        terminal_id = await self._created(wanted)
        if terminal_id is None:
            return None
        await self._following.caught_up()
        self._following.calls.embed(terminal_id)
        return EditorTerminal(self._line, terminal_id)

    async def _created(self, wanted: Json) -> str | None:
        creating = asyncio.ensure_future(self._create(wanted))
        try:
            async with asyncio.timeout(SECONDS):
                return await asyncio.shield(creating)
        except TimeoutError:
            creating.add_done_callback(self._too_late)
            raise OSError("the editor did not open it in time") from None
        except asyncio.CancelledError:
            creating.add_done_callback(self._too_late)
            raise

    async def _create(self, wanted: Json) -> str | None:
        try:
            answer = await self._line.ask("terminal/create", wanted)
        except RpcError as error:
            if error.code == frames.METHOD_NOT_FOUND:
                return None
            raise OSError(f"the editor refused to open it: {error.message}") from None
        except Gone:
            raise OSError("the editor is gone") from None
        found = answer.get("terminalId")
        if not isinstance(found, str):
            raise OSError("the editor gave it no id")
        return found

    def _too_late(self, creating: asyncio.Future[str | None]) -> None:
        """A terminal that nobody waits for any more is let go of, which ends what runs in it."""
        if not creating.cancelled() and not creating.exception() and (found := creating.result()):
            asyncio.ensure_future(EditorTerminal(self._line, found).release()).add_done_callback(
                lambda done: done.cancelled() or done.exception()
            )


class EditorTerminal:
    def __init__(self, line: Line, terminal_id: str) -> None:
        self._line = line
        self._id = terminal_id

    async def ended(self) -> Exit:
        answer = await self._ask("wait_for_exit")
        code, name = answer.get("exitCode"), answer.get("signal")
        if isinstance(code, int) and not isinstance(code, bool):
            return Exit(code)
        return Exit(128 + _number(name) if isinstance(name, str) else None)

    async def printed(self) -> Printed:
        answer = await self._ask("output")
        said = answer.get("output")
        return Printed(said if isinstance(said, str) else "", answer.get("truncated") is True)

    async def kill(self) -> None:
        await self._ask("kill")

    async def release(self) -> None:
        await self._ask("release")

    async def _ask(self, act: str) -> dict[str, Any]:
        try:
            return await self._line.ask(f"terminal/{act}", {"terminalId": self._id})
        except RpcError as error:
            raise OSError(f"terminal/{act}: {error.message}") from None
        except Gone:
            raise OSError("the editor is gone") from None


def _number(name: str) -> int:
    """Of a signal, by its name in any of the usual forms."""
    bare = name.upper().removeprefix("SIG")
    known = {each.name.removeprefix("SIG"): int(each) for each in signal.Signals}
    return known.get(bare) or (int(bare) if bare.isdecimal() and len(bare) < 3 else 0)
