"""SQLite's errors as Baton's: what happened, what was kept, what to do."""

from __future__ import annotations

import sqlite3

from baton.core.errors import BatonError, StoreBusy, StoreDamaged, StoreError, StoreFull, StoreReadOnly

_PRIMARY = 0xFF


def translate(error: sqlite3.Error, path: str, seconds: float = 0) -> BatonError:
    """One table from SQLite's result codes; the disk's own refusals (EFBIG, quota) come as write errors."""
    code = getattr(error, "sqlite_errorcode", None) or 0
    reason = str(error)
    match code & _PRIMARY:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
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
