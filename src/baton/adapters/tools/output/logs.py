"""Whole outputs, kept in the workspace as evidence: `.baton/logs/<UTC stamp>-<tool>-<n>.log`."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from itertools import count

from baton.adapters.tools.files import opening
from baton.adapters.tools.workspace import LOGS, Workspace

CAP = 64 * 1024 * 1024
_FULL = "\n[the log is full: what came after its first {cap:,} bytes is not kept]\n"


class Log:
    """One file, 0600. `path` is relative to the workspace. Past `CAP` nothing more is kept, and the file says so."""

    def __init__(self, path: str, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._room = CAP

    def write(self, text: str) -> None:
        if self._room <= 0:
            return
        data = text.encode("utf-8", "replace")
        kept = data[: self._room]
        self._room -= len(data)
        self._put(kept)
        if self._room <= 0:
            self._put(_FULL.format(cap=CAP).encode())

    def _put(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:  # the disk is full: the command goes on, the log ends here
            self._room = 0

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class Logs:
    """The log directory of a workspace, made 0700 when first needed; git is told to ignore all of it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._numbers = count(1)

    def prepare(self) -> str:
        """The real path of the directory, which is there afterwards. Raises `OSError`; no link is followed."""
        path = os.path.join(self._workspace.root, LOGS)
        with opening.directory(path, make=0o700) as parent:
            _tighten(parent)
            with suppress(FileExistsError):
                descriptor = opening.create(".gitignore", parent, 0o600)
                os.write(descriptor, b"*\n")
                os.close(descriptor)
        return path

    def open(self, tool: str) -> Log:
        """A new log. Raises `OSError`."""
        with opening.directory(self.prepare()) as parent:
            while True:
                stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
                name = f"{stamp}-{re.sub(r'[^A-Za-z0-9_-]', '_', tool)[:80]}-{next(self._numbers)}.log"
                with suppress(FileExistsError):
                    return Log(os.path.join(LOGS, name), opening.create(name, parent, 0o600))


def _tighten(parent: int) -> None:
    descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=parent)
    try:
        with suppress(PermissionError):
            os.fchmod(descriptor, 0o700)
    finally:
        os.close(descriptor)
