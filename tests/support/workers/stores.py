"""The stores under test as places that any process can open: a path, or the URL of a PostgreSQL database."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import psycopg
from psycopg.sql import SQL, Identifier

from baton.adapters.stores.postgres.address import parse_address
from baton.adapters.stores.postgres.open import open_postgres
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.ports.clock import Clock
from baton.ports.store import Store
from tests.support.patience import PATIENCE
from tests.support.postgres import drop_schema, fresh_schema

_VERSIONS = "SELECT version FROM {} ORDER BY version"
_WORKING = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"
_NAP = 0.002


def open_at(location: str, clock: Clock | None = None, name: str = "test") -> Store:
    """`name` is how a database that runs by itself knows this process."""
    if not _is_url(location):
        return open_sqlite(location, clock=clock)
    return open_postgres(location.replace("?", f"?application_name={name}&", 1), clock=clock)


@contextmanager
def opened(location: str, clock: Clock | None = None) -> Iterator[Store]:
    store = open_at(location, clock)
    try:
        yield store
    finally:
        store.close()


def await_end(location: str, name: str) -> None:
    """Returns once nothing works on any more in the name of a process that was killed: a server finishes the statement
    it was given, and notices only then that nobody waits for the answer.
    """
    if not _is_url(location):
        return
    end = time.monotonic() + PATIENCE
    with closing(_connect(location)) as connection:
        while connection.execute(_WORKING, (name,)).fetchone() != (0,):
            assert time.monotonic() < end, f"the server still works for {name}"
            time.sleep(_NAP)


def schema_versions(location: str) -> list[int]:
    """The migrations that the database says it has been through."""
    if not _is_url(location):
        with closing(sqlite3.connect(location)) as database:
            return [row[0] for row in database.execute(_VERSIONS.format("migration"))]
    with closing(_connect(location)) as connection:
        table = Identifier(parse_address(location).schema, "migration")
        return [row[0] for row in connection.execute(SQL(_VERSIONS).format(table))]


def _connect(location: str) -> psycopg.Connection:
    return psycopg.connect(**parse_address(location).parameters, autocommit=True)


def _is_url(location: str) -> bool:
    return location.startswith("postgresql://")


@contextmanager
def _sqlite(directory: Path) -> Iterator[str]:
    yield str(directory / "store" / "baton.db")


@contextmanager
def _postgres(_: Path) -> Iterator[str]:
    url = fresh_schema()
    try:
        yield url
    finally:
        drop_schema(url)


LOCATIONS: dict[str, Callable[[Path], AbstractContextManager[str]]] = {"sqlite": _sqlite, "postgres": _postgres}
