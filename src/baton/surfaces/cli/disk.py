"""Whether there is room for what is said next. Free space as the system counts it is not the whole truth: a quota, or a
file system that has become read-only, shows only when something is written.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator

from baton.ports.store import Finding
from baton.surfaces.shared.formats import size
from baton.surfaces.words import doctor as words

FULL_BELOW = 16_000_000
"""Bytes: below this the store's log and a packet no longer fit together."""
SHORT_BELOW = 500_000_000
_TRIAL = 64 * 1024
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def check_disk(home: str) -> Iterator[Finding]:
    """One finding about the disk that `home` is on, or would be."""
    path = _nearest(home)
    todo = words.DISK_TODO_FREE.format(path=path)
    if (failed := _try_writing(path)) is not None:
        if failed.errno in _NO_ROOM:
            yield Finding("error", "disk", words.DISK_NO_ROOM.format(path=path), todo)
        else:
            reason = failed.strerror or words.DISK_REFUSES
            yield Finding(
                "error",
                "disk",
                words.DISK_UNWRITABLE.format(path=path, reason=reason),
                words.DISK_TODO_WRITABLE.format(path=path),
            )
        return
    found = os.statvfs(path)
    free = found.f_bavail * found.f_frsize
    if free < FULL_BELOW:
        yield Finding("error", "disk", words.DISK_FULL.format(size=size(free)), todo)
    elif free < SHORT_BELOW:
        yield Finding("warning", "disk", words.DISK_NEARLY_FULL.format(size=size(free)), todo)
    elif found.f_files and not found.f_favail:
        yield Finding("error", "disk", words.DISK_NO_FILES, todo)
    else:
        yield Finding("ok", "disk", words.DISK_FREE.format(size=size(free)))


def _nearest(path: str) -> str:
    """The directory itself, or the one it would be made in."""
    while not os.path.isdir(path) and path != os.path.dirname(path):
        path = os.path.dirname(path)
    return path


def _try_writing(path: str) -> OSError | None:
    try:
        with tempfile.TemporaryFile(dir=path) as file:
            file.write(b"\0" * _TRIAL)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error
    return None
