"""The full-text index in a file of its own, so that damage to it can never touch the log.

It holds words only, no text: FTS5 without content. Writes are not synced; whatever is lost is indexed again.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from baton.adapters.stores.sqlite.errors import translate, translate_os_error
from baton.core.errors import StoreDamaged

if TYPE_CHECKING:
    from baton.core.log.search import Term

T = TypeVar("T")
_VERSION = 1
_SCHEMA = (
    "CREATE TABLE mark (session INTEGER PRIMARY KEY, upto INTEGER NOT NULL) STRICT",
    "CREATE VIRTUAL TABLE words USING fts5 (text, content='', columnsize=0, tokenize='ascii')",
    f"PRAGMA user_version = {_VERSION}",
)
_MARK = "INSERT INTO mark VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET upto = excluded.upto"
_FIND = "SELECT rowid FROM words WHERE words MATCH ? AND rowid < ? AND rowid > ? ORDER BY rowid DESC LIMIT ?"
_TOP = 2**62
_PAUSE = 0.002


class FtsIndex:
    def __init__(self, path: str, timeout: float) -> None:
        self._path = path
        self._timeout = timeout
        self._mutex = threading.RLock()
        self._opened: sqlite3.Connection | None = None
        self._identity = (0, 0)

    def fresh(self) -> bool:
        return self.mark(0) > 0

    def mark(self, session: int) -> int:
        row = self._use(lambda db: db.execute("SELECT upto FROM mark WHERE session = ?", (session,)).fetchone())
        return row[0] if row else 0

    def add(self, session: int, after: int, upto: int, rows: list[tuple[int, str]]) -> None:
        def change(db: sqlite3.Connection) -> None:
            db.execute("BEGIN IMMEDIATE")
            if self._read_mark(db, session) == after:
                db.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", rows)
                db.execute(_MARK, (session, upto))
            db.execute("COMMIT")

        self._use(change)

    def remove(self, session: int, rows: list[tuple[int, str]]) -> None:
        def change(db: sqlite3.Connection) -> None:
            db.execute("BEGIN IMMEDIATE")
            if self._read_mark(db, session):
                db.executemany("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", rows)
                db.execute("DELETE FROM mark WHERE session = ?", (session,))
            db.execute("COMMIT")

        self._use(change)

    def find(self, terms: tuple[Term, ...], limit: int, below: int | None, above: int = 0) -> list[int]:
        return self.find_each([terms], limit, _TOP if below is None else below, above)[0]

    def find_each(self, groups: Sequence[tuple[Term, ...]], limit: int, below: int, above: int) -> list[list[int]]:
        queries = [(" AND ".join(map(_phrase, terms)), below, above, limit) for terms in groups]
        return self._use(lambda db: [[row[0] for row in db.execute(_FIND, query)] for query in queries])

    def tidy(self) -> None:
        """It merges what was added by itself, little by little."""

    def drop(self) -> None:
        """Empties it: the file stays, because other processes may have it open."""
        self._use(_begin_anew)

    def _throw_away(self) -> None:
        with self._mutex:
            self.close()
            for suffix in ("", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    os.unlink(self._path + suffix)

    def close(self) -> None:
        with self._mutex:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def _read_mark(self, db: sqlite3.Connection, session: int) -> int:
        row = db.execute("SELECT upto FROM mark WHERE session = ?", (session,)).fetchone()
        return row[0] if row else 0

    def _use(self, act: Callable[[sqlite3.Connection], T]) -> T:
        """A damaged index is thrown away and started over, once; every other error is raised."""
        with self._mutex:
            try:
                return self._try(act)
            except StoreDamaged:
                self._throw_away()
                return self._try(act)

    def _try(self, act: Callable[[sqlite3.Connection], T]) -> T:
        try:
            db = self._open()
            try:
                return act(db)
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise translate(error, self._path) from error
        except OSError as error:
            raise translate_os_error(error, self._path) from error

    def _open(self) -> sqlite3.Connection:
        if self._opened is None or _identity(self._path) != self._identity:
            self.close()
            with suppress(FileExistsError):
                os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            self._identity = _identity(self._path)
            db = sqlite3.connect(self._path, timeout=self._timeout, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(db)
            except sqlite3.Error:
                db.close()
                raise
            self._opened = db
        return self._opened

    def _prepare(self, db: sqlite3.Connection) -> None:
        _use_log(db, self._timeout)
        db.execute("PRAGMA synchronous = OFF")
        if not _is_prepared(db):
            _begin_anew(db, unless=_is_prepared)


def _use_log(db: sqlite3.Connection, timeout: float) -> None:
    """Of several processes that switch a new file over, SQLite refuses all but one immediately, without waiting."""
    end = time.monotonic() + timeout
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(_PAUSE)


def _is_prepared(db: sqlite3.Connection) -> bool:
    return db.execute("PRAGMA user_version").fetchone()[0] == _VERSION


def _begin_anew(db: sqlite3.Connection, unless: Callable[[sqlite3.Connection], bool] = lambda _: False) -> None:
    db.execute("BEGIN IMMEDIATE")
    if not unless(db):
        db.execute("DROP TABLE IF EXISTS mark")
        db.execute("DROP TABLE IF EXISTS words")
        for statement in _SCHEMA:
            db.execute(statement)
    db.execute("COMMIT")


def _identity(path: str) -> tuple[int, int]:
    """Tells the file from another one of the same name."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return 0, 0
    return found.st_dev, found.st_ino


def _phrase(term: Term) -> str:
    return f'"{" ".join(term.words)}"' + ("*" if term.prefix else "")
