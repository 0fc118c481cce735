"""Approvals that the user asked to remember, for one workspace: a private file under BATON_HOME."""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from baton.core.display import one_line

MOST = 1_000
_SIZE = 1_000_000
_VERSION = 1
_PATIENCE = 1.0
_PRINT = re.compile(r"[0-9a-f]{64}")

Notice = Callable[[str], None]


class ApprovalMemory:
    """Remembers by fingerprint. The file names its workspace, so a file moved here from elsewhere allows nothing.

    A file that is damaged, belongs to somebody else or can be written by others is ignored, and `notice` is told.
    Writing is atomic and waits for other processes; if it fails, the approval holds for this process only, with a
    notice.
    """

    def __init__(self, home: str | Path, workspace: str, notice: Notice | None = None) -> None:
        self._workspace = os.path.realpath(workspace)
        self._directory = os.path.join(home, "approvals")
        digest = sha256(os.fsencode(self._workspace)).hexdigest()
        self._path = os.path.join(self._directory, f"{digest}.json")
        self._notice = notice
        self._told: set[str] = set()
        self._here: dict[str, str] = {}

    def list_allowed(self) -> Collection[str]:
        return {*self._load(), *self._here}

    def remember(self, fingerprint: str, title: str) -> None:
        self._here[fingerprint] = title
        try:
            for directory in (os.path.dirname(self._directory), self._directory):
                os.makedirs(directory, mode=0o700, exist_ok=True)
            with self._hold_lock():
                kept = {**self._load(), fingerprint: one_line(title, 200)}
                self._save(dict(list(kept.items())[-MOST:]))
        except OSError as error:
            self._tell(f"The approval could not be kept in {self._path} ({error.strerror}); it holds until Baton ends.")

    def _load(self) -> dict[str, str]:
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        except FileNotFoundError:
            return {}
        except OSError as error:
            return self._ignore((error.strerror or str(error)).lower())
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
                return self._ignore("it belongs to somebody else, or others can write to it")
            data = file.read(_SIZE + 1)
        found = _parse(data, self._workspace)
        return found if found is not None else self._ignore("it is damaged, or of another workspace")

    def _save(self, kept: dict[str, str]) -> None:
        allowed = [{"fingerprint": each, "title": title} for each, title in kept.items()]
        body = {"version": _VERSION, "workspace": self._workspace, "written": int(time.time()), "allowed": allowed}
        temporary = f"{self._path}.{secrets.token_hex(6)}.tmp"
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(json.dumps(body, indent=1).encode())
                file.flush()
                os.fsync(file.fileno())
            os.rename(temporary, self._path)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise

    @contextmanager
    def _hold_lock(self) -> Generator[None]:
        descriptor = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            _lock(descriptor)
            yield
        finally:
            os.close(descriptor)

    def _ignore(self, reason: str) -> dict[str, str]:
        self._tell(f"Remembered approvals in {self._path} are ignored: {reason}.")
        return {}

    def _tell(self, sentence: str) -> None:
        if self._notice and sentence not in self._told:
            self._told.add(sentence)
            self._notice(sentence)


def _lock(descriptor: int) -> None:
    """Waits a moment for other processes. Raises `OSError` when one does not let go."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)


def _parse(data: bytes, workspace: str) -> dict[str, str] | None:
    """What the file allows, or None unless all of it is what this module writes."""
    try:
        found = json.loads(data) if len(data) <= _SIZE else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    body = cast("dict[str, Any]", found)
    if (
        body.get("version") != _VERSION
        or body.get("workspace") != workspace
        or not isinstance(body.get("allowed"), list)
    ):
        return None
    allowed: dict[str, str] = {}
    for each in body["allowed"]:
        entry = cast("dict[str, Any]", each) if isinstance(each, dict) else {}
        print_ = entry.get("fingerprint")
        if not isinstance(print_, str) or not _PRINT.fullmatch(print_):
            return None
        allowed[print_] = str(entry.get("title", ""))
    return allowed
