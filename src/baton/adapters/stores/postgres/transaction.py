"""The statements of one transaction, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from baton.adapters.stores.postgres.address import Address
from baton.adapters.stores.postgres.line import Line
from baton.adapters.stores.sql.database import NOTHING, Parameters, Row
from baton.ports.clock import Clock

_TICKS = b"SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
_NOTIFY = b"SELECT pg_notify(%(channel)s, '')"
_RESERVE = b"SELECT pg_advisory_xact_lock(hashtextextended(%(key)s, 0))"


class PostgresTx:
    __slots__ = ("_address", "_clock", "_line", "_sql", "_topics")

    def __init__(self, line: Line, sql: Mapping[str, bytes], address: Address, clock: Clock | None) -> None:
        self._line = line
        self._sql = sql
        self._address = address
        self._clock = clock
        self._topics: set[str] = set()

    def one(self, name: str, parameters: Parameters = NOTHING) -> Row | None:
        rows = self._line.rows(self._sql[name], parameters)
        return rows[0] if rows else None

    def all(self, name: str, parameters: Parameters = NOTHING) -> list[Row]:
        return self._line.rows(self._sql[name], parameters)

    def stream(self, name: str, parameters: Parameters = NOTHING) -> Iterator[Row]:
        return iter(self.all(name, parameters))

    def run(self, name: str, parameters: Parameters = NOTHING) -> None:
        self._line.send(self._sql[name], parameters)

    def changed(self, name: str, parameters: Parameters = NOTHING) -> int:
        return self._line.count(self._sql[name], parameters)

    def many(self, name: str, rows: Iterable[Parameters]) -> None:
        self._line.send_many(self._sql[name], rows)

    def reserve(self, key: str) -> None:
        self._line.send(_RESERVE, {"key": f"{self._address.schema} {key}"})

    def ticks(self) -> int:
        """The server's clock, unless the store was opened with another one."""
        if self._clock is not None:
            return self._clock.ticks()
        return self._line.rows(_TICKS)[0][0]

    def wake(self, topic: str) -> None:
        """Part of the transaction: the server tells waiters when it commits, and never if it does not."""
        if topic not in self._topics:
            self._topics.add(topic)
            self._line.send(_NOTIFY, {"channel": self._address.channel(topic)})

    def mark(self, entry_id: int, checksum: int) -> None:
        """Not needed: a server that lost its log does not start."""
