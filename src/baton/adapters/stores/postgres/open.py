"""Opening a PostgreSQL store: connect, migrate, and put it together."""

from __future__ import annotations

import os
import time

import psycopg

from baton.adapters.stores.postgres import backup, migrate
from baton.adapters.stores.postgres.address import Address, parse_address
from baton.adapters.stores.postgres.connection import Patience, PatientConnection, connect
from baton.adapters.stores.postgres.database import PostgresDatabase
from baton.adapters.stores.postgres.errors import translate
from baton.adapters.stores.postgres.index import TsvectorIndex
from baton.adapters.stores.sql.store import SqlStore
from baton.core.errors import MigrationFailed, StoreReadOnly
from baton.ports.clock import Clock

_NO_BACKUP = "nowhere: none was made, and nothing was changed"


def open_postgres(
    url: str, *, busy_timeout: float = 10.0, clock: Clock | None = None, backup_dir: str | None = None
) -> SqlStore:
    """The store in the schema that `url` names, made if it is missing and migrated if it is old.

    Before an old one is migrated it is saved as a file in `backup_dir`; without one, `MigrationFailed` is raised and
    nothing is changed. Leases are measured on the server's clock, or on `clock`.
    """
    address = parse_address(url)
    db = PostgresDatabase(address, Patience(busy_timeout), clock)
    connection = connect(address, db.patience)
    try:
        if migrate.version_of(connection, address, migrate.LATEST) != migrate.LATEST:
            saver = _Saver(connection, address, db.clock, backup_dir)
            migrate.migrate(connection, address, migrate.known_migrations(), db.clock.now(), saver.save)
    except psycopg.Error as error:
        connection.close()
        raise translate(error, address.location) from error
    except BaseException:
        connection.close()
        raise
    db.pool.give(connection)
    return SqlStore(db, TsvectorIndex(db))


class _Saver:
    """Saves the store as it is before a migration."""

    def __init__(self, connection: PatientConnection, address: Address, clock: Clock, directory: str | None) -> None:
        self._connection = connection
        self._address = address
        self._clock = clock
        self._directory = directory

    def save(self, version: int) -> str:
        if self._directory is None:
            reason = "it must be saved first, and no directory for that was given"
            raise MigrationFailed(path=self._address.location, version=version + 1, reason=reason, backup=_NO_BACKUP)
        now = self._clock.now()
        stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(now / 1e6))
        target = os.path.join(self._directory, f"{self._address.schema}.v{version}-{stamp}-{os.getpid()}.zip")
        try:
            os.makedirs(self._directory, mode=0o700, exist_ok=True)
        except OSError as error:
            raise StoreReadOnly(path=self._directory, reason=error.strerror or str(error)) from error
        backup.save_backup(self._connection, self._address, target, now)
        return target
