"""Opening a SQLite store: prepare, examine, connect, migrate, and make sure that nothing acknowledged is missing."""

from __future__ import annotations

import os
import sqlite3
import time

from baton.adapters.stores.clock import SystemClock, boot_id
from baton.adapters.stores.sql.store import SqlStore
from baton.adapters.stores.sqlite import migrate
from baton.adapters.stores.sqlite.database import SqliteDatabase, connect, copy_to
from baton.adapters.stores.sqlite.errors import translate
from baton.adapters.stores.sqlite.files import Files
from baton.adapters.stores.sqlite.index import FtsIndex
from baton.core.errors import LogMissing, StoreBusy, StoreReadOnly
from baton.ports.clock import Clock


def open_sqlite(path: str, *, busy_timeout: float = 10.0, clock: Clock | None = None) -> SqlStore:
    """The store in this file, made if it is missing and migrated if it is old."""
    files = Files(path)
    files.prepare()
    files.examine()
    had_log = files.has_log()
    try:
        db = SqliteDatabase(files, clock or SystemClock(), busy_timeout)
    except sqlite3.Error as error:
        raise translate(error, files.database) from error
    except OSError as error:
        raise StoreReadOnly(path=files.database, reason=error.strerror or str(error)) from error
    try:
        _bring_up_to_date(db, files)
        if not had_log:
            _require_last_acknowledged(db)
        _void_leases_of_an_earlier_boot(db)
    except sqlite3.Error as error:
        db.close()
        raise translate(error, files.database) from error
    except BaseException:
        db.close()
        raise
    return SqlStore(db, FtsIndex(files.search, busy_timeout))


def _bring_up_to_date(db: SqliteDatabase, files: Files) -> None:
    version = migrate.version_of(db.writer, files.database)
    if version == migrate.LATEST:
        return
    if not db.queue.enter(db.timeout):
        raise StoreBusy(path=files.database, holder=f" ({db.queue.holder()})", seconds=db.timeout)
    try:
        db.writer.execute("PRAGMA journal_mode = WAL")
        now = db.clock.now()
        migrate.migrate(db.writer, files.database, migrate.known(), now, lambda old: _backup(db, files, old))
    finally:
        db.queue.leave()


def _backup(db: SqliteDatabase, files: Files, version: int) -> str:
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(db.clock.now() / 1e6))
    target = f"{files.database}.v{version}-{stamp}-{os.getpid()}.backup"
    copy_to(connect(files.database, db.timeout), target)
    return target


def _require_last_acknowledged(db: SqliteDatabase) -> None:
    """Without a log everything must be in the database itself: the entry last acknowledged tells."""
    entry_id, checksum = db.queue.marked()
    if not entry_id:
        return
    row = db.writer.execute("SELECT checksum FROM entry WHERE id = ?", (entry_id,)).fetchone()
    if row is None or row[0] != checksum:
        raise LogMissing(path=db.location, entry=f"{entry_id & 0xFFFFFF} of session number {entry_id >> 24}")


def _void_leases_of_an_earlier_boot(db: SqliteDatabase) -> None:
    """Leases are measured on the monotonic clock, which begins anew with the machine, when no owner lives any more."""
    boot = boot_id()
    with db.read() as tx:
        if tx.one("meta_get", {"key": "boot"}) == (boot,):
            return
    with db.write() as tx:
        for name in ("leases_void", "transfer_leases_void", "mail_leases_void"):
            tx.run(name)
        tx.run("meta_set", {"key": "boot", "value": boot})
