"""Records: small facts that all processes of a store share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.adapters.stores.sql.database import Database, Tx
from baton.core.text import flaw
from baton.core.transfer import record as rules
from baton.core.transfer.record import KEY_LIMIT, Record
from baton.core.value import asdict

_HIGHEST = "\U0010ffff" * KEY_LIMIT


class SqlRegister:
    def __init__(self, db: Database) -> None:
        self._db = db

    def get(self, key: str) -> Record | None:
        with self._db.glance() as tx:
            return _get(tx, key)

    def put(self, key: str, body: Mapping[str, Any], *, expected: int | None = None) -> Record:
        text = rules.new_body(key, body)
        with self._db.write() as tx:
            tx.reserve(f"record {key}")
            before = _get(tx, key)
            record = rules.write(before, key, text, expected, self._db.clock.now())
            tx.run("record_set" if before else "record_add", asdict(record))
            tx.wake("work")
        return record

    def remove(self, key: str, *, expected: int | None = None) -> bool:
        with self._db.write() as tx:
            record = _get(tx, key)
            if record is None:
                return False
            rules.check_version(record, key, expected)
            tx.run("record_remove", {"key": key})
            tx.wake("work")
        return True

    def list(self, prefix: str) -> list[Record]:
        if flaw(prefix, KEY_LIMIT):
            return []
        with self._db.glance() as tx:
            return [Record(*row) for row in tx.all("record_range", {"low": prefix, "high": prefix + _HIGHEST})]


def _get(tx: Tx, key: str) -> Record | None:
    row = tx.one("record_get", {"key": key}) if not flaw(key, KEY_LIMIT) else None
    return Record(*row) if row else None
