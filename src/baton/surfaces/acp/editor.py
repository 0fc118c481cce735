"""The editor behind Baton's ports: the person's permission, the client's files, and its terminals."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping, Sequence
from concurrent.futures import TimeoutError as LateError
from typing import TYPE_CHECKING, Any

from baton.core.agent.choice import ALWAYS, BEGINS, EDITS, NO, YES
from baton.core.display import one_line
from baton.ports.approver import Answer
from baton.ports.terminal import Exit, Printed
from baton.surfaces.acp import frames
from baton.surfaces.acp.frames import Json, RpcError, table
from baton.surfaces.acp.peer import PeerGone
from baton.surfaces.words import editor as words

if TYPE_CHECKING:
    from baton.core.agent.event import ApprovalAsked
    from baton.surfaces.acp.client import Line
    from baton.surfaces.acp.event_view import EventView

_ONCE, _ALWAYS, _REJECT = "allow_once", "allow_always", "reject_once"
_KINDS = {YES: _ONCE, ALWAYS: _ALWAYS, BEGINS: _ALWAYS, EDITS: _ALWAYS, NO: _REJECT}
"""The kinds that the protocol knows."""
_IDS = {YES: _ONCE, ALWAYS: _ALWAYS, BEGINS: "allow_begins", EDITS: "accept_edits", NO: _REJECT}
_CHOICES = {option_id: choice for choice, option_id in _IDS.items()}
_NAMES = {
    YES: words.ALLOW_ONCE,
    ALWAYS: words.ALLOW_ALWAYS,
    BEGINS: words.ALLOW_BEGINS,
    EDITS: words.ALLOW_EDITS,
    NO: words.REJECT,
}


class EditorApprover:
    def __init__(self, line: Line, view: EventView) -> None:
        self._line = line
        self._view = view

    async def ask(self, asked: ApprovalAsked) -> Answer:
        """The call is shown before the question, and while the question is open nothing else is reported as running."""
        await self._view.catch_up()
        self._view.calls.announce(asked)
        about = self._view.calls.describe(asked.call_id)
        try:
            chosen = await ask_permission(self._line, self._view, about, asked)
        except RpcError as error:
            return Answer(NO, words.CANNOT_ASK.format(reason=error.message))
        except PeerGone:
            return Answer(NO, words.GONE)
        return Answer(chosen) if chosen else Answer(NO, words.QUESTION_CLOSED)


async def ask_permission(line: Line, view: EventView, about: Json, asked: ApprovalAsked) -> str:
    """The choice that the person made; empty if the question was closed. Raises `RpcError` or `PeerGone`."""
    begins = one_line(asked.begins, 40)
    options: list[Json] = [
        {"optionId": _IDS[each], "name": _NAMES[each].format(begins=begins), "kind": _KINDS[each]}
        for each in asked.offers
    ]
    return _CHOICES.get(await choose(line, view, about, options), "")


async def choose(line: Line, view: EventView, about: Json, options: list[Json]) -> str:
    """The id of the option the person chose; empty if the question was closed. Raises `RpcError` or `PeerGone`."""
    view.asking += 1
    try:
        answer = await line.ask("session/request_permission", {"toolCall": about, "options": options})
    finally:
        view.asking -= 1
    outcome = table(answer.get("outcome"))
    chosen = outcome.get("optionId") if outcome.get("outcome") == "selected" else ""
    return next((str(each["optionId"]) for each in options if each["optionId"] == chosen), "")


SECONDS = 10.0
_CLASSES = ("internal error", "invalid params", "invalid request", "server error", "")
"""What JSON-RPC calls its errors: no reason for anything."""
_WIDTH = 200


class EditorFiles:
    """Implements `ports.editor.Editor` over a session's line."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._loop = asyncio.get_running_loop()

    def read(self, path: str) -> str | None:
        if not self._line.can.reads:
            return None
        try:
            content = self._ask("fs/read_text_file", {"path": path}).get("content")
        except OSError:
            return None
        return content if isinstance(content, str) else None

    def write(self, path: str, text: str) -> bool:
        if not self._line.can.writes:
            return False
        self._ask("fs/write_text_file", {"path": path, "content": text})
        return True

    def _ask(self, method: str, params: Json) -> Json:
        asking = asyncio.run_coroutine_threadsafe(self._line.ask(method, params), self._loop)
        try:
            return asking.result(SECONDS)
        except RpcError as error:
            raise OSError(words.REFUSED.format(reason=_why(error))) from None
        except (PeerGone, LateError):
            asking.cancel()
            raise OSError(words.NOT_ANSWERED) from None


def _why(error: RpcError) -> str:
    """Why the editor refused. Many name only the class of the error, and say in its data what was wrong."""
    data = table(error.data)
    said = error.data if isinstance(error.data, str) else data.get("details") or data.get("message") or ""
    more = one_line(said, _WIDTH) if isinstance(said, str) else ""
    if error.message.strip(" .").casefold() in _CLASSES:
        return more or words.UNEXPLAINED
    return f"{error.message} ({more})" if more and more not in error.message else error.message


class EditorTerminals:
    """Implements `ports.terminal.Terminals` over a session's line."""

    def __init__(self, line: Line, view: EventView) -> None:
        self._line = line
        self._view = view

    def is_offered(self) -> bool:
        return self._line.can.terminals

    async def open(
        self, command: str, args: Sequence[str], *, cwd: str, env: Mapping[str, str], keep: int
    ) -> EditorTerminal | None:
        variables = [{"name": name, "value": each} for name, each in env.items()]
        wanted = {"command": command, "args": list(args), "cwd": cwd, "env": variables, "outputByteLimit": keep}
        terminal_id = await self._wait_created(wanted)
        if terminal_id is None:
            return None
        await self._view.catch_up()
        self._view.calls.embed(terminal_id)
        return EditorTerminal(self._line, terminal_id)

    async def _wait_created(self, wanted: Json) -> str | None:
        creating = asyncio.ensure_future(self._create(wanted))
        try:
            async with asyncio.timeout(SECONDS):
                return await asyncio.shield(creating)
        except TimeoutError:
            creating.add_done_callback(self._too_late)
            raise OSError(words.NOT_OPENED) from None
        except asyncio.CancelledError:
            creating.add_done_callback(self._too_late)
            raise

    async def _create(self, wanted: Json) -> str | None:
        try:
            answer = await self._line.ask("terminal/create", wanted)
        except RpcError as error:
            if error.code == frames.METHOD_NOT_FOUND:
                return None
            raise OSError(words.REFUSED_TO_OPEN.format(reason=error.message)) from None
        except PeerGone:
            raise OSError(words.GONE) from None
        found = answer.get("terminalId")
        if not isinstance(found, str):
            raise OSError(words.NO_ID)
        return found

    def _too_late(self, creating: asyncio.Future[str | None]) -> None:
        """Releases a terminal that nobody waits for any more, which ends what runs in it."""
        if not creating.cancelled() and not creating.exception() and (found := creating.result()):
            asyncio.ensure_future(EditorTerminal(self._line, found).release()).add_done_callback(
                lambda done: done.cancelled() or done.exception()
            )


class EditorTerminal:
    def __init__(self, line: Line, terminal_id: str) -> None:
        self._line = line
        self._id = terminal_id

    async def wait(self) -> Exit:
        answer = await self._ask("wait_for_exit")
        code, name = answer.get("exitCode"), answer.get("signal")
        if isinstance(code, int) and not isinstance(code, bool):
            return Exit(code)
        return Exit(128 + _number(name) if isinstance(name, str) else None)

    async def read(self) -> Printed:
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
        except PeerGone:
            raise OSError(words.GONE) from None


def _number(name: str) -> int:
    """The number of a signal, by its name in any of the usual forms; 0 if unknown."""
    bare = name.upper().removeprefix("SIG")
    known = {each.name.removeprefix("SIG"): int(each) for each in signal.Signals}
    return known.get(bare) or (int(bare) if bare.isdecimal() and len(bare) < 3 else 0)
