"""SQL kept in files as named blocks: `-- name: something` up to the semicolon before the next name."""

from __future__ import annotations

import os
import re
from functools import lru_cache

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)
_PARAMETER = re.compile(r"(?<!:):([a-z_][a-z0-9_]*)")


@lru_cache
def sqlite_blocks() -> dict[str, str]:
    return {name: sql.replace("/*lock*/", "") for name, sql in _shared().items()}


@lru_cache
def postgres_blocks(*, lock: bool) -> dict[str, str]:
    """With `lock` for transactions that write; the others may not lock rows."""
    return {name: to_postgres(sql.replace("/*lock*/", "FOR UPDATE" if lock else "")) for name, sql in _shared().items()}


def to_postgres(sql: str) -> str:
    return _PARAMETER.sub(r"%(\1)s", sql.replace("%", "%%"))


def parse(text: str) -> dict[str, str]:
    pieces = _NAME.split(text)[1:]
    return {name: sql.strip().rstrip(";") for name, sql in zip(pieces[::2], pieces[1::2], strict=True)}


def _shared() -> dict[str, str]:
    with open(os.path.join(os.path.dirname(__file__), "queries.sql"), encoding="utf-8") as file:
        return parse(file.read())
