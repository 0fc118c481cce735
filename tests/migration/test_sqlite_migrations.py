"""From every version to the newest: recorded, backed up, undone when it fails, refused when it is newer."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from baton.adapters.stores.sql import scripts as files
from baton.adapters.stores.sql.scripts import Migration
from baton.adapters.stores.sqlite import migrate
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.adapters.stores.sqlite.repair import repair
from baton.core.errors import MigrationFailed, StoreTooNew
from baton.core.log.entry import NewEntry
from baton.testing.clock import FrozenClock
from tests.migration.conftest import only_first
from tests.support.stocked import everything_of_first_version

TABLE = "CREATE TABLE shelf (id INTEGER PRIMARY KEY) STRICT;"
NEXT = Migration(migrate.LATEST + 1, "shelf", f"{TABLE}\nINSERT INTO shelf VALUES (7);")
BROKEN = Migration(migrate.LATEST + 1, "broken", f"{TABLE}\nINSERT INTO nowhere VALUES (1);")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A store with a conversation in it, older than what a test makes known."""
    path = tmp_path / "store" / "baton.db"
    store = open_sqlite(str(path))
    conversation, session = store.conversations.start("kept")
    mine = store.conversations.claim(conversation.id, "test", 60)
    store.entries.append(mine, session.id, [NewEntry("user", {"text": "hello"})])
    store.close()
    return path


def with_migrations(monkeypatch: pytest.MonkeyPatch, *more: Migration) -> None:
    every = [*migrate.known_migrations(), *more]
    monkeypatch.setattr(migrate, "known_migrations", lambda: every)
    monkeypatch.setattr(migrate, "LATEST", every[-1].version)
    monkeypatch.setattr(migrate.version_of, "__defaults__", (every[-1].version,))


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def test_the_newest_version_is_the_last_file() -> None:
    assert [each.version for each in migrate.known_migrations()] == list(range(1, migrate.LATEST + 1))


def test_a_new_store_records_what_made_it(old: Path) -> None:
    made = [(each.version, each.name, each.sha256) for each in migrate.known_migrations()]
    assert rows(old, "SELECT version, name, sha256 FROM migration ORDER BY version") == made
    assert rows(old, "PRAGMA user_version") == [(migrate.LATEST,)]


def test_an_old_store_is_backed_up_and_brought_forward(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_migrations(monkeypatch, NEXT)
    store = open_sqlite(str(old))
    assert store.conversations.find("kept").title == "kept"
    store.close()
    assert rows(old, "SELECT id FROM shelf") == [(7,)]
    assert rows(old, "SELECT version FROM migration ORDER BY version") == [
        (each,) for each in range(1, NEXT.version + 1)
    ]
    (backup,) = old.parent.glob("*.backup")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert rows(backup, "PRAGMA user_version") == [(NEXT.version - 1,)]
    assert rows(backup, "SELECT count(*) FROM entry") == [(1,)]


def test_a_store_of_version_1_keeps_all_it_holds_and_takes_records(first: tuple[Path, list[str]]) -> None:
    path, told = first
    assert rows(path, "PRAGMA user_version") == [(1,)]
    with closing(open_sqlite(str(path), clock=FrozenClock())) as store:
        assert everything_of_first_version(store) == told
        assert store.register.list("") == []
        record = store.register.put("home/telegram", {"place": "telegram:1"}, expected=0)
        assert store.register.list("home/") == [record]
        assert [finding.level for finding in store.upkeep.check()] == ["ok"]
    assert rows(path, "SELECT version, name FROM migration ORDER BY version") == [
        *((1, "initial"), (2, "record"), (3, "entry_kinds"))
    ]
    (backup,) = path.parent.glob("*.backup")
    assert rows(backup, "PRAGMA user_version") == [(1,)]
    assert rows(backup, "SELECT name FROM sqlite_master WHERE name = 'record'") == []


def test_an_older_baton_leaves_a_migrated_store_alone(
    first: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = first
    open_sqlite(str(path)).close()
    only_first(monkeypatch)
    with pytest.raises(StoreTooNew, match="this Baton knows 1"):
        open_sqlite(str(path))


@pytest.mark.parametrize("damage", ["the header", "the schema"])
def test_a_migrated_store_is_repaired_without(first: tuple[Path, list[str]], damage: str) -> None:
    """Its tables are not on the pages where a new store has them."""
    path, told = first
    with closing(open_sqlite(str(path), clock=FrozenClock())) as store:
        kept = [store.register.put(f"allowed/{number}", {"n": number}) for number in range(300)]
    data, length = path.read_bytes(), 100 if damage == "the header" else 4096
    path.write_bytes(b"\xff" * length + data[length:])
    repair(str(path), clock=FrozenClock())
    with closing(open_sqlite(str(path), clock=FrozenClock())) as store:
        assert sorted(everything_of_first_version(store)) == sorted(told)
        assert store.register.list("") == sorted(kept, key=lambda each: each.key)


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


def test_a_new_store_that_cannot_be_finished_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes it may be killed between two versions: the next one finds nothing to save or to bring forward."""
    path = tmp_path / "baton.db"
    with_migrations(monkeypatch, BROKEN)
    with pytest.raises(MigrationFailed, match=f"to version {BROKEN.version} failed"):
        open_sqlite(str(path))
    assert rows(path, "SELECT name FROM sqlite_master") == []
    monkeypatch.undo()
    open_sqlite(str(path)).close()
    assert not list(tmp_path.glob("*.backup"))


def test_a_newer_store_is_refused_and_left_alone(old: Path) -> None:
    connection = sqlite3.connect(old)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = old.read_bytes()
    with pytest.raises(StoreTooNew) as caught:
        open_sqlite(str(old))
    assert f"its version is 99, this Baton knows {migrate.LATEST}" in str(caught.value)
    assert old.read_bytes() == before


def test_a_released_migration_is_never_edited() -> None:
    """The digest of each released file; a change of the schema is a new file."""
    postgres = files.read_migrations(os.path.join(os.path.dirname(files.__file__), "..", "postgres", "migrations"))
    assert [(each.name, each.sha256[:16]) for each in migrate.known_migrations()] == [
        ("initial", "900d6abf86d4d6c6"),
        ("record", "7ed6ea915d594af4"),
        ("entry_kinds", "47f4520218299ab5"),
    ]
    assert [(each.name, each.sha256[:16]) for each in postgres] == [
        ("initial", "11db102bd471a051"),
        ("record", "63c7531a6b01d37a"),
        ("entry_kinds", "47f4520218299ab5"),
    ]


KILLED = """
import sys
from baton.adapters.stores.sql.scripts import Migration
from baton.adapters.stores.sqlite import migrate
import os, signal
shelf = "CREATE TABLE shelf (id INTEGER PRIMARY KEY) STRICT;"
every = [*migrate.known_migrations(), Migration(migrate.LATEST + 1, "dies", shelf)]
migrate.known_migrations = lambda: every
migrate.LATEST += 1
migrate.version_of.__defaults__ = (migrate.LATEST,)
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
    assert rows(old, "PRAGMA user_version") == [(migrate.LATEST,)]
    assert rows(old, "SELECT name FROM sqlite_master WHERE name = 'shelf'") == []
