"""Repairing a store: only SQLite keeps files that Baton itself can mend."""

from __future__ import annotations

from baton.adapters.stores.open import is_postgres
from baton.adapters.stores.sqlite.repair import Repair, repair
from baton.core.errors import BadInput

ASK_THE_SERVER = "PostgreSQL mends its own files: look at the server's log, or restore a backup with its tools."


def repair_store(url: str, busy_timeout: float) -> Repair:
    if is_postgres(url):
        raise BadInput(reason=ASK_THE_SERVER)
    return repair(url, busy_timeout=busy_timeout)
