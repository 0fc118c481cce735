"""Runs a command in a terminal of the user's editor.

The command is passed as a file, because some editors pass arguments on as they are and others through a shell: a path
survives both, so what runs is exactly what was approved. A terminal that opens too late finds no file and runs nothing.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
import time
from collections.abc import Collection, Coroutine, Generator
from contextlib import contextmanager
from typing import Any

from baton.adapters.files.command_environment import QUIET, withhold_script
from baton.adapters.tools.output import Capture
from baton.adapters.tools.processes.pipe_codes import read_report, report_to_file
from baton.core.value import value
from baton.ports.terminal import Exit, Terminal, Terminals

KEEP = 4 * 1024 * 1024
_LAST_WORDS = 5.0
_LEAVING = 0.5
_ENV = {**{name: each for name, each in QUIET.items() if name != "TERM"}, "BASH_ENV": ""}
_PLAIN = re.compile(r"[A-Za-z0-9/._-]+")
_SCRIPT = "exec </dev/null; {withhold}; {report}\n{command}\n"
_CODES = "codes"
CUT = f"[the editor kept only the last {KEEP:,} bytes of the output]\n"


@value
class TerminalRun:
    """`exit` is None where the editor did not say how the command ended."""

    exit: int | None
    timed_out: bool
    seconds: float
    pipe: tuple[int, ...] = ()


async def run_in_terminal(
    terminals: Terminals,
    bash: str,
    command: str,
    *,
    cwd: str,
    seconds: float,
    keep_env: Collection[str],
    capture: Capture,
) -> TerminalRun | None:
    """Runs the command until it ends, times out or is cancelled; the terminal is always released.

    None if no terminal is available: nothing was started. Raises `OSError` if the editor refused or was lost; the
    command may then have done part of its work.
    """
    begun = time.monotonic()
    with _script(command, keep_env) as path:
        if not _PLAIN.fullmatch(path) or not _PLAIN.fullmatch(bash):
            return None
        terminal = await terminals.open(bash, ["--noprofile", "--norc", path], cwd=cwd, env=_ENV, keep=KEEP)
        if terminal is None:
            return None
        try:
            ended, timed_out = await _watch(terminal, seconds)
            printed = await _soon(terminal.read())
        except BaseException:
            await _drop(terminal)
            raise
        await _ask_briefly([terminal.release()])
        codes = read_report(_report_path(path))
    capture.add((CUT if printed.cut else "") + printed.text)
    return TerminalRun(137 if timed_out else ended.code, timed_out, time.monotonic() - begun, codes)


async def _watch(terminal: Terminal, seconds: float) -> tuple[Exit, bool]:
    """How it ended, and whether it had to be killed."""
    try:
        async with asyncio.timeout(seconds):
            return await terminal.wait(), False
    except TimeoutError:
        await _soon(terminal.kill())
        return Exit(None), True


async def _soon(asking: Coroutine[Any, Any, Any]) -> Any:
    """What an editor answers about a command that has ended. Silence is an `OSError`."""
    try:
        async with asyncio.timeout(_LAST_WORDS):
            return await asking
    except TimeoutError:
        raise OSError("the editor did not answer") from None


async def _drop(terminal: Terminal) -> None:
    """Kills and releases the terminal, even while this is being cancelled: both are asked for at once, and answers are
    not waited for long.
    """
    await asyncio.shield(_ask_briefly([terminal.kill(), terminal.release()]))


async def _ask_briefly(asked: list[Coroutine[Any, Any, None]]) -> None:
    tasks = [asyncio.ensure_future(each) for each in asked]
    for task in tasks:
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
    await asyncio.wait(tasks, timeout=_LEAVING)


def _report_path(script: str) -> str:
    return os.path.join(os.path.dirname(script), _CODES)


@contextmanager
def _script(command: str, keep_env: Collection[str]) -> Generator[str]:
    """A private file, removed afterwards. The command gets no input, and no secrets of the editor's environment."""
    folder = tempfile.mkdtemp(prefix="baton-")
    try:
        path = os.path.join(folder, "command")
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            script = _SCRIPT.format(
                withhold=withhold_script(keep_env), report=report_to_file(_report_path(path)), command=command
            )
            file.write(os.fsencode(script))
        yield path
    finally:
        shutil.rmtree(folder, ignore_errors=True)
