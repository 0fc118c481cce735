"""Putting files of a checkpoint back into a work tree: each whole or not at all, and no link followed on the way."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress

from baton.adapters.tools.files import opening

_LINK = "120000"
_EXECUTABLE = "100755"


def place(root: str, path: str, mode: str, data: bytes) -> None:
    """Replaces what stands at `path` (a file, a link or nothing) by a file or link with this content.

    Raises `OSError`, also when a directory is in the way; then what stood there still does.
    """
    above, name = os.path.split(os.path.join(root, path))
    with opening.directory(above, make=0o777) as parent:
        like = _standing(name, parent)
        temporary = f".{name[:80]}.{secrets.token_hex(6)}.tmp"
        try:
            if mode == _LINK:
                os.symlink(os.fsdecode(data), temporary, dir_fd=parent)
            else:
                _fill(temporary, parent, data, _permissions(like, mode))
            os.rename(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=parent)
            raise


def remove(root: str, path: str) -> None:
    """Removes a file or link, and the directories that are empty then. Raises `OSError`."""
    above, name = os.path.split(os.path.join(root, path))
    with opening.directory(above) as parent:
        os.unlink(name, dir_fd=parent)
    while above != root:
        above, name = os.path.split(above)
        try:
            with opening.directory(above) as parent:
                os.rmdir(name, dir_fd=parent)
        except OSError:
            return


def _standing(name: str, parent: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _permissions(like: os.stat_result | None, mode: str) -> int | None:
    """The mode that stood there, but executable exactly if it is to be; None for what the system gives new files."""
    execute = stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH
    if like is None or not stat.S_ISREG(like.st_mode):
        return 0o777 if mode == _EXECUTABLE else None
    kept = stat.S_IMODE(like.st_mode) & 0o777
    return kept | (kept & 0o444) >> 2 if mode == _EXECUTABLE else kept & ~execute


def _fill(name: str, parent: int, data: bytes, permissions: int | None) -> None:
    new = permissions == 0o777
    descriptor = opening.create(name, parent, 0o777 if new else 0o666)
    try:
        if permissions is not None and not new:
            os.fchmod(descriptor, permissions)
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
