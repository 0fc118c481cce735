"""SQLite's errors, and the operating system's, as Baton's: what happened, what was kept, what to do."""

from __future__ import annotations

import errno
import sqlite3

from baton.core.errors import BatonError, LogMissing, StoreBusy, StoreDamaged, StoreError, StoreFull, StoreReadOnly

_PRIMARY = 0xFF
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def translate(error: sqlite3.Error, path: str, seconds: float = 0) -> BatonError:
    """One table from SQLite's result codes; the disk's own refusals (EFBIG, quota) come as write errors."""
    code = getattr(error, "sqlite_errorcode", None) or 0
    reason = str(error)
    if not code and reason.startswith("Could not decode to UTF-8"):
        return StoreDamaged(path=path, reason="a text in it is not UTF-8")
    match code & _PRIMARY:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
            return StoreBusy(path=path, holder="", seconds=seconds)
        case sqlite3.SQLITE_FULL:
            return StoreFull(path=path)
        case sqlite3.SQLITE_IOERR if code in (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE):
            return StoreFull(path=path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return StoreReadOnly(path=path, reason=reason)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_FORMAT:
            return StoreDamaged(path=path, reason=reason)
        case _:
            return StoreError(path=path, reason=reason)


def translate_os_error(error: OSError, path: str) -> BatonError:
    """What the operating system said while a file was made, written or copied."""
    if error.errno in _NO_ROOM:
        return StoreFull(path=path)
    return StoreReadOnly(path=path, reason=error.strerror or str(error))


def log_missing(path: str, entry_id: int) -> LogMissing:
    """The entry that was acknowledged last is not there."""
    from baton.core.log.entry import SEQ_BITS, SEQ_LIMIT

    return LogMissing(path=path, entry=f"{entry_id & (SEQ_LIMIT - 1)} of session number {entry_id >> SEQ_BITS}")
