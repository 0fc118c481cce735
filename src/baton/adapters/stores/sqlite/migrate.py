"""Versioned migrations: each commits together with its record, after a backup of what was there before. A new store is
made whole or not at all.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator

from baton.adapters.stores.sql import scripts as files
from baton.adapters.stores.sql.scripts import Migration
from baton.core.errors import MigrationFailed, StoreDamaged, StoreTooNew

APPLICATION_ID = 0x42746E31
_DIRECTORY = os.path.join(os.path.dirname(__file__), "migrations")
_RECORD = """
CREATE TABLE IF NOT EXISTS migration (
  version INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL
) STRICT
"""
LATEST = 3


def known_migrations(directory: str = _DIRECTORY) -> list[Migration]:
    """All migrations, in order."""
    return files.read_migrations(directory)


def version_of(connection: sqlite3.Connection, path: str, latest: int = LATEST) -> int:
    """The database's version; `StoreTooNew` or `StoreDamaged` if this Baton must not touch it."""
    version = _user_version(connection)
    if version == 0 and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        version = _user_version(connection)  # another process may have made the tables between the two questions
        if version == 0:
            raise StoreDamaged(path=path, reason="it is a database of another program")
    if version > latest:
        raise StoreTooNew(path=path, found=version, known=latest)
    return version


def _user_version(connection: sqlite3.Connection) -> int:
    return connection.execute("PRAGMA user_version").fetchone()[0]


def migrate(
    connection: sqlite3.Connection,
    path: str,
    migrations: list[Migration],
    now: int,
    backup: Callable[[int], str],
) -> None:
    """Brings the database to the last of `migrations`. The caller has its turn in the writers' queue."""
    version = version_of(connection, path, migrations[-1].version)
    pending = [each for each in migrations if each.version > version]
    saved = backup(version) if version and pending else ""
    for step in files.steps(version, pending):
        try:
            _apply(connection, step, now)
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise MigrationFailed(path=path, version=step[-1].version, reason=error, backup=saved or "-") from error


def _apply(connection: sqlite3.Connection, step: list[Migration], now: int) -> None:
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute(_RECORD)
    for each in step:
        for statement in statements(each.sql):
            connection.execute(statement)
        record = (each.version, each.name, each.sha256, now)
        connection.execute("INSERT INTO migration VALUES (?, ?, ?, ?)", record)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {step[-1].version}")
    connection.execute("COMMIT")


def statements(sql: str) -> Iterator[str]:
    """The statements of a script, one by one, so that they can share a transaction with their record."""
    pending = ""
    for line in sql.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""
    if pending.strip():
        yield pending
