"""The registry of stores: a URL says which one, and only that one is imported."""

from __future__ import annotations

from baton.ports.clock import Clock
from baton.ports.store import Store

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
