"""Transactions over a pool of connections.

Writes: READ COMMITTED with the rows locked, in the order conversation, place, session, then whatever belongs to them;
committed durably before `write` returns. Reads: REPEATABLE READ, READ ONLY, never waiting for writers.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from functools import lru_cache
from types import TracebackType

import psycopg

from baton.adapters.stores.clock import SystemClock
from baton.adapters.stores.postgres import backup, health
from baton.adapters.stores.postgres.address import Address
from baton.adapters.stores.postgres.connection import Patience, Pool, connect
from baton.adapters.stores.postgres.errors import translate
from baton.adapters.stores.postgres.transaction import READ, WRITE, PipelinedConnection, PostgresTx
from baton.adapters.stores.postgres.wake import PostgresWaiter
from baton.adapters.stores.sql.scripts import postgres_blocks
from baton.core.errors import BatonError, StoreBusy
from baton.ports.clock import Clock
from baton.ports.store import Finding, Waiter

_WRITERS = 4
_READERS = 8

Blocks = Mapping[str, bytes]


@lru_cache
def _blocks(lock: bool) -> dict[str, bytes]:
    """Only a write transaction may lock rows."""
    return {name: sql.encode() for name, sql in postgres_blocks(lock=lock).items()}


class PostgresDatabase:
    """A thread may read while it writes; so writers and readers are limited separately."""

    def __init__(self, address: Address, patience: Patience, clock: Clock | None) -> None:
        self.address = address
        self.patience = patience
        self.lease_clock = clock
        self.clock = clock or SystemClock()
        self.pool = Pool(address, patience)
        self._writers = threading.BoundedSemaphore(_WRITERS)
        self._readers = threading.BoundedSemaphore(_READERS)

    @property
    def location(self) -> str:
        return self.address.location

    def write(self, sql: Blocks | None = None, *, lasting: bool = True) -> Transaction:  # noqa: ARG002
        """Always lasting: those who hold something live on when the server's machine does not."""
        return Transaction(self, WRITE, self._writers, sql or _blocks(lock=True))

    def read(self, sql: Blocks | None = None) -> Transaction:
        return Transaction(self, READ, self._readers, sql or _blocks(lock=False))

    def glance(self) -> Transaction:
        return self.read()

    def waiter(self, topic: str) -> Waiter:
        return PostgresWaiter(self.address, self.patience, topic)

    def backup(self, target: str) -> None:
        with connect(self.address, self.patience) as connection:
            backup.save_backup(connection, self.address, target, self.clock.now())

    def check(self) -> list[Finding]:
        with self.read(health.BLOCKS) as tx:
            return health.check(tx, self.address.schema)

    def size(self) -> int:
        with self.read(health.BLOCKS) as tx:
            return health.size(tx, self.address.schema)

    def close(self) -> None:
        self.pool.close()


class Transaction:
    """One transaction, read or write. A class rather than a generator: this is the hottest path of the store."""

    __slots__ = ("_begin", "_db", "_pipelined", "_places", "_sql")

    def __init__(self, db: PostgresDatabase, begin: bytes, places: threading.BoundedSemaphore, sql: Blocks) -> None:
        self._db = db
        self._begin = begin
        self._places = places
        self._sql = sql
        self._pipelined = PipelinedConnection(db.pool, begin)

    def __enter__(self) -> PostgresTx:
        db = self._db
        if not self._places.acquire(timeout=db.patience.lock):
            raise StoreBusy(path=db.location, holder=f" thread of {os.getpid()}", seconds=db.patience.lock)
        return PostgresTx(self._pipelined, self._sql, db.address, db.lease_clock)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        try:
            self._end(error)
        except (psycopg.Error, UnicodeEncodeError) as failed:
            raise translate(failed, self._db.location, self._db.patience.lock) from failed
        finally:
            self._pipelined.discard()
            self._places.release()

    def _end(self, error: BaseException | None) -> None:
        """A connection on which the database reported an error, or whose caller was interrupted, is not used again."""
        if self._begin is READ and (error is None or isinstance(error, BatonError)):
            self._pipelined.finish_reading()
        elif error is None:
            self._pipelined.commit()
        elif isinstance(error, psycopg.Error | UnicodeEncodeError):
            raise error
        elif isinstance(error, Exception):
            self._pipelined.roll_back()
