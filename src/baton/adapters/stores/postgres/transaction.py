"""One transaction on one connection.

Statements whose answer nobody waits for are sent and not waited for (pipeline mode), so that an append takes two round
trips: BEGIN with the lock, then everything else with COMMIT. Until its first answer a transaction has shown nothing to
anybody, and one whose connection died in the pool died with it: it is begun again on a fresh connection, once. Later
failures are the caller's; if the connection is lost after COMMIT was sent, `StoreUnavailable` says that the outcome is
unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from itertools import islice

import psycopg
from psycopg.pq import TransactionStatus

from baton.adapters.stores.postgres.address import Address
from baton.adapters.stores.postgres.connection import PatientConnection, Pool
from baton.adapters.stores.postgres.errors import UNKNOWN_OUTCOME, NoAnswer, is_lost
from baton.adapters.stores.sql.database import NOTHING, Parameters, Row
from baton.core.errors import StoreError, StoreUnavailable
from baton.ports.clock import Clock

WRITE = b"BEGIN ISOLATION LEVEL READ COMMITTED"
READ = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_NOTHING_MUCH = b"SELECT 1"
_BATCH = 500
_TICKS = b"SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
_NOTIFY = b"SELECT pg_notify(%(channel)s, '')"
_RESERVE = b"SELECT pg_advisory_xact_lock(hashtextextended(%(key)s, 0))"

Cursor = psycopg.Cursor[Row]


@dataclass(slots=True)
class Sent:
    """A statement on its way."""

    query: bytes
    parameters: Parameters
    cursor: Cursor | None = None


class PipelinedConnection:
    """A connection for one transaction: nothing is sent, and no connection taken, before the first statement."""

    def __init__(self, pool: Pool, begin: bytes) -> None:
        self._pool = pool
        self._begin = begin
        self._connection: PatientConnection | None = None
        self._pipeline: AbstractContextManager[psycopg.Pipeline] | None = None
        self._idled = False
        self._early: list[Sent] = []
        self._answered = False

    def send(self, query: bytes, parameters: Parameters = NOTHING) -> Sent:
        """Its error, if any, is raised by a later statement or by `commit`."""
        sent = Sent(query, parameters)
        if self._answered:
            self._transmit(sent)
            return sent
        self._early.append(sent)
        try:
            if self._connection is None:
                self._take()
            self._transmit(sent)
        except psycopg.OperationalError as error:
            self._begin_again(error)
        return sent

    def send_many(self, query: bytes, rows: Iterable[Parameters]) -> None:
        if not self._answered:
            self.rows(_NOTHING_MUCH)
        cursor, remaining = self._open.cursor(), iter(rows)
        while batch := list(islice(remaining, _BATCH)):
            cursor.executemany(query, batch)

    def rows(self, query: bytes, parameters: Parameters = NOTHING) -> list[Row]:
        """Waits for the answer, and so for everything sent before."""
        sent = self.send(query, parameters)
        try:
            found = _answer(sent)
        except psycopg.OperationalError as error:
            self._begin_again(error)
            found = _answer(sent)
        self._answered = True
        self._early.clear()
        return found

    def count(self, query: bytes, parameters: Parameters = NOTHING) -> int:
        """How many rows a statement changed that returns none."""
        sent = self.send(query, parameters)
        self.rows(_NOTHING_MUCH)
        assert sent.cursor is not None
        return sent.cursor.rowcount

    def commit(self) -> None:
        """Durable once it returns. `StoreUnavailable` if it cannot be known whether it is."""
        if self._connection is None:
            return
        if not self._answered:
            self.rows(_NOTHING_MUCH)
        connection = self._open
        try:
            cursor = connection.execute(b"COMMIT", prepare=False)
            self._leave_pipeline()
        except psycopg.Error as error:
            if is_lost(error, connection):
                raise StoreUnavailable(path=self._pool.address.location, reason=UNKNOWN_OUTCOME) from error
            raise
        if cursor.statusmessage != "COMMIT":
            raise StoreError(path=self._pool.address.location, reason="the server rolled the transaction back")
        self._give_back()

    def finish_reading(self) -> None:
        """Ends a transaction that wrote nothing. All its answers are here, so a failure no longer matters."""
        if self._connection is not None:
            try:
                self._connection.execute(b"COMMIT", prepare=False)
                self._leave_pipeline()
                self._give_back()
            except psycopg.Error:
                self.discard()

    def roll_back(self) -> None:
        """The connection is used again only if it is known to be in order."""
        if self._connection is not None:
            try:
                self._leave_pipeline()
                self._connection.rollback()
                self._give_back()
            except psycopg.Error:
                self.discard()

    def discard(self) -> None:
        """Whatever was begun and not committed is undone by the server."""
        if self._connection is not None:
            self._connection.close()
            with suppress(psycopg.Error):
                self._leave_pipeline()
            self._connection = None

    @property
    def _open(self) -> PatientConnection:
        assert self._connection is not None
        return self._connection

    def _take(self) -> None:
        connection, self._idled = self._pool.take()
        self._start(connection)

    def _start(self, connection: PatientConnection) -> None:
        self._connection = connection
        self._pipeline = connection.pipeline()
        self._pipeline.__enter__()
        connection.execute(self._begin, prepare=False)

    def _transmit(self, sent: Sent) -> None:
        sent.cursor = self._open.execute(sent.query, sent.parameters or None)

    def _begin_again(self, error: psycopg.OperationalError) -> None:
        """Everything sent so far, on a fresh connection; raises `error` unless the old one had died in the pool."""
        if self._answered or not self._idled or isinstance(error, NoAnswer) or not is_lost(error, self._open):
            raise error
        self.discard()
        self._pool.forget()
        self._idled = False
        self._start(self._pool.fresh())
        for sent in self._early:
            self._transmit(sent)

    def _leave_pipeline(self) -> None:
        """Waits for everything that was sent; raises the first error."""
        pipeline, self._pipeline = self._pipeline, None
        if pipeline is not None:
            pipeline.__exit__(None, None, None)

    def _give_back(self) -> None:
        connection, self._connection = self._open, None
        if connection.info.transaction_status == TransactionStatus.IDLE:
            self._pool.give(connection)
        else:
            connection.close()


def _answer(sent: Sent) -> list[Row]:
    """Fetching also sends what is still in the buffer: `Pipeline.sync` does not, and would wait forever after a large
    statement.
    """
    assert sent.cursor is not None
    return sent.cursor.fetchall()


class PostgresTx:
    """The statements of one transaction, by name."""

    __slots__ = ("_address", "_clock", "_pipelined", "_sql", "_topics")

    def __init__(
        self, pipelined: PipelinedConnection, sql: Mapping[str, bytes], address: Address, clock: Clock | None
    ) -> None:
        self._pipelined = pipelined
        self._sql = sql
        self._address = address
        self._clock = clock
        self._topics: set[str] = set()

    def one(self, name: str, parameters: Parameters = NOTHING) -> Row | None:
        rows = self._pipelined.rows(self._sql[name], parameters)
        return rows[0] if rows else None

    def all(self, name: str, parameters: Parameters = NOTHING) -> list[Row]:
        return self._pipelined.rows(self._sql[name], parameters)

    def stream(self, name: str, parameters: Parameters = NOTHING) -> Iterator[Row]:
        return iter(self.all(name, parameters))

    def run(self, name: str, parameters: Parameters = NOTHING) -> None:
        self._pipelined.send(self._sql[name], parameters)

    def count_changes(self, name: str, parameters: Parameters = NOTHING) -> int:
        return self._pipelined.count(self._sql[name], parameters)

    def many(self, name: str, rows: Iterable[Parameters]) -> None:
        self._pipelined.send_many(self._sql[name], rows)

    def reserve(self, key: str) -> None:
        self._pipelined.send(_RESERVE, {"key": f"{self._address.schema} {key}"})

    def ticks(self) -> int:
        """The server's clock, unless the store was opened with another one."""
        if self._clock is not None:
            return self._clock.ticks()
        return self._pipelined.rows(_TICKS)[0][0]

    def wake(self, topic: str) -> None:
        """Part of the transaction: the server tells waiters when it commits, and never if it does not."""
        if topic not in self._topics:
            self._topics.add(topic)
            self._pipelined.send(_NOTIFY, {"channel": self._address.channel(topic)})

    def mark(self, entry_id: int, checksum: int) -> None:
        """Not needed: a server that lost its log does not start."""
