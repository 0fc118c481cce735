"""From every version to the newest: recorded, backed up, undone when it fails, refused when it is newer."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from baton.adapters.stores.sql import migrations as files
from baton.adapters.stores.sql.migrations import Migration
from baton.adapters.stores.sqlite import migrate
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.entry import NewEntry
from baton.core.errors import MigrationFailed, StoreTooNew

SECOND = Migration(2, "shelf", "CREATE TABLE shelf (id INTEGER PRIMARY KEY) STRICT;\nINSERT INTO shelf VALUES (7);")
BROKEN = Migration(2, "broken", "CREATE TABLE shelf (id INTEGER PRIMARY KEY) STRICT;\nINSERT INTO nowhere VALUES (1);")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A store of version 1 with a conversation in it."""
    path = tmp_path / "store" / "baton.db"
    store = open_sqlite(str(path))
    conversation, session = store.conversations.start("kept")
    mine = store.conversations.claim(conversation.id, "test", 60)
    store.entries.append(mine, session.id, [NewEntry("user", {"text": "hello"})])
    store.close()
    return path


def with_migrations(monkeypatch: pytest.MonkeyPatch, *more: Migration) -> None:
    every = [*migrate.known(), *more]
    monkeypatch.setattr(migrate, "known", lambda: every)
    monkeypatch.setattr(migrate, "LATEST", every[-1].version)
    monkeypatch.setattr(migrate.version_of, "__defaults__", (every[-1].version,))


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def test_the_newest_version_is_the_last_file() -> None:
    assert [each.version for each in migrate.known()] == list(range(1, migrate.LATEST + 1))


def test_a_new_store_records_what_made_it(old: Path) -> None:
    (first,) = migrate.known()
    assert rows(old, "SELECT version, name, sha256 FROM migration") == [(1, "initial", first.sha256)]
    assert rows(old, "PRAGMA user_version") == [(1,)]


def test_an_old_store_is_backed_up_and_brought_forward(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_migrations(monkeypatch, SECOND)
    store = open_sqlite(str(old))
    assert store.conversations.find("kept").title == "kept"
    store.close()
    assert rows(old, "SELECT id FROM shelf") == [(7,)]
    assert rows(old, "SELECT version FROM migration ORDER BY version") == [(1,), (2,)]
    (backup,) = old.parent.glob("*.backup")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert rows(backup, "PRAGMA user_version") == [(1,)]
    assert rows(backup, "SELECT count(*) FROM entry") == [(1,)]


def test_a_failing_migration_changes_nothing_and_names_the_backup(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_migrations(monkeypatch, BROKEN)
    with pytest.raises(MigrationFailed) as caught:
        open_sqlite(str(old))
    (backup,) = old.parent.glob("*.backup")
    assert str(backup) in str(caught.value)
    assert "no such table: nowhere" in str(caught.value)
    assert rows(old, "SELECT name FROM sqlite_master WHERE name = 'shelf'") == []
    monkeypatch.undo()
    store = open_sqlite(str(old))
    assert store.conversations.count() == 1
    store.close()


def test_a_newer_store_is_refused_and_left_alone(old: Path) -> None:
    connection = sqlite3.connect(old)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = old.read_bytes()
    with pytest.raises(StoreTooNew) as caught:
        open_sqlite(str(old))
    assert "its version is 99, this Baton knows 1" in str(caught.value)
    assert old.read_bytes() == before


def test_a_released_migration_is_never_edited() -> None:
    """The digest of each released file; a change of the schema is a new file."""
    postgres = files.read(os.path.join(os.path.dirname(files.__file__), "..", "postgres", "migrations"))
    assert [(each.name, each.sha256[:16]) for each in migrate.known()] == [("initial", "900d6abf86d4d6c6")]
    assert [(each.name, each.sha256[:16]) for each in postgres] == [("initial", "11db102bd471a051")]


KILLED = """
import sys
from baton.adapters.stores.sql.migrations import Migration
from baton.adapters.stores.sqlite import migrate
import os, signal
every = [*migrate.known(), Migration(2, "dies", "CREATE TABLE shelf (id INTEGER PRIMARY KEY) STRICT;")]
migrate.known = lambda: every
migrate.LATEST = 2
migrate.version_of.__defaults__ = (2,)
real = migrate.statements
def dying(sql):
    yield from real(sql)
    os.kill(os.getpid(), signal.SIGKILL)
migrate.statements = dying
from baton.adapters.stores.sqlite.open import open_sqlite
open_sqlite(sys.argv[1])
"""


def test_kill_9_inside_a_migration_leaves_the_old_version(old: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(old)], check=False, env={**os.environ})
    assert done.returncode == -signal.SIGKILL
    store = open_sqlite(str(old))
    assert store.conversations.find("kept").title == "kept"
    store.close()
    assert rows(old, "PRAGMA user_version") == [(1,)]
    assert rows(old, "SELECT name FROM sqlite_master WHERE name = 'shelf'") == []
