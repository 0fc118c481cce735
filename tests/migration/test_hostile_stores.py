"""A store of 0.1 that somebody changed by hand: it is brought forward with all it holds, or refused with everything as
it was. Nothing else in the directory is touched, and no error is one that people cannot read.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.errors import BatonError
from baton.testing.clock import FrozenClock
from tests.migration.test_sqlite_migrations import rows
from tests.support.stocked import everything_of_first_version

SECRET = "not yours"


def by_sql(*statements: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            for statement in statements:
                connection.execute(statement)

    return change


def by_bytes(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda path: void(path.write_bytes(change(path.read_bytes())))


def void(_: object) -> None:
    """For what a lambda does besides answering."""


def plant(name: str, make: Callable[[Path, Path], None]) -> Callable[[Path], None]:
    """Puts something beside the store, with a file outside that it leads to."""

    def change(path: Path) -> None:
        outside = path.parent.parent / "outside"
        outside.write_text(SECRET)
        make(path.parent / name.format(path.name), outside)

    return change


def link(at: Path, to: Path) -> None:
    if at.is_dir():
        shutil.rmtree(at)
    at.unlink(missing_ok=True)
    at.symlink_to(to)


HARMLESS: dict[str, Callable[[Path], None]] = {
    "a table of somebody else's": by_sql("CREATE TABLE guest (id INTEGER)"),
    "an index of somebody else's": by_sql("CREATE INDEX guest ON entry (at)"),
    "a view of somebody else's": by_sql("CREATE VIEW guest AS SELECT * FROM entry"),
    "another page cache": by_sql("PRAGMA default_cache_size = 1"),
    "a note of its migrations that is gone": by_sql("DROP TABLE migration"),
    "no backups yet": lambda path: void([each.unlink() for each in path.parent.glob("*.backup")]),
    "a write-ahead log that is empty": plant("{}-wal", lambda at, _: void(at.write_bytes(b""))),
    "a shared memory of noise": plant("{}-shm", lambda at, _: void(at.write_bytes(os.urandom(32768)))),
    "statistics": by_sql("ANALYZE"),
    "auto-vacuum": by_sql("PRAGMA auto_vacuum = FULL", "VACUUM"),
}
HOSTILE: dict[str, Callable[[Path], None]] = {
    "its next table exists": by_sql("CREATE TABLE record (key TEXT)"),
    "its next table is a view": by_sql("CREATE VIEW record AS SELECT 1 AS key"),
    "its version is negative": by_sql("PRAGMA user_version = -1"),
    "its version is of the future": by_sql("PRAGMA user_version = 4000000"),
    "its version is none": by_sql("PRAGMA user_version = 0"),
    "it says that it is newer than it is": by_sql("PRAGMA user_version = 2"),
    "its migrations are recorded already": by_sql("INSERT INTO migration VALUES (2, 'record', 'x', 0)"),
    "a table of it is gone": by_sql("DROP TABLE entry"),
    "a column of it is gone": by_sql("ALTER TABLE entry RENAME COLUMN body TO text"),
    "a trigger writes": by_sql("CREATE TRIGGER t AFTER INSERT ON migration BEGIN DELETE FROM entry; END"),
    "a trigger refuses": by_sql("CREATE TRIGGER t BEFORE INSERT ON migration BEGIN SELECT RAISE(ABORT, 'no'); END"),
    "its schema is no SQL": by_sql("UPDATE sqlite_master SET sql = 'CREATE nonsense' WHERE name = 'session'"),
    "its root page is another's": by_sql("UPDATE sqlite_master SET rootpage = 2 WHERE name = 'entry'"),
    "its header is torn": by_bytes(lambda held: b"\xff" * 100 + held[100:]),
    "its end is gone": by_bytes(lambda held: held[: len(held) // 2]),
    "it is empty": by_bytes(lambda _: b""),
    "it is text": by_bytes(lambda _: b"SQLite format 3 is what I am not\n" * 200),
    "a page of it is noise": by_bytes(lambda held: held[:8192] + bytes(4096) + held[12288:]),
    "its log is noise": plant("{}-wal", lambda at, _: void(at.write_bytes(os.urandom(9000)))),
    "its log is a link": plant("{}-wal", link),
    "its backup's place is a link": lambda path: _backup_links(path),
    "its own directory of files is a link": plant("{}.d", link),
    "it is a link": lambda path: _moved(path),
    "its directory cannot be written": lambda path: path.parent.chmod(0o500),
}


def _backup_links(path: Path) -> None:
    outside = path.parent.parent / "outside"
    outside.write_text(SECRET)
    for version in range(4):
        for name in (f"{path.name}.v{version}.backup", f"{path.name}.{version}.backup", f"{path.name}.backup"):
            link(path.parent / name, outside)


def _moved(path: Path) -> None:
    elsewhere = path.parent.parent / "elsewhere.db"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS)
def test_what_does_no_harm_is_brought_forward(first: tuple[Path, list[str]], change: Callable[[Path], None]) -> None:
    path, told = first
    change(path)
    with closing(open_sqlite(str(path), clock=FrozenClock())) as store:
        assert everything_of_first_version(store) == told
    assert rows(path, "PRAGMA user_version") == [(3,)]


@pytest.mark.parametrize("change", HOSTILE.values(), ids=HOSTILE)
def test_what_does_harm_loses_nothing_and_touches_nothing_else(
    first: tuple[Path, list[str]], change: Callable[[Path], None]
) -> None:
    path, told = first
    change(path)
    before = path.read_bytes()
    held, said = _read(path)
    assert held == told or _kept(path, before), "something was lost"
    assert held is not None or said.strip()
    outside = path.parent.parent / "outside"
    assert not outside.exists() or outside.read_text() == SECRET


def _read(path: Path) -> tuple[list[str] | None, str]:
    """All that the store tells, or why it is refused."""
    try:
        with closing(open_sqlite(str(path), clock=FrozenClock())) as store:
            return everything_of_first_version(store), ""
    except BatonError as error:
        return None, str(error)


def _kept(path: Path, before: bytes) -> bool:
    """Whether what was there before is still there, as the store or as its backup."""
    found = [path, *path.parent.glob("*backup*"), *path.parent.glob("*damaged*")]
    contents = [each.read_bytes() for each in found if each.is_file()]
    return before in contents or any(_same_rows(before, each, path) for each in contents)


def _same_rows(before: bytes, after: bytes, path: Path) -> bool:
    counts = [_counts(held, path.with_name("compared.db")) for held in (before, after)]
    return bool(counts[0]) and all(counts[1].get(name, -1) >= count for name, count in counts[0].items())


def _counts(held: bytes, at: Path) -> dict[str, int]:
    """How many rows each table has that can be read."""
    found: dict[str, int] = {}
    with suppress(OSError):
        at.write_bytes(held)
    with suppress(sqlite3.Error), closing(sqlite3.connect(at)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            with suppress(sqlite3.Error):
                found[name] = connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
    with suppress(OSError):
        at.unlink(missing_ok=True)
    return found
