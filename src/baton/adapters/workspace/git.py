"""The git program, called so that nothing a repository brings along is run.

A repository's configuration and attributes name programs: hooks, monitors, filters, signers, ways to fetch what is
missing. Commands here need none of them. Each is switched off where git has a switch; filters, which have none, are
overridden one by one (`repository.py`).
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from tempfile import TemporaryFile
from typing import IO

from baton.adapters.files.command_environment import environment
from baton.adapters.files.programs import GIT_INERT, PAUSE, waits_for_pipe
from baton.core.display import one_line
from baton.core.value import value

SECONDS = 120.0
PIPE = "a named pipe is in the place of a file that git reads"
CAP = 64 * 1024 * 1024
_GRACE = 2.0
_INERT = (
    *GIT_INERT,
    *("-c", "core.logAllRefUpdates=false", "-c", "core.safecrlf=false", "-c", "log.showSignature=false"),
    *(
        "-c",
        "status.submoduleSummary=false",
        "-c",
        "commit.gpgSign=false",
        "-c",
        "gc.auto=0",
        "-c",
        "maintenance.auto=0",
    ),
)
_ISOLATED = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_SSH_COMMAND": "false",
    "GIT_ASKPASS": "false",
    "GIT_EDITOR": "false",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C.UTF-8",
}
_USERS_OWN = (
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH"),
    *("GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"),
)
"""Variables of git's that are kept: others tell of a command that Baton may have been started by, such as a hook."""


class GitFailed(Exception):
    """git refused, was missing or took too long; `str()` is its reason on one line."""


@value
class Said:
    out: bytes
    err: str
    exit: int
    pid: int


class Git:
    """git in one directory. `given` are variables in addition to the isolating ones."""

    def __init__(self, program: str, cwd: str, given: Mapping[str, str] | None = None) -> None:
        self.program = program
        self.cwd = cwd
        self._given = dict(given or {})

    def with_environment(self, given: Mapping[str, str]) -> Git:
        return Git(self.program, self.cwd, {**self._given, **given})

    def run(self, *arguments: str, feed: Iterable[bytes] = ()) -> bytes:
        """What git wrote. Raises `GitFailed`."""
        said = self.attempt(*arguments, feed=feed)
        if said.exit != 0:
            raise GitFailed(said.err or f"git {arguments[0]} ended with {said.exit}")
        return said.out

    def attempt(self, *arguments: str, feed: Iterable[bytes] = ()) -> Said:
        """What git said, even if it refused. Raises `GitFailed` if it cannot be started or takes too long.

        It reads and writes files, not pipes: feeding it cannot block forever, and if this process dies it still gets
        its whole input, so that it does not leave half-done work behind. It never outlives the call.
        """
        with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
            given.writelines(feed)
            given.seek(0)
            exit_, pid = self._finish(arguments, given, out, err)
            if out.seek(0, os.SEEK_END) > CAP:
                raise GitFailed(f"git {arguments[0]} said more than {CAP >> 20} MiB")
            return Said(_read(out, CAP), one_line(_read(err, 4096).decode(errors="replace"), 300), exit_, pid)

    def _finish(self, arguments: tuple[str, ...], given: IO[bytes], out: IO[bytes], err: IO[bytes]) -> tuple[int, int]:
        try:
            process = subprocess.Popen(
                [self.program, *_INERT, *arguments],
                cwd=self.cwd,
                env=self._environment(),
                stdin=given,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except OSError as error:
            raise GitFailed(f"git could not be started: {error.strerror}") from None
        late = threading.Event()
        timer = threading.Timer(SECONDS, _give_up, (process, late))
        timer.start()
        try:
            exit_ = _wait(process)
        finally:
            timer.cancel()
            _end(process)
        if late.is_set():
            raise GitFailed(f"git {arguments[0]} took longer than {SECONDS:.0f} s")
        return exit_, process.pid

    def _environment(self) -> dict[str, str]:
        passed = {
            name: held
            for name, held in environment(os.environ).items()
            if not name.startswith("GIT_") or name in _USERS_OWN
        }
        return {**passed, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", **_ISOLATED, **self._given}


def _wait(process: subprocess.Popen[bytes]) -> int:
    """The exit code. Raises `GitFailed` if it would wait for ever."""
    while True:
        try:
            return process.wait(PAUSE)
        except subprocess.TimeoutExpired:
            if waits_for_pipe(process.pid):
                raise GitFailed(PIPE) from None


def _give_up(process: subprocess.Popen[bytes], late: threading.Event) -> None:
    late.set()
    _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Asked to end, git removes its locks, which would block the user's own git. Then it is killed."""
    if process.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            _signal(process, signal.SIGTERM)
            process.wait(_GRACE)
    if process.poll() is None:
        _signal(process, signal.SIGKILL)
        process.wait()


def _signal(process: subprocess.Popen[bytes], which: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, which)


def _read(file: IO[bytes], cap: int) -> bytes:
    file.seek(0)
    return file.read(cap)
