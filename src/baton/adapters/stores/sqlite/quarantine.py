"""The copy of a database that a repair makes before it touches anything."""

from __future__ import annotations

import filecmp
import glob
import os
import time
from contextlib import suppress

from baton.adapters.stores.sqlite.database import sync
from baton.adapters.stores.sqlite.files import Files

_PARTIAL = ".partial"
_PART = 1 << 20
_SECTOR = 4096


def keep(files: Files, now: int) -> str:
    """`baton.db.damaged-…` with its `-wal`, private and on disk; an equal copy of an earlier attempt serves again.

    The log is copied first, so that a copy under its final name is complete.
    """
    for left in glob.glob(f"{glob.escape(files.database)}.damaged-*{_PARTIAL}"):
        os.unlink(left)
    for earlier in glob.glob(f"{glob.escape(files.database)}.damaged-*[0-9Z]"):
        if _equal(files.database, earlier) and _equal(files.log, f"{earlier}-wal"):
            return earlier
    target = _unused_name(f"{files.database}.damaged-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime(now / 1e6))}")
    for source, copy in ((files.log, f"{target}-wal"), (files.database, target)):
        if os.path.exists(source):
            _copy(source, copy + _PARTIAL)
            os.rename(copy + _PARTIAL, copy)
    sync(os.path.dirname(target))
    return target


def _equal(one: str, other: str) -> bool:
    """An empty log counts as none."""
    sizes = [os.path.getsize(path) if os.path.exists(path) else 0 for path in (one, other)]
    return sizes == [0, 0] or (all(sizes) and filecmp.cmp(one, other, shallow=False))


def _unused_name(target: str) -> str:
    number, name = 1, target
    while os.path.exists(name) or os.path.exists(f"{name}-wal"):
        number += 1
        name = f"{target}-{number}"
    return name


def _copy(source: str, target: str) -> None:
    """Byte for byte; what the disk cannot read any more becomes zeros. Leaves nothing behind if there is no room."""
    writing = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with open(source, "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            for at in range(0, size, _PART):
                os.pwrite(writing, _read(file.fileno(), at, min(_PART, size - at)), at)
        os.fsync(writing)
    except BaseException:
        with suppress(OSError):
            os.unlink(target)
        raise
    finally:
        os.close(writing)


def _read(fd: int, at: int, size: int) -> bytes:
    try:
        return os.pread(fd, size, at)
    except OSError:
        if size <= _SECTOR:
            return bytes(size)
    return b"".join(_read(fd, part, min(_SECTOR, at + size - part)) for part in range(at, at + size, _SECTOR))
