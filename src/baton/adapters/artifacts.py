"""Packets as files: `<dir>/<session-id>-<UTC stamp>.md` and its twin `.json`, 0600, never outside the workspace.

A file appears under its name only when it is whole and synced: it is written without a name and linked, so that a
process that dies leaves no part of one behind. Where the file system cannot do that, a temporary name is used. What an
earlier death left is removed first.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from itertools import count
from typing import Any

from baton.adapters.files import opening
from baton.core.errors import PacketNotSaved

_UNNAMED: int = getattr(os, "O_TMPFILE", 0)
_TEMPORARY = ".packet-"
_IGNORE = ".gitignore"
_TWIN = re.compile(r"[0-9]{8}_[0-9]{6}_[0-9a-f]{6}-[0-9]{8}T[0-9]{6}Z(?:-[0-9]+)?\.json")
_AGE = 3600
_LINKS = (errno.ELOOP, errno.ENOTDIR)


class PacketFiles:
    """`directory` is relative to the workspace, as the configuration allows it."""

    def __init__(self, workspace: str, directory: str) -> None:
        self._root = os.path.realpath(workspace)
        self._directory = directory.strip("/")

    def write(self, session_id: str, markdown: str, twin: Mapping[str, Any]) -> str:
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        digest = sha256(markdown.encode("utf-8", "replace")).hexdigest()
        text = json.dumps({"sha256": digest, **twin}, ensure_ascii=False, indent=1, sort_keys=True)
        try:
            with opening.open_directory(os.path.join(self._root, self._directory), make=0o700) as parent:
                self._prepare(parent)
                name = self._free(parent, f"{session_id}-{stamp}")
                _keep_both(parent, name, text.encode("utf-8", "replace"), markdown.encode("utf-8", "replace"))
        except OSError as error:
            reason = "a link stands in its way" if error.errno in _LINKS else (error.strerror or str(error)).lower()
            raise PacketNotSaved(path=self._directory, reason=reason) from None
        return f"{self._directory}/{name}.md"

    def _prepare(self, parent: int) -> None:
        """Git ignores packets below `.baton`; a directory elsewhere was chosen in order to commit them."""
        if self._directory.split("/")[0] == ".baton" and not _there(parent, _IGNORE):
            with suppress(FileExistsError):
                _keep(parent, _IGNORE, b"*\n")
        _sweep(parent)

    def _free(self, parent: int, stem: str) -> str:
        for number in count(1):
            name = stem if number == 1 else f"{stem}-{number}"
            if not any(_there(parent, f"{name}{suffix}") for suffix in (".md", ".json")):
                return name
        raise AssertionError


def _there(parent: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _keep_both(parent: int, name: str, twin: bytes, packet: bytes) -> None:
    """The twin first: a packet that is there has one. Neither stays if the other cannot be written."""
    _keep(parent, f"{name}.json", twin)
    try:
        _keep(parent, f"{name}.md", packet)
    except OSError:
        with suppress(OSError):
            os.unlink(f"{name}.json", dir_fd=parent)
        raise


def _keep(parent: int, name: str, data: bytes) -> None:
    if not _write_unnamed(parent, name, data):
        _write_temporary(parent, name, data)
    _sync(parent)


def _write_unnamed(parent: int, name: str, data: bytes) -> bool:
    """Writes a file without a name and gives it one at the end; False where that cannot be done."""
    if not _UNNAMED:
        return False
    try:
        descriptor = os.open(".", _UNNAMED | os.O_WRONLY | os.O_CLOEXEC, 0o600, dir_fd=parent)
    except OSError:
        return False
    try:
        _fill(descriptor, data)
        os.link(f"/proc/self/fd/{descriptor}", name, dst_dir_fd=parent, follow_symlinks=True)
    except FileNotFoundError:
        return False
    finally:
        os.close(descriptor)
    return True


def _write_temporary(parent: int, name: str, data: bytes) -> None:
    temporary = f"{_TEMPORARY}{secrets.token_hex(6)}"
    descriptor = opening.create(temporary, parent, 0o600)
    try:
        _fill(descriptor, data)
        os.rename(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=parent)
        raise
    finally:
        os.close(descriptor)


def _fill(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    os.fsync(descriptor)


def _sync(parent: int) -> None:
    descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=parent)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sweep(parent: int) -> None:
    """Removes what a process that died on the way left, once it is old enough to be nobody's: files that were not named
    yet, and twins whose packet never came.
    """
    descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=parent)
    try:
        names = set(os.listdir(descriptor))
        for name in names:
            alone = _TWIN.fullmatch(name) and f"{name.removesuffix('.json')}.md" not in names
            if alone or name.startswith(_TEMPORARY):
                with suppress(OSError):
                    _remove_old(parent, name)
    finally:
        os.close(descriptor)


def _remove_old(parent: int, name: str) -> None:
    if time.time() - os.stat(name, dir_fd=parent, follow_symlinks=False).st_mtime > _AGE:
        os.unlink(name, dir_fd=parent)
