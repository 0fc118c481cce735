"""Connections: durable commits, bounded waits, the store's schema; and a pool of a few that stay open."""

from __future__ import annotations

import math
import threading
import time
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.sql import SQL, Identifier, Literal
from psycopg.types.numeric import Int8Dumper, IntLoader
from psycopg.types.string import StrDumper

from baton.adapters.stores.postgres.address import Address
from baton.adapters.stores.postgres.errors import NoAnswer, translate
from baton.core.errors import StoreError, StoreUnavailable
from baton.core.value import value

RV = TypeVar("RV")
_ROOM = 20.0
_INTERVAL = 0.1
_SPARE = 4
_RETURN = 2.0
_PAUSE = 0.05
_SETTINGS = SQL(
    "SET search_path TO {schema}; SET synchronous_commit TO on; SET lock_timeout TO {lock};"
    "SET statement_timeout TO {statement}; SET idle_in_transaction_session_timeout TO {idle};"
    "SET default_transaction_isolation TO 'read committed'; SET client_min_messages TO warning"
)


@value
class Patience:
    """How long anything may take, derived from the seconds a caller is willing to wait for a lock.

    The server ends a wait for a lock, then a statement; should the server itself hang, the client gives up last.
    """

    lock: float

    @property
    def statement(self) -> float:
        return self.lock + _ROOM

    @property
    def answer(self) -> float:
        return self.statement + 5

    @property
    def idle(self) -> float:
        """A transaction whose process hangs between two statements must not keep its locks forever."""
        return self.statement * 2


class PatientConnection(psycopg.Connection[tuple[Any, ...]]):
    """Gives up with `NoAnswer`, and closes, when the server is silent for `answer_within` seconds."""

    answer_within: float | None = None

    def wait(self, gen: PQGen[RV], interval: float = _INTERVAL, timeout: float | None = None) -> RV:
        if timeout is not None or self.answer_within is None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, self.answer_within)
        except psycopg.errors._WaitTimeout as silence:  # pyright: ignore[reportPrivateUsage]
            self.close()
            raise NoAnswer(f"the server did not answer within {self.answer_within:.0f} s") from silence


def connect(address: Address, patience: Patience) -> PatientConnection:
    """A new connection, ready for use; `StoreUnavailable` if the server cannot be reached in time."""
    try:
        connection = PatientConnection.connect(
            **{**_network(patience), **address.parameters}, autocommit=True, prepare_threshold=1
        )
    except psycopg.Error as error:
        raise translate(error, address.location) from error
    try:
        _prepare(connection, address, patience)
    except psycopg.Error as error:
        connection.close()
        raise translate(error, address.location) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _network(patience: Patience) -> dict[str, Any]:
    return {
        "connect_timeout": max(2, math.ceil(patience.lock)),
        "tcp_user_timeout": max(1000, math.ceil(patience.lock * 1000)),
        "keepalives": 1,
        "keepalives_idle": 30,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "fallback_application_name": "baton",
        "client_encoding": "UTF8",
    }


def _prepare(connection: PatientConnection, address: Address, patience: Patience) -> None:
    """Numbers and text always go as bigint and text, so that a statement is prepared once and not once per width; sums,
    which the server gives as numeric, come back as whole numbers.
    """
    connection.answer_within = patience.answer
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        reason = f"the encoding of its database is {encoding}; Baton needs UTF8"
        raise StoreError(path=address.location, reason=reason)
    connection.adapters.register_dumper(int, Int8Dumper)
    connection.adapters.register_dumper(str, StrDumper)
    connection.adapters.register_loader("numeric", IntLoader)
    settings = _SETTINGS.format(
        schema=Identifier(address.schema),
        lock=Literal(_milliseconds(patience.lock)),
        statement=Literal(_milliseconds(patience.statement)),
        idle=Literal(_milliseconds(patience.idle)),
    )
    connection.execute(settings)


def _milliseconds(seconds: float) -> int:
    """PostgreSQL takes 0 for "no limit"."""
    return max(1, math.ceil(seconds * 1000))


class Pool:
    """`take` and `give` may be called by any thread. A connection that was idle may have died meanwhile; its
    user then asks for a `fresh` one.
    """

    def __init__(self, address: Address, patience: Patience) -> None:
        self.address = address
        self.patience = patience
        self._mutex = threading.Lock()
        self._idle: list[PatientConnection] = []
        self._closed = False

    def take(self) -> tuple[PatientConnection, bool]:
        """A connection, and whether it was idle."""
        with self._mutex:
            if self._idle:
                return self._idle.pop(), True
        return self.fresh(), False

    def fresh(self) -> PatientConnection:
        """A new connection. A server that was there before may be restarting, so it gets a moment."""
        end = time.monotonic() + min(_RETURN, self.patience.lock)
        while True:
            try:
                return connect(self.address, self.patience)
            except StoreUnavailable:
                if time.monotonic() + _PAUSE > end:
                    raise
                time.sleep(_PAUSE)

    def give(self, connection: PatientConnection) -> None:
        with self._mutex:
            if not self._closed and len(self._idle) < _SPARE:
                self._idle.append(connection)
                return
        connection.close()

    def forget(self) -> None:
        """Closes what is idle: one connection was found dead, and the others will be too."""
        with self._mutex:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def close(self) -> None:
        with self._mutex:
            self._closed = True
        self.forget()
