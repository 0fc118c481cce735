"""Connections and transactions.

Writes: one connection, one thread at a time, a turn in the queue of all processes, `BEGIN IMMEDIATE`, and a commit
that is on disk before it returns (`synchronous=FULL`), unless it need not outlive the power (`NORMAL`: the log is
written in order, so the next one that must takes it along). Reads: a few more connections that never wait for writers.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from types import TracebackType

from baton.adapters.stores.sql.database import NOTHING, Parameters, Row
from baton.adapters.stores.sql.scripts import sqlite_blocks
from baton.adapters.stores.sqlite.errors import translate, translate_os_error
from baton.adapters.stores.sqlite.files import Files
from baton.adapters.stores.sqlite.queue import WriterQueue
from baton.adapters.stores.sqlite.wake import Signals, SqliteWaiter
from baton.core.errors import StoreBusy, StoreDamaged, StoreError
from baton.ports.clock import Clock
from baton.ports.store import TOPICS, Finding, Waiter

_SPARE_READERS = 4
_NOTHING = (0, 0)
_SYNC = {True: "PRAGMA synchronous = FULL", False: "PRAGMA synchronous = NORMAL"}
_TEXTS = ("meta", "conversation", "session", "packet", "draft", "transfer", "binding", "mail", "record")


def connect(path: str, timeout: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=timeout, isolation_level=None, check_same_thread=False, cached_statements=200
    )
    try:
        connection.execute(_SYNC[True])
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
    except sqlite3.Error:
        connection.close()
        raise
    except UnicodeDecodeError as error:  # of SQLite's own message, which quotes the schema
        connection.close()
        raise StoreDamaged(path=path, reason="its schema cannot be read") from error
    return connection


class SqliteTx:
    """Statements of one transaction on one connection."""

    __slots__ = ("_clock", "_connection", "_sql", "marked", "topics")

    def __init__(self, connection: sqlite3.Connection, sql: dict[str, str], clock: Clock) -> None:
        self._connection = connection
        self._sql = sql
        self._clock = clock
        self.topics: set[str] = set()
        self.marked: tuple[int, int] | None = None

    def one(self, name: str, parameters: Parameters = NOTHING) -> Row | None:
        return self._connection.execute(self._sql[name], parameters).fetchone()

    def all(self, name: str, parameters: Parameters = NOTHING) -> list[Row]:
        return self._connection.execute(self._sql[name], parameters).fetchall()

    def stream(self, name: str, parameters: Parameters = NOTHING) -> Iterator[Row]:
        return self._connection.execute(self._sql[name], parameters)

    def run(self, name: str, parameters: Parameters = NOTHING) -> None:
        self._connection.execute(self._sql[name], parameters)

    def count_changes(self, name: str, parameters: Parameters = NOTHING) -> int:
        return self._connection.execute(self._sql[name], parameters).rowcount

    def many(self, name: str, rows: Iterable[Parameters]) -> None:
        self._connection.executemany(self._sql[name], rows)

    def reserve(self, key: str) -> None:
        """Not needed: a write has the whole database to itself."""

    def ticks(self) -> int:
        return self._clock.ticks()

    def wake(self, topic: str) -> None:
        self.topics.add(topic)

    def mark(self, entry_id: int, checksum: int) -> None:
        self.marked = (entry_id, checksum)


class SqliteDatabase:
    _spare = _SPARE_READERS
    """How many readers are kept for the next read: none once it is closed."""

    def __init__(self, files: Files, clock: Clock, busy_timeout: float) -> None:
        """`StoreError` if a file cannot be opened; then everything is closed again."""
        self._files = files
        self.clock = clock
        self.timeout = busy_timeout
        self.sql = sqlite_blocks()
        self.mutex = threading.Lock()
        self._synced = True
        self._readers: list[sqlite3.Connection] = []
        self._identity = files.identity()
        with ExitStack() as opened:
            try:
                self.queue = WriterQueue(files.queue)
                opened.callback(self.queue.close)
                self.signals = Signals({topic: files.wake(topic) for topic in TOPICS})
                opened.callback(self.signals.close)
                self.writer = connect(files.database, busy_timeout)
            except sqlite3.Error as error:
                raise translate(error, files.database) from error
            except OSError as error:
                raise translate_os_error(error, files.database) from error
            opened.pop_all()

    @property
    def location(self) -> str:
        return self._files.database

    def is_replaced(self) -> bool:
        """Whether the database's name now belongs to another file (a repair, a restored backup) than when this was
        opened. What is written to the old one would be lost.
        """
        return self._files.identity() != self._identity

    def write(self, *, lasting: bool = True) -> Write:
        return Write(self, lasting)

    def begin(self, lasting: bool) -> None:
        if lasting is not self._synced:
            self.writer.execute(_SYNC[lasting])
            self._synced = lasting
        self.writer.execute("BEGIN IMMEDIATE")

    def read(self) -> Read:
        return Read(self)

    def glance(self) -> Glance:
        return Glance(self)

    def take_reader(self) -> sqlite3.Connection:
        try:
            return self._readers.pop()
        except IndexError:
            return connect(self.location, self.timeout)

    def give_reader(self, connection: sqlite3.Connection) -> None:
        if len(self._readers) < self._spare:
            self._readers.append(connection)
        else:
            connection.close()

    def close_readers(self) -> None:
        """The spare ones now, the others when they come back."""
        self._spare = 0
        while self._readers:
            try:
                self._readers.pop().close()
            except IndexError:  # taken meanwhile
                break

    def waiter(self, topic: str) -> Waiter:
        return SqliteWaiter(self._files.wake(topic), connect(self.location, self.timeout))

    def backup(self, target: str) -> None:
        copy_to(self.writer_copy(), target)

    def writer_copy(self) -> sqlite3.Connection:
        return connect(self.location, self.timeout)

    def check(self) -> list[Finding]:
        with self.read():
            pass
        connection = self.take_reader()
        try:
            problems = [row[0] for row in connection.execute("PRAGMA integrity_check(20)")]
            for table in _TEXTS:
                problems += _unreadable(connection, table)
        except sqlite3.Error as error:
            raise translate(error, self.location) from error
        finally:
            self.give_reader(connection)
        todo = "`baton doctor --repair` recovers what can be read."
        return [Finding("error", "database", problem, todo) for problem in problems if problem != "ok"]

    def size(self) -> int:
        return self._files.size()

    def close(self) -> None:
        """Waits for a write that is under way; a reader in another thread's hands is closed when it comes back. To
        close a connection that another thread works with would end the process.
        """
        self.close_readers()
        with self.mutex:
            self.writer.close()
        self.signals.close()
        self.queue.close()


class Write:
    """One write transaction. A class rather than a generator: this is the hottest path of the store."""

    __slots__ = ("_db", "_lasting", "_tx")

    def __init__(self, db: SqliteDatabase, lasting: bool) -> None:
        self._db = db
        self._lasting = lasting
        self._tx = SqliteTx(db.writer, db.sql, db.clock)

    def __enter__(self) -> SqliteTx:
        db = self._db
        start = time.monotonic()
        if not db.mutex.acquire(timeout=db.timeout):
            raise StoreBusy(path=db.location, holder=f" thread of {os.getpid()}", seconds=db.timeout)
        try:
            if not db.queue.enter(max(0.0, db.timeout - (time.monotonic() - start))):
                raise StoreBusy(path=db.location, holder=f" ({db.queue.holder()})", seconds=db.timeout)
            try:
                if db.is_replaced():
                    raise StoreError(path=db.location, reason="the file was replaced by another; open it again")
                db.begin(self._lasting)
            except BaseException as error:
                db.queue.leave()
                if isinstance(error, sqlite3.Error):
                    raise translate(error, db.location, time.monotonic() - start) from error
                raise
        except BaseException:
            db.mutex.release()
            raise
        return self._tx

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        db, tx = self._db, self._tx
        try:
            try:
                if error is None:
                    if tx.marked == _NOTHING:  # before: killed in between, a removed entry must not look lost
                        db.queue.mark(*_NOTHING)
                    db.writer.execute("COMMIT")
                    if tx.marked is not None:
                        db.queue.mark(*tx.marked)
            except sqlite3.Error as failed:
                raise translate(failed, db.location) from failed
            finally:
                if db.writer.in_transaction:
                    db.writer.execute("ROLLBACK")
                db.queue.leave()
        finally:
            db.mutex.release()
        if error is None:
            for topic in tx.topics:
                db.signals.send(topic)
        elif isinstance(error, sqlite3.Error):
            raise translate(error, db.location) from error


class Glance:
    """One statement, without a transaction around it: two statements less, each of which leaves the interpreter."""

    __slots__ = ("_connection", "_db")

    def __init__(self, db: SqliteDatabase) -> None:
        self._db = db

    def __enter__(self) -> SqliteTx:
        try:
            self._connection = self._db.take_reader()
        except sqlite3.Error as error:
            raise translate(error, self._db.location) from error
        return SqliteTx(self._connection, self._db.sql, self._db.clock)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if isinstance(error, sqlite3.Error):
            self._connection.close()
            raise translate(error, self._db.location) from error
        self._db.give_reader(self._connection)


class Read(Glance):
    """One snapshot of the database, for several statements."""

    __slots__ = ()

    def __enter__(self) -> SqliteTx:
        tx = super().__enter__()
        try:
            self._connection.execute("BEGIN")
        except sqlite3.Error as error:
            raise translate(error, self._db.location) from error
        return tx

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        super().__exit__(kind, error, _)


def copy_to(source: sqlite3.Connection, target: str) -> None:
    """A consistent copy under its final name only once it is whole and on disk. Closes `source`."""
    partial = f"{target}.partial"
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        copy = sqlite3.connect(partial)
        try:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        finally:
            copy.close()
        _publish(partial, target)
    except OSError as error:
        raise translate_os_error(error, target) from error
    except sqlite3.Error as error:
        raise translate(error, target) from error
    finally:
        source.close()
        if os.path.exists(partial):
            os.unlink(partial)


def _publish(partial: str, target: str) -> None:
    """`link` instead of `rename`: it refuses to replace a file that appeared meanwhile."""
    sync(partial)
    os.link(partial, target)
    sync(os.path.dirname(target) or ".")


def sync(path: str) -> None:
    """What was written to this file, or which names this directory holds, is on disk when this returns."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _unreadable(connection: sqlite3.Connection, table: str) -> list[str]:
    """SQLite does not check texts, and only entries and packets have a checksum: decode them all."""
    try:
        for _ in connection.execute(f"SELECT * FROM {table}"):  # noqa: S608 (names of our own tables)
            pass
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", None):
            raise
        return [f"a text in table {table} is not UTF-8"]
    return []
