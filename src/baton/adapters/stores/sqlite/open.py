"""Opening a SQLite store: prepare, examine, connect, migrate, and make sure that nothing acknowledged is missing."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Generator
from contextlib import contextmanager

from baton.adapters.stores.clock import SystemClock, boot_id
from baton.adapters.stores.sql.store import SqlStore
from baton.adapters.stores.sqlite import migrate
from baton.adapters.stores.sqlite.database import SqliteDatabase, SqliteTx, connect, copy_to
from baton.adapters.stores.sqlite.errors import log_missing, translate
from baton.adapters.stores.sqlite.files import Files
from baton.adapters.stores.sqlite.index import FtsIndex
from baton.core.errors import StoreBusy
from baton.ports.clock import Clock


def open_sqlite(path: str, *, busy_timeout: float = 10.0, clock: Clock | None = None) -> SqlStore:
    """The store in this file, made if it is missing and migrated if it is old. Where nothing can be written, one that
    is there can be read.
    """
    files = Files(path)
    db = open_database(files, busy_timeout, clock or SystemClock())
    return SqlStore(db, FtsIndex(files.search, busy_timeout))


def open_database(files: Files, busy_timeout: float, clock: Clock) -> SqliteDatabase:
    files.examine()
    if files.is_only_readable():
        from baton.adapters.stores.sqlite.read_only import ReadOnlyDatabase

        return ReadOnlyDatabase(files, clock, busy_timeout)
    files.prepare()
    db = SqliteDatabase(files, clock, busy_timeout)
    try:
        _bring_up_to_date(db, files)
        _require_last_acknowledged(db)
        _void_leases_of_an_earlier_boot(db)
        if db.is_replaced():
            raise StoreBusy(path=files.database, holder=" (a repair)", seconds=0)
    except sqlite3.Error as error:
        db.close()
        raise translate(error, files.database) from error
    except BaseException:
        db.close()
        raise
    return db


def _bring_up_to_date(db: SqliteDatabase, files: Files) -> None:
    if migrate.version_of(db.writer, files.database) == migrate.LATEST:
        return
    with _turn(db):
        db.writer.execute("PRAGMA journal_mode = WAL")
        now = db.clock.now()
        migrate.migrate(db.writer, files.database, migrate.known_migrations(), now, lambda old: _backup(db, files, old))


@contextmanager
def _turn(db: SqliteDatabase) -> Generator[None]:
    if not db.queue.enter(db.timeout):
        raise StoreBusy(path=db.location, holder=f" ({db.queue.holder()})", seconds=db.timeout)
    try:
        yield
    finally:
        db.queue.leave()


def _backup(db: SqliteDatabase, files: Files, version: int) -> str:
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(db.clock.now() / 1e6))
    target = f"{files.database}.v{version}-{stamp}-{os.getpid()}.backup"
    copy_to(connect(files.database, db.timeout), target)
    return target


def _require_last_acknowledged(db: SqliteDatabase) -> None:
    """The entry last acknowledged must be there, or the log that held it was deleted or cut."""
    if _holds(db, db.queue.read_mark()):
        return
    with _turn(db):  # nobody else writes now: what was removed between two looks is no loss
        entry_id, checksum = db.queue.read_mark()
        if not _holds(db, (entry_id, checksum)):
            raise log_missing(db.location, entry_id)


def _holds(db: SqliteDatabase, mark: tuple[int, int]) -> bool:
    entry_id, checksum = mark
    if not entry_id:
        return True
    row = db.writer.execute("SELECT checksum FROM entry WHERE id = ?", (entry_id,)).fetchone()
    return row is not None and row[0] == checksum


def _void_leases_of_an_earlier_boot(db: SqliteDatabase) -> None:
    """Leases are measured on the monotonic clock, which restarts with the machine; no owner has survived that."""
    boot = boot_id()
    with db.read() as tx:
        if _of_this_boot(tx, boot):
            return
    with db.write() as tx:
        if _of_this_boot(tx, boot):  # another process was first, and leases may be new since
            return
        for name in ("leases_void", "transfer_leases_void", "mail_leases_void"):
            tx.run(name)
        tx.run("meta_set", {"key": "boot", "value": boot})


def _of_this_boot(tx: SqliteTx, boot: str) -> bool:
    return tx.one("meta_get", {"key": "boot"}) == (boot,)
