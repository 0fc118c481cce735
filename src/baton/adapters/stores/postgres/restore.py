"""Loading a backup into an empty schema."""

from __future__ import annotations

import json
import zipfile
from typing import Any, cast

import psycopg
from psycopg.sql import SQL, Identifier

from baton.adapters.stores.clock import SystemClock
from baton.adapters.stores.postgres import migrate
from baton.adapters.stores.postgres.address import Address, parse_address
from baton.adapters.stores.postgres.archive import FORM, INDEX_TABLES, MANIFEST
from baton.adapters.stores.postgres.connection import Patience, PatientConnection, connect
from baton.adapters.stores.postgres.errors import translate
from baton.core.errors import AlreadyExists, BadInput, BatonError, StoreTooNew
from baton.core.ids import shown

_ORDER = ("meta", "conversation", "session", "entry", "packet", "draft", "transfer", "binding", "mail", "record")
_SINCE = {"record": 2}
_NUMBERED = ("session", "mail")
_CHUNK = 1 << 20


def restore(url: str, zip_path: str, *, busy_timeout: float = 10.0) -> None:
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
    """Those that a store of this version has, each after what it refers to."""
    return [name for name in _ORDER if _SINCE.get(name, 1) <= version]


def _make(connection: PatientConnection, address: Address, version: int) -> None:
    found = migrate.version_of(connection, address, migrate.LATEST)
    if found not in (0, version):
        raise BadInput(reason=f"The schema {address.schema} has version {found}, the backup {version}. {_HINT}")
    if found == 0:
        wanted = [each for each in migrate.known() if each.version <= version]
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
    return BadInput(reason=f"{shown(path)} is not a whole backup of a PostgreSQL store: {reason}.")


_HINT = "Restore into a new schema: put ?schema=name into the URL."
