"""Saving a schema as a file, and filling an empty schema from one.

A backup is one zip with every table as PostgreSQL's own COPY text, taken at one moment:

manifest.json     what it is: form, version of the schema, and for each table its columns and number of rows
<table>.copy      one per table, UTF-8
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

import psycopg
from psycopg.sql import SQL, Identifier

from baton.adapters.stores.clock import SystemClock
from baton.adapters.stores.postgres import migrate
from baton.adapters.stores.postgres.address import Address, parse_address
from baton.adapters.stores.postgres.connection import Patience, PatientConnection, connect
from baton.adapters.stores.postgres.errors import translate
from baton.core.errors import AlreadyExists, BadInput, BatonError, StoreReadOnly, StoreTooNew
from baton.core.ids import quote

FORM = "baton-postgres-backup-1"
MANIFEST = "manifest.json"
INDEX_TABLES = ("search_mark", "search_words")
_ORDER = ("meta", "conversation", "session", "entry", "packet", "draft", "transfer", "binding", "mail", "record")
_SINCE = {"record": 2}
_NUMBERED = ("session", "mail")
_CHUNK = 1 << 20
_BEGIN = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0"
_COLUMNS = b"""
SELECT table_name, array_agg(column_name::text ORDER BY ordinal_position)
FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_schema = %(schema)s AND table_type = 'BASE TABLE' GROUP BY table_name ORDER BY table_name
"""


def save_backup(connection: PatientConnection, address: Address, target: str, now: int) -> None:
    """All tables except the full-text index, as they were at one moment. `target` must not exist; it has its name only
    once it is whole and on disk. Leaves `connection` outside a transaction.
    """
    try:
        with (
            _whole_file(target) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as made,
        ):
            connection.execute(_BEGIN)
            tables = {
                name: {"columns": columns, "rows": _copy(connection, made, name, columns)}
                for name, columns in connection.execute(_COLUMNS, {"schema": address.schema}).fetchall()
                if name not in INDEX_TABLES
            }
            row = connection.execute(b"SELECT max(version) FROM migration").fetchone()
            manifest = {"form": FORM, "version": row[0] if row else 0, "made_at": now, "tables": tables}
            made.writestr(MANIFEST, json.dumps(manifest, indent=1))
            connection.execute(b"COMMIT")
    except OSError as error:
        raise StoreReadOnly(path=target, reason=error.strerror or str(error)) from error
    except psycopg.Error as error:
        raise translate(error, address.location) from error


def _copy(connection: PatientConnection, made: zipfile.ZipFile, table: str, columns: list[str]) -> int:
    query = SQL("COPY {} ({}) TO STDOUT").format(Identifier(table), SQL(", ").join(map(Identifier, columns)))
    with made.open(f"{table}.copy", "w", force_zip64=True) as file, connection.cursor() as cursor:
        with cursor.copy(query) as rows:
            for data in rows:
                file.write(data)
        return cursor.rowcount


@contextmanager
def _whole_file(target: str) -> Generator[BinaryIO]:
    """A new private file that gets its name at the end; `link` refuses to replace one that appeared meanwhile."""
    partial = f"{target}.partial"
    descriptor = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.link(partial, target)
    finally:
        os.unlink(partial)
    directory = os.open(os.path.dirname(target) or ".", os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def restore_backup(url: str, zip_path: str, *, busy_timeout: float = 10.0) -> None:
    """Fills the schema that `url` names with what `Upkeep.backup` wrote, in one transaction.

    A missing schema is made, of the backup's version; one that is there must have that version and hold nothing
    (`AlreadyExists`). `BadInput` if the file is not a whole backup. Whatever is raised, the schema is as it was, or new
    and empty.
    """
    address = parse_address(url)
    try:
        with zipfile.ZipFile(zip_path) as archive, connect(address, Patience(busy_timeout)) as connection:
            manifest = _manifest(archive, zip_path)
            _make(connection, address, manifest["version"])
            _fill(connection, address, archive, manifest)
    except (OSError, zipfile.BadZipFile, KeyError) as error:
        raise _bad(zip_path, str(error)) from error
    except psycopg.Error as error:
        raise translate(error, address.location) from error


def _manifest(archive: zipfile.ZipFile, path: str) -> dict[str, Any]:
    try:
        manifest = cast("dict[str, Any]", json.loads(archive.read(MANIFEST)))
        version, tables = manifest["version"], manifest["tables"]
        whole = manifest["form"] == FORM and isinstance(version, int)
    except (ValueError, TypeError, KeyError) as error:
        raise _bad(path, "it has no readable list of contents") from error
    if not whole:
        raise _bad(path, "it was not made by this Baton")
    if version > migrate.LATEST:
        raise StoreTooNew(path=path, found=version, known=migrate.LATEST)
    if {*tables} != {*_tables(version), "migration"}:
        raise _bad(path, "its tables are not those of a store")
    return manifest


def _tables(version: int) -> list[str]:
    """The tables that a store of this version has, each after those it refers to."""
    return [name for name in _ORDER if _SINCE.get(name, 1) <= version]


def _make(connection: PatientConnection, address: Address, version: int) -> None:
    found = migrate.version_of(connection, address, migrate.LATEST)
    if found not in (0, version):
        raise BadInput(reason=f"The schema {address.schema} has version {found}, the backup {version}. {_HINT}")
    if found == 0:
        wanted = [each for each in migrate.known_migrations() if each.version <= version]
        migrate.migrate(connection, address, wanted, SystemClock().now(), lambda _: "-")


def _fill(connection: PatientConnection, address: Address, archive: zipfile.ZipFile, manifest: dict[str, Any]) -> None:
    tables = _tables(manifest["version"])
    with connection.transaction():
        connection.answer_within = None
        connection.execute(b"SET LOCAL statement_timeout = 0")
        for name in tables:
            connection.execute(SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(Identifier(name)))
        for name in tables:
            if connection.execute(SQL("SELECT FROM {} LIMIT 1").format(Identifier(name))).rowcount:
                raise AlreadyExists(noun="schema", value=address.schema, suggestion=_HINT)
        for name in INDEX_TABLES:
            connection.execute(SQL("DROP TABLE IF EXISTS {}").format(Identifier(name)))
        for name in tables:
            _load(connection, archive, name, manifest["tables"][name])
        connection.execute(b"UPDATE session SET indexed = 0")
        for name in _NUMBERED:
            connection.execute(
                SQL("SELECT setval(pg_get_serial_sequence({}, 'n'), max(n)) FROM {}").format(name, Identifier(name))
            )


def _load(connection: PatientConnection, archive: zipfile.ZipFile, table: str, facts: dict[str, Any]) -> None:
    columns = SQL(", ").join(map(Identifier, facts["columns"]))
    query = SQL("COPY {} ({}) FROM STDIN").format(Identifier(table), columns)
    with archive.open(f"{table}.copy") as file, connection.cursor() as cursor:
        with cursor.copy(query) as rows:
            while data := file.read(_CHUNK):
                rows.write(data)
        if cursor.rowcount != facts["rows"]:
            raise _bad(str(archive.filename), f"table {table} has {cursor.rowcount} of {facts['rows']} rows")


def _bad(path: str, reason: str) -> BatonError:
    return BadInput(reason=f"{quote(path)} is not a whole backup of a PostgreSQL store: {reason}.")


_HINT = "Restore into a new schema: put ?schema=name into the URL."
