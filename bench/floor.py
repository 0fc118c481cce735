"""The floor: the same reads and writes on the same schema with the same settings, through the bare driver.

No queue, no ownership, no checks, no objects: what is left is what the database itself costs.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Protocol

from bench.server import without_schema

Row = tuple[Any, ...]
Statement = tuple[str, Sequence[Any]]

BUSY_SECONDS = 30.0

ENTRY_ADD = "INSERT INTO entry (id, kind, at, tokens, body, checksum) VALUES (?, ?, ?, ?, ?, ?)"
SESSION_GROW = "UPDATE session SET entries = ?, tokens = tokens + ? WHERE n = ?"
CONVERSATION_TOUCH = "UPDATE conversation SET updated_at = ? WHERE id = ?"
CONVERSATION_HOLD = "UPDATE conversation SET owner = ?, epoch = ?, lease_until = ? WHERE id = ?"
SESSION_NUMBER = "SELECT n, entries FROM session WHERE id = ?"
ENTRY_RANGE = "SELECT id, kind, at, tokens, body, checksum FROM entry WHERE id > ? AND id < ? ORDER BY id"
ENTRY_COUNT = "SELECT count(*) FROM entry WHERE id > ? AND id < ?"
CONVERSATION_PAGE = """
SELECT c.id, c.title, c.workspace, c.head_id, c.version, c.created_at, c.updated_at, c.owner, c.epoch, c.lease_until,
       s.model, s.depth, s.entries, s.tokens
FROM conversation c JOIN session s ON s.id = c.head_id ORDER BY c.updated_at DESC, c.id DESC LIMIT ?
"""
HIT = """
SELECT s.conversation_id, c.title, s.id, e.kind, e.at, e.body
FROM entry e JOIN session s ON s.n = ? JOIN conversation c ON c.id = s.conversation_id WHERE e.id = ?
"""
FTS_MATCH = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?"
TSVECTOR_MATCH = """
SELECT entry_id FROM search_words WHERE words @@ CAST(? AS tsquery) ORDER BY entry_id DESC LIMIT ?
"""
TRANSFER_ADD = """
INSERT INTO transfer (id, conversation_id, origin, target, platform, state, step, journal, cancel_asked, owner, epoch,
                      lease_until, attempts, error, requested_at, updated_at)
VALUES (?, ?, ?, ?, ?, 'pending', 'requested', '{}', 0, NULL, 0, 0, 0, '', ?, ?)
"""
TRANSFER_CLAIM = """
UPDATE transfer SET state = 'running', step = 'claimed', owner = ?, epoch = 1, lease_until = ?, attempts = 1,
       updated_at = ? WHERE id = ?
"""
TRANSFER_END = "UPDATE transfer SET state = 'failed' WHERE id = ?"


class Raw(Protocol):
    """One connection. Statements are written with question marks. `refusals` are what a refused write may raise."""

    refusals: tuple[type[Exception], ...]

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]: ...

    def write(self, *statements: Statement) -> None:
        """In one transaction, on disk when it returns."""
        ...

    def matches(self, word: str, limit: int) -> list[int]:
        """Ids of entries with the word, highest first, from the index that Baton made."""
        ...

    def close(self) -> None: ...


class RawSqlite:
    refusals: tuple[type[Exception], ...] = (sqlite3.Error,)

    def __init__(self, path: str) -> None:
        self._path = path
        self._index: sqlite3.Connection | None = None
        self._db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, cached_statements=200)
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA foreign_keys = ON")
        mode = self._db.execute("PRAGMA journal_mode").fetchone()[0]
        assert mode == "wal", mode

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        return self._db.execute(sql, parameters).fetchall()

    def write(self, *statements: Statement) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        for sql, parameters in statements:
            self._db.execute(sql, parameters)
        self._db.execute("COMMIT")

    def matches(self, word: str, limit: int) -> list[int]:
        if self._index is None:
            self._index = sqlite3.connect(f"{self._path}.d/search.db", isolation_level=None)
        return [row[0] for row in self._index.execute(FTS_MATCH, (f'"{word}"', limit))]

    def close(self) -> None:
        if self._index is not None:
            self._index.close()
        self._db.close()


class RawPostgres:
    def __init__(self, url: str) -> None:
        import psycopg
        from psycopg import sql

        self.refusals: tuple[type[Exception], ...] = (psycopg.Error,)
        plain, schema = without_schema(url)
        self._db = psycopg.connect(plain, autocommit=True)
        self._db.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(schema)))

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        return self._db.execute(_placeholders(sql), parameters).fetchall()

    def write(self, *statements: Statement) -> None:
        self._db.execute("BEGIN")
        for sql, parameters in statements:
            self._db.execute(_placeholders(sql), parameters)
        self._db.execute("COMMIT")

    def matches(self, word: str, limit: int) -> list[int]:
        """Planned for this word, never prepared: a plan for any word would be a bad one for a rare word."""
        found = self._db.execute(_placeholders(TSVECTOR_MATCH), (f"'{word}'", limit), prepare=False)
        return [row[0] for row in found.fetchall()]

    def close(self) -> None:
        self._db.close()


def _placeholders(sql: str) -> Any:
    return sql.replace("?", "%s")
