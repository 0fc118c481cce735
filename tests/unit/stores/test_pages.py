"""The reader of damaged databases sees in a whole one exactly what SQLite sees."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.adapters.stores.sqlite.recovery.fields import CHECKS, KEYS
from baton.adapters.stores.sqlite.recovery.pages import Pages
from baton.adapters.stores.sqlite.recovery.salvage import Found
from baton.testing.clock import FrozenClock
from tests.support.stocked import after_a_crash, stock


def rows_by_sqlite(path: Path) -> dict[str, dict[object, dict[str, object]]]:
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        return {
            table: {
                row[KEYS[table]]: {name: row[name] for name in checks}
                for row in connection.execute(f"SELECT * FROM {table}")
            }
            for table, checks in CHECKS.items()
        }


def entries_by_sqlite(path: Path) -> dict[int, tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return {row[0]: row[1:] for row in connection.execute("SELECT id, kind, at, tokens, body, checksum FROM entry")}


def read(path: Path) -> tuple[dict[str, dict[object, dict[str, object]]], dict[int, tuple[object, ...]]]:
    with Pages(str(path)) as pages:
        found = Found(pages)
        found.read()
        entries = {key: _only(found.entry(key)) for key in found.entries}
        return found.rows, {key: tuple(row[name] for name in row if name != "id") for key, row in entries.items()}


def _only(rows: Iterator[dict[str, object]]) -> dict[str, object]:
    (row,) = rows
    return row


@pytest.fixture
def crashed(tmp_path: Path) -> Path:
    """A database of which a part is in the write-ahead log only."""
    path = tmp_path / "store" / "baton.db"
    with closing(open_sqlite(str(path), clock=FrozenClock())) as store:
        stock(store, 12)
        return after_a_crash(path, tmp_path / "crashed")


def test_every_column_of_every_table_is_known_to_the_reader(tmp_path: Path) -> None:
    """A migration that adds one must tell what it can hold, and what rows from before it hold."""
    path = tmp_path / "store" / "baton.db"
    open_sqlite(str(path)).close()
    made_anew = {"conversation": {"title_key", "owner", "lease_until"}, "session": {"indexed"}}
    with closing(sqlite3.connect(path)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        columns = {table: {row[1] for row in connection.execute(f"PRAGMA table_info({table})")} for table in CHECKS}
    assert tables - {"entry", "migration", "sqlite_sequence"} == CHECKS.keys()
    assert columns == {table: CHECKS[table].keys() | made_anew.get(table, set()) for table in CHECKS}


def test_every_row_of_a_closed_database_is_read_as_sqlite_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "store" / "baton.db"
    with closing(open_sqlite(str(path), clock=FrozenClock())) as store:
        stock(store, 12)
    assert read(path) == (rows_by_sqlite(path), entries_by_sqlite(path))


def test_committed_pages_of_the_log_come_before_those_of_the_file(crashed: Path) -> None:
    assert (crashed.parent / "baton.db-wal").stat().st_size > 0
    seen = read(crashed)
    assert seen == (rows_by_sqlite(crashed), entries_by_sqlite(crashed))


@pytest.mark.parametrize("part", [0.1, 0.37, 0.62, 0.93])
def test_of_a_log_that_was_cut_the_same_transactions_count_as_for_sqlite(crashed: Path, part: float) -> None:
    log = crashed.parent / "baton.db-wal"
    with log.open("r+b") as file:
        file.truncate(int(log.stat().st_size * part))
    seen = read(crashed)
    assert seen == (rows_by_sqlite(crashed), entries_by_sqlite(crashed))


def test_a_log_with_a_changed_frame_counts_up_to_the_commit_before_it(crashed: Path) -> None:
    log = crashed.parent / "baton.db-wal"
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 0xFF
    log.write_bytes(data)
    seen = read(crashed)
    assert seen == (rows_by_sqlite(crashed), entries_by_sqlite(crashed))


def test_the_indexes_of_a_whole_database_tell_of_no_other_rows_than_its_tables(crashed: Path) -> None:
    with Pages(str(crashed)) as pages:
        found = Found(pages)
        found.read()
    for table in CHECKS:
        assert found.hints[table].keys() <= found.rows[table].keys()
        for key, facts in found.hints[table].items():
            known = {name: value for name, value in facts.items() if name in CHECKS[table]}
            assert known.items() <= found.rows[table][key].items()


def test_free_pages_are_those_of_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "plain.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.executemany("INSERT INTO t VALUES (?)", [("x" * 3000,) for _ in range(3000)])
        connection.execute("DELETE FROM t WHERE rowid % 1000 > 10")
        connection.commit()
        (count,) = connection.execute("PRAGMA freelist_count").fetchone()
    with Pages(str(path)) as pages:
        assert len(pages.free()) == count > 2000
