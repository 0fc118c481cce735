"""Wake-up across processes: LISTEN on a connection of its own.

Notifications reach a living connection without loss. One that was lost may have missed some, so the first wait after
a reconnection returns at once; the connection is checked every few seconds to find out whether it was lost.
"""

from __future__ import annotations

import time

import psycopg
from psycopg.sql import SQL, Identifier

from baton.adapters.stores.postgres.address import Address
from baton.adapters.stores.postgres.connection import Patience, PatientConnection, connect
from baton.adapters.stores.postgres.errors import translate
from baton.core.errors import StoreError

SAFETY = 5.0
_PAUSE = 0.25


class PostgresWaiter:
    """`wait` does not raise while the server is away: it keeps trying, and the next access to the store will raise."""

    def __init__(self, address: Address, patience: Patience, topic: str) -> None:
        self._address = address
        self._patience = patience
        self._listen = SQL("LISTEN {}").format(Identifier(address.channel(topic)))
        self._closed = False
        self._connection: PatientConnection | None = self._connect()

    def wait(self, timeout: float) -> bool:
        end = time.monotonic() + timeout
        while not self._closed:
            left = max(0.0, end - time.monotonic())
            if self._look(left):
                return True
            if not left:
                break
        return False

    def close(self) -> None:
        self._closed = True
        self._disconnect()

    def _look(self, left: float) -> bool:
        connection = self._connection
        return self._reconnect(left) if connection is None else self._receive(connection, left)

    def _receive(self, connection: PatientConnection, left: float) -> bool:
        try:
            if any(True for _ in connection.notifies(timeout=min(left, SAFETY), stop_after=1)):
                for _ in connection.notifies(timeout=0):
                    pass
                return True
            if left > SAFETY:
                connection.execute(b"SELECT 1")
        except psycopg.Error:
            self._disconnect()
        return False

    def _reconnect(self, left: float) -> bool:
        try:
            self._connection = self._connect()
        except StoreError:
            time.sleep(min(left, _PAUSE))
            return False
        return True

    def _connect(self) -> PatientConnection:
        connection = connect(self._address, self._patience)
        try:
            connection.execute(self._listen)
        except psycopg.Error as error:
            connection.close()
            raise translate(error, self._address.location) from error
        return connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
