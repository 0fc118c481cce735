"""The stores under test: each can be opened several times on the same data, as several processes would."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.ports.clock import Clock
from baton.ports.store import Store
from baton.testing.memory import MemoryData, MemoryStore

Opener = Callable[[Clock | None], Store]


@dataclass
class Backend:
    """`open()` gives another handle on the same data; all of them are closed at the end of the test."""

    name: str
    opener: Opener
    stack: ExitStack = field(default_factory=ExitStack)

    def open(self, clock: Clock | None = None) -> Store:
        store = self.opener(clock)
        self.stack.callback(store.close)
        return store


def memory_backend(_: Path) -> Backend:
    data = MemoryData()
    return Backend("memory", lambda clock: MemoryStore(clock, data))


def sqlite_backend(directory: Path) -> Backend:
    path = str(directory / "store" / "baton.db")
    return Backend("sqlite", lambda clock: open_sqlite(path, clock=clock))


def postgres_backend(_: Path) -> Backend:
    from baton.adapters.stores.postgres.open import open_postgres
    from tests.support.postgres import drop_schema, fresh_schema

    url = fresh_schema()
    backend = Backend("postgres", lambda clock: open_postgres(url, clock=clock))
    backend.stack.callback(drop_schema, url)
    return backend


BACKENDS: dict[str, Callable[[Path], Backend]] = {
    "memory": memory_backend,
    "postgres": postgres_backend,
    "sqlite": sqlite_backend,
}
