"""Versioned changes of a schema, as files: `NNNN_name.sql`."""

from __future__ import annotations

import os

from baton.core.value import value


@value
class Migration:
    version: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        import hashlib

        return hashlib.sha256(self.sql.encode()).hexdigest()


def read(directory: str) -> list[Migration]:
    """All migrations of a directory, in order."""
    found: list[Migration] = []
    for file_name in sorted(os.listdir(directory)):
        number, _, name = file_name.removesuffix(".sql").partition("_")
        if file_name.endswith(".sql"):
            with open(os.path.join(directory, file_name), encoding="utf-8") as file:
                found.append(Migration(int(number), name, file.read()))
    return found
