"""A backup: one zip with every table as PostgreSQL's own COPY text, taken at one moment.

manifest.json     what it is: form, version of the schema, and for each table its columns and number of rows
<table>.copy      one per table, UTF-8
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from typing import BinaryIO

import psycopg
from psycopg.sql import SQL, Identifier

from baton.adapters.stores.postgres.address import Address
from baton.adapters.stores.postgres.connection import PatientConnection
from baton.adapters.stores.postgres.errors import translate
from baton.core.errors import StoreReadOnly

FORM = "baton-postgres-backup-1"
MANIFEST = "manifest.json"
INDEX_TABLES = ("search_mark", "search_words")
_BEGIN = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0"
_COLUMNS = b"""
SELECT table_name, array_agg(column_name::text ORDER BY ordinal_position)
FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
WHERE table_schema = %(schema)s AND table_type = 'BASE TABLE' GROUP BY table_name ORDER BY table_name
"""


def save(connection: PatientConnection, address: Address, target: str, now: int) -> None:
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
