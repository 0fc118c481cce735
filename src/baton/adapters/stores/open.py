"""The registry of stores: a URL says which one to open or repair, and only that one is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.ports.clock import Clock
from baton.ports.store import Store

if TYPE_CHECKING:
    from baton.adapters.stores.sqlite.repair import Repair

ASK_THE_SERVER = "PostgreSQL mends its own files: look at the server's log, or restore a backup with its tools."
_POSTGRES = ("postgresql://", "postgres://")


def is_postgres(url: str) -> bool:
    return url.startswith(_POSTGRES)


def open_store(url: str, *, busy_timeout: float, backup_dir: str, clock: Clock | None = None) -> Store:
    """`url` is `postgresql://…` or the path of a SQLite file."""
    if is_postgres(url):
        from baton.adapters.stores.postgres.open import open_postgres

        return open_postgres(url, busy_timeout=busy_timeout, backup_dir=backup_dir, clock=clock)
    from baton.adapters.stores.sqlite.open import open_sqlite

    return open_sqlite(url, busy_timeout=busy_timeout, clock=clock)


def repair_store(url: str, busy_timeout: float) -> Repair:
    """Only SQLite keeps files that Baton itself can mend; `BadInput` for PostgreSQL."""
    if is_postgres(url):
        from baton.core.errors import BadInput

        raise BadInput(reason=ASK_THE_SERVER)
    from baton.adapters.stores.sqlite.repair import repair

    return repair(url, busy_timeout=busy_timeout)
