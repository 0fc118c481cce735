"""A peer's own virtual environment: made once, kept apart from Baton's, found again by the next run."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import platform
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

Log = Callable[[str], None]

PEERS = Path(__file__).resolve().parents[1] / ".peers"
INSTALL_SECONDS = 1200
WORTH_SHOWING = ("Collecting ", "Installing ", "Successfully ")


class PeerUnavailable(Exception):
    """The peer could not be installed or measured; the message says why. Nothing of Baton's is affected."""


def prepare(name: str, requirement: str, log: Log) -> Path:
    """The interpreter of an environment that holds `requirement`, under `bench/.peers/<name>/`.

    An environment is used again only if it was finished, for the same requirement and the same Python; otherwise it is
    made anew. Two runs at once wait for each other. Raises `PeerUnavailable`.
    """
    folder = PEERS / name
    python = folder / "bin" / "python"
    stamp = folder / "ready.json"
    wanted = {"requirement": requirement, "python": platform.python_version()}
    PEERS.mkdir(parents=True, exist_ok=True)
    with _alone(PEERS / f"{name}.lock"):
        if not _is_ready(stamp, wanted) or not python.exists():
            stamp.unlink(missing_ok=True)
            _install(folder, python, requirement, log)
            stamp.write_text(json.dumps(wanted))
    return python


def clean_environment(extra: Mapping[str, str], without: Sequence[str] = ()) -> dict[str, str]:
    """This process's environment variables without Python's own and those that start with `without`, plus `extra`."""
    dropped = ("PYTHON", "VIRTUAL_ENV", *without)
    return {key: value for key, value in os.environ.items() if not key.startswith(dropped)} | dict(extra)


def stream(
    command: Sequence[str],
    log: Log,
    *,
    seconds: float,
    env: Mapping[str, str],
    cwd: Path | None = None,
    out: IO[str] | None = None,
) -> tuple[int, list[str]]:
    """Runs `command`, hands each line it writes to `log` as it comes; returns the exit code and those lines.

    With `out`, standard output goes there and only standard error is handed on. After `seconds` the command and its
    children are killed.
    """
    lines: list[str] = []
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=out or subprocess.PIPE,
        stderr=subprocess.PIPE if out else subprocess.STDOUT,
        env=env,
        cwd=cwd,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        clock = threading.Timer(seconds, _kill_group, (process.pid,))
        clock.start()
        try:
            for line in process.stderr or process.stdout or ():
                lines.append(line.rstrip())
                log(lines[-1])
            return process.wait(), lines
        finally:
            clock.cancel()
            if process.poll() is None:
                _kill_group(process.pid)


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, 9)


def _install(folder: Path, python: Path, requirement: str, log: Log) -> None:
    log(f"making an environment for {requirement} (once)")
    _succeed([sys.executable, "-m", "venv", "--clear", str(folder)], log)
    quiet = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    _succeed([str(python), "-m", "pip", "install", *quiet, requirement], log)


def _succeed(command: Sequence[str], log: Log) -> None:
    def show(line: str) -> None:
        if line.startswith(WORTH_SHOWING):
            log(line[:100])

    code, lines = stream(command, show, seconds=INSTALL_SECONDS, env=clean_environment({}))
    if code:
        raise PeerUnavailable(f"{' '.join(command[1:4])} ended with code {code}: {_reason(lines)}")


def _reason(lines: list[str]) -> str:
    """What the installer said went wrong, the last connection it could not make first."""
    retries = [line for line in lines if line.startswith("WARNING: Retrying")]
    errors = [line for line in lines if line.startswith("ERROR")]
    return " ".join(retries[-1:] + errors or lines[-3:])


def _is_ready(stamp: Path, wanted: Mapping[str, str]) -> bool:
    try:
        return json.loads(stamp.read_text()) == wanted
    except (OSError, ValueError):
        return False


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Holds `lock` for one process at a time; a process that dies lets go of it."""
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
