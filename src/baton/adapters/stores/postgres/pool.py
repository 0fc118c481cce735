"""A few connections, kept open between transactions."""

from __future__ import annotations

import threading
import time

from baton.adapters.stores.postgres.address import Address
from baton.adapters.stores.postgres.connection import Patience, PatientConnection, connect
from baton.core.errors import StoreUnavailable

_SPARE = 4
_RETURN = 2.0
_PAUSE = 0.05


class Pool:
    """`take` and `give` may be called by any thread. A connection that was idle may have died meanwhile: whoever took
    it asks for a `fresh` one instead.
    """

    def __init__(self, address: Address, patience: Patience) -> None:
        self.address = address
        self.patience = patience
        self._mutex = threading.Lock()
        self._idle: list[PatientConnection] = []
        self._closed = False

    def take(self) -> tuple[PatientConnection, bool]:
        """A connection, and whether it lay idle."""
        with self._mutex:
            if self._idle:
                return self._idle.pop(), True
        return self.fresh(), False

    def fresh(self) -> PatientConnection:
        """A new connection. A server that was there before may be starting again, so it gets a moment."""
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
