"""Versioned migrations: each commits together with its record, after a backup of what was there before. A new store is
made whole or not at all.

All of it happens under one advisory lock, so any number of processes may open the store at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import psycopg
from psycopg.sql import SQL, Identifier

from baton.adapters.stores.postgres.address import Address
from baton.adapters.stores.postgres.connection import PatientConnection
from baton.adapters.stores.postgres.errors import translate
from baton.adapters.stores.sql import scripts
from baton.adapters.stores.sql.scripts import Migration
from baton.core.errors import (
    MigrationFailed,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreReadOnly,
    StoreTooNew,
    StoreUnavailable,
)

_DIRECTORY = os.path.join(os.path.dirname(__file__), "migrations")
_RECORD = b"""
CREATE TABLE IF NOT EXISTS migration (
  version bigint PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, applied_at bigint NOT NULL
)
"""
_ADD_RECORD = b"INSERT INTO migration VALUES (%(version)s, %(name)s, %(sha256)s, %(now)s)"
_TABLES = b"""
SELECT c.relname FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
WHERE s.nspname = %(schema)s AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
"""
_LOCK = b"SELECT pg_advisory_lock(hashtextextended(%(key)s, 0))"
_UNLOCK = b"SELECT pg_advisory_unlock(hashtextextended(%(key)s, 0))"
_NOT_ITS_FAULT = (StoreBusy, StoreFull, StoreReadOnly, StoreUnavailable)
LATEST = 3


def known_migrations(directory: str = _DIRECTORY) -> list[Migration]:
    """All migrations, in order."""
    return scripts.read_migrations(directory)


def version_of(connection: PatientConnection, address: Address, latest: int) -> int:
    """The schema's version, 0 if it is missing or empty; `StoreTooNew` or `StoreDamaged` if this Baton must not touch
    it.
    """
    tables = [name for (name,) in connection.execute(_TABLES, {"schema": address.schema})]
    if "migration" not in tables:
        if tables:
            raise StoreDamaged(path=address.location, reason="the schema holds tables of another program")
        return 0
    row = connection.execute(b"SELECT max(version) FROM migration").fetchone()
    version = (row[0] if row else None) or 0
    if version > latest:
        raise StoreTooNew(path=address.location, found=version, known=latest)
    return version


def migrate(
    connection: PatientConnection,
    address: Address,
    pending: list[Migration],
    now: int,
    backup: Callable[[int], str],
) -> None:
    """Brings the schema to the last of `pending`, making it first if it is missing. `backup` is called with the old
    version if there is one, and says where it put it; what it raises stops the migration.
    """
    key = {"key": f"{address.schema} migrate"}
    try:
        connection.execute(_LOCK, key)
        try:
            _catch_up(connection, address, pending, now, backup)
        finally:
            if not connection.closed:
                connection.execute(_UNLOCK, key)
    except psycopg.Error as error:
        raise translate(error, address.location) from error


def _catch_up(
    connection: PatientConnection, address: Address, wanted: list[Migration], now: int, backup: Callable[[int], str]
) -> None:
    version = version_of(connection, address, wanted[-1].version)
    pending = [each for each in wanted if each.version > version]
    saved = backup(version) if version and pending else "-"
    if not version:
        _make_schema(connection, address.schema)
    for step in scripts.steps(version, pending):
        try:
            _apply(connection, step, now)
        except psycopg.Error as error:
            if not connection.closed:
                connection.rollback()
            problem = translate(error, address.location)
            if isinstance(problem, _NOT_ITS_FAULT):
                raise problem from error
            raise MigrationFailed(
                path=address.location, version=step[-1].version, reason=error, backup=saved
            ) from error


def _make_schema(connection: PatientConnection, schema: str) -> None:
    """Made only if it is missing: the user may not be allowed to make schemas and have been given one."""
    if connection.execute(b"SELECT FROM pg_namespace WHERE nspname = %(schema)s", {"schema": schema}).rowcount == 0:
        connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(schema)))


def _apply(connection: PatientConnection, step: list[Migration], now: int) -> None:
    patience, connection.answer_within = connection.answer_within, None
    try:
        connection.execute(b"BEGIN; SET LOCAL statement_timeout = 0")
        connection.execute(_RECORD)
        for each in step:
            connection.execute(each.sql.encode())
            record = {"version": each.version, "name": each.name, "sha256": each.sha256, "now": now}
            connection.execute(_ADD_RECORD, record)
        connection.execute(b"COMMIT")
    finally:
        connection.answer_within = patience
