"""SQL kept in files.

queries.sql              named blocks: `-- name: something` up to the semicolon before the next name
migrations/NNNN_name.sql versioned changes of a schema
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from baton.core.value import value

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)
_PARAMETER = re.compile(r"(?<!:):([a-z_][a-z0-9_]*)")


@lru_cache
def sqlite_blocks() -> dict[str, str]:
    return {name: sql.replace("/*lock*/", "") for name, sql in _read_queries().items()}


@lru_cache
def postgres_blocks(*, lock: bool) -> dict[str, str]:
    """With `lock` for transactions that write; the others may not lock rows."""
    return {
        name: to_postgres(sql.replace("/*lock*/", "FOR UPDATE" if lock else ""))
        for name, sql in _read_queries().items()
    }


def to_postgres(sql: str) -> str:
    return _PARAMETER.sub(r"%(\1)s", sql.replace("%", "%%"))


def parse_blocks(text: str) -> dict[str, str]:
    pieces = _NAME.split(text)[1:]
    return {name: sql.strip().rstrip(";") for name, sql in zip(pieces[::2], pieces[1::2], strict=True)}


def _read_queries() -> dict[str, str]:
    with open(os.path.join(os.path.dirname(__file__), "queries.sql"), encoding="utf-8") as file:
        return parse_blocks(file.read())


@value
class Migration:
    version: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        import hashlib

        return hashlib.sha256(self.sql.encode()).hexdigest()


def steps(version: int, pending: list[Migration]) -> list[list[Migration]]:
    """What commits together: a new store is made whole or not at all, an old one goes version by version."""
    return [pending] if not version and pending else [[each] for each in pending]


def read_migrations(directory: str) -> list[Migration]:
    """All migrations of a directory, in order."""
    found: list[Migration] = []
    for file_name in sorted(os.listdir(directory)):
        number, _, name = file_name.removesuffix(".sql").partition("_")
        if file_name.endswith(".sql"):
            with open(os.path.join(directory, file_name), encoding="utf-8") as file:
                found.append(Migration(int(number), name, file.read()))
    return found
