"""A store in a directory that cannot be written: a mounted backup, another user's home. It can be read, and only that.

A database whose log was written back is read as it lies (`immutable`: SQLite could not make its files beside it). One
with a log is read through it. Neither is migrated, and no lease is looked after.
"""

from __future__ import annotations

import sqlite3
from urllib.parse import quote

from baton.adapters.stores.sql.scripts import sqlite_blocks
from baton.adapters.stores.sqlite import migrate
from baton.adapters.stores.sqlite.database import SqliteDatabase, Write
from baton.adapters.stores.sqlite.errors import log_missing, translate
from baton.adapters.stores.sqlite.files import Files
from baton.adapters.stores.sqlite.queue import read_mark
from baton.core.errors import StoreReadOnly
from baton.ports.clock import Clock
from baton.ports.store import Waiter

ONLY_READ = "its directory cannot be written, so it can only be read"
OLDER = "it was made by an earlier version, and cannot be brought up to date here"


class ReadOnlyDatabase(SqliteDatabase):
    """Everything that would write raises `StoreReadOnly`."""

    def __init__(self, files: Files, clock: Clock, busy_timeout: float) -> None:
        self._files = files
        self.clock = clock
        self.timeout = busy_timeout
        self.sql = sqlite_blocks()
        self._readers: list[sqlite3.Connection] = []
        mode = "mode=ro" if files.has_log() else "mode=ro&immutable=1"
        self._address = f"file:{quote(files.database)}?{mode}"
        self._check()

    def _check(self) -> None:
        try:
            connection = self.take_reader()
            try:
                if migrate.version_of(connection, self.location) != migrate.LATEST:
                    raise StoreReadOnly(path=self.location, reason=OLDER)
                entry_id, checksum = read_mark(self._files.queue)
                found = connection.execute("SELECT checksum FROM entry WHERE id = ?", (entry_id,)).fetchone()
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise translate(error, self.location) from error
        if entry_id and found != (checksum,):
            raise log_missing(self.location, entry_id)

    def write(self, *, lasting: bool = True) -> Write:  # noqa: ARG002 - as that of every database
        raise StoreReadOnly(path=self.location, reason=ONLY_READ)

    def waiter(self, topic: str) -> Waiter:  # noqa: ARG002 - nobody can be told of anything
        raise StoreReadOnly(path=self.location, reason=ONLY_READ)

    def take_reader(self) -> sqlite3.Connection:
        if self._readers:
            return self._readers.pop()
        return sqlite3.connect(
            self._address, uri=True, timeout=self.timeout, isolation_level=None, check_same_thread=False
        )

    def writer_copy(self) -> sqlite3.Connection:
        return self.take_reader()

    def close(self) -> None:
        self.close_readers()
