"""The stores under test as places that any process can open: a path, or the URL of a PostgreSQL database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from importlib.util import find_spec
from pathlib import Path

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.ports.clock import Clock
from baton.ports.store import Store

_POSTGRES = find_spec("tests.support.postgres") is not None


def open_at(location: str, clock: Clock | None = None) -> Store:
    return open_sqlite(location, clock=clock)


def _sqlite(directory: Path) -> AbstractContextManager[str]:
    return nullcontext(str(directory / "store" / "baton.db"))


LOCATIONS: dict[str, Callable[[Path], AbstractContextManager[str]]] = {"sqlite": _sqlite}


def gone(location: str, owner: str) -> None:
    """Returns once nothing of a killed process works on in the database's name."""


def schema_versions(location: str) -> list[int]:
    """The migrations that the database says it has been through."""
    with closing(sqlite3.connect(location)) as connection:
        return [row[0] for row in connection.execute("SELECT version FROM migration ORDER BY version")]
