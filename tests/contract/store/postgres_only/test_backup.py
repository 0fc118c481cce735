"""Backups, restoring them, and migrations."""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from baton.adapters.stores.postgres import migrate
from baton.adapters.stores.postgres.backup import restore_backup
from baton.adapters.stores.sql.scripts import Migration
from baton.core.errors import AlreadyExists, BadInput, MigrationFailed, StoreBusy, StoreReadOnly, StoreTooNew
from baton.core.transfer.place import Place
from baton.ports.store import Store
from tests.contract.store.kit import at_once, begin, everything, texts
from tests.contract.store.postgres_only.conftest import Opener, holding
from tests.support.postgres import connect, drop_schema, fresh_schema, private_server

NASTY = 'tab\t newline\n back\\slash \\N \\. \u2028 é 中 \U0001f600 quote\' "double"'


@pytest.fixture
def target() -> Iterator[str]:
    url = fresh_schema(private_server().url)
    yield url
    drop_schema(url)


def filled(store: Store) -> Store:
    work = begin(store, "nasty")
    work.say(NASTY, *map(str, range(300)))
    work.draft()
    work.advance()
    work.say("in the second session")
    store.bindings.bind(Place("slack", "room"), work.id)
    store.transfers.request(work.id, "tui:x", "slack:room")
    store.outbox.put("key", Place("slack", "room"), {"text": NASTY}, work.id)
    store.register.put("home/slack", {"place": NASTY})
    store.search.find("second")
    return store


def test_a_backup_restores_everything(store: Store, opened: Opener, target: str, tmp_path: Path) -> None:
    filled(store)
    store.upkeep.backup(str(tmp_path / "a.zip"))
    restore_backup(target, str(tmp_path / "a.zip"))
    copy = opened(target)
    assert everything(copy) == everything(store)
    assert [hit.snippet for hit in copy.search.find("second")] == ["in the second session"]
    assert copy.upkeep.check() == store.upkeep.check()
    assert copy.outbox.put("another", Place("slack", "room"), {}) is True
    begin(copy).say("new sessions have new numbers")
    copy.close()


def test_a_backup_is_private_and_has_its_name_only_once_it_is_whole(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    filled(store).upkeep.backup(str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert zipfile.ZipFile(path).testzip() is None
    assert os.listdir(tmp_path) == ["a.zip"] or set(os.listdir(tmp_path)) == {"a.zip", "home", "work"}


def test_a_backup_replaces_nothing(store: Store, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_text("precious")
    with pytest.raises(StoreReadOnly):
        store.upkeep.backup(str(tmp_path / "a.zip"))
    assert (tmp_path / "a.zip").read_text() == "precious"
    assert not (tmp_path / "a.zip.partial").exists()


def test_a_backup_is_of_one_moment(store: Store, opened: Opener, target: str, tmp_path: Path) -> None:
    filled(store)
    before = everything(store)
    work = begin(store)

    def save() -> None:
        store.upkeep.backup(str(tmp_path / "a.zip"))

    def write() -> None:
        for number in range(100):
            work.say(str(number))

    assert at_once(save, write) == [None, None]
    restore_backup(target, str(tmp_path / "a.zip"))
    copy = opened(target)
    assert {key: value for key, value in everything(copy).items() if key in before} == before
    if work.id in everything(copy):
        kept = texts(copy.entries.load(work.head.id))
        assert kept == [str(number) for number in range(len(kept))]
    assert all(finding.level == "ok" for finding in copy.upkeep.check())
    copy.close()


def test_a_schema_that_holds_something_is_not_restored_into(store: Store, tmp_path: Path, url: str) -> None:
    filled(store).upkeep.backup(str(tmp_path / "a.zip"))
    before = everything(store)
    with pytest.raises(AlreadyExists):
        restore_backup(url, str(tmp_path / "a.zip"))
    assert everything(store) == before


def test_an_empty_store_may_be_restored_into(store: Store, opened: Opener, target: str, tmp_path: Path) -> None:
    filled(store).upkeep.backup(str(tmp_path / "a.zip"))
    empty = opened(target)
    with pytest.raises(BadInput):
        empty.search.find("")
    empty.search.catch_up()
    restore_backup(target, str(tmp_path / "a.zip"))
    assert everything(empty) == everything(store)
    assert len(empty.search.find("second")) == 1
    empty.close()


@pytest.mark.parametrize("damage", ["not a zip", "empty", "no manifest", "another version", "a table cut", "missing"])
def test_a_file_that_is_not_a_whole_backup_is_refused(store: Store, target: str, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "a.zip"
    filled(store).upkeep.backup(str(path))
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    path.unlink()
    if damage == "no manifest":
        del parts["manifest.json"]
    elif damage == "another version":
        parts["manifest.json"] = parts["manifest.json"].replace(
            f'"version": {migrate.LATEST}'.encode(), b'"version": 99'
        )
    elif damage == "a table cut":
        parts["entry.copy"] = b"".join(parts["entry.copy"].splitlines(keepends=True)[:-1])
    if damage == "not a zip":
        path.write_bytes(b"hello")
    elif damage != "missing":
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in parts.items() if damage != "empty" else ():
                archive.writestr(name, data)
    with pytest.raises((BadInput, StoreTooNew)):
        restore_backup(target, str(path))
    with connect(target) as connection:
        assert connection.execute("SELECT to_regclass('entry')").fetchone() == (None,) or connection.execute(
            "SELECT count(*) FROM entry"
        ).fetchone() == (0,)


def test_a_store_of_a_newer_baton_is_not_opened(opened: Opener, store: Store, raw: psycopg.Connection) -> None:
    future, known = migrate.LATEST + 1, migrate.LATEST
    raw.execute("INSERT INTO migration VALUES (%s, 'future', '', 0)", (future,))
    with pytest.raises(StoreTooNew, match=f"its version is {future}, this Baton knows {known}"):
        opened()


def test_of_many_that_open_at_once_one_makes_the_store(opened: Opener, url: str) -> None:
    outcomes = at_once(*[opened] * 6)
    assert not [each for each in outcomes if isinstance(each, Exception)]
    with connect(url) as connection:
        made = connection.execute("SELECT version, name FROM migration ORDER BY 1").fetchall()
    assert made == [(each.version, each.name) for each in migrate.known_migrations()]


def test_who_waits_too_long_for_a_migration_finds_the_store_busy(opened: Opener, url: str) -> None:
    schema = url.rpartition("schema=")[2]
    with connect(url) as raw, holding(raw, "SELECT pg_advisory_lock(hashtextextended(%s, 0))", f"{schema} migrate"):
        with pytest.raises(StoreBusy):
            opened(busy_timeout=0.2)
        raw.execute("SELECT pg_advisory_unlock_all()")
    opened()


@pytest.fixture
def newer(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[Migration]:
    """A Baton that knows one migration more than the store has."""
    filled(store)
    known = [
        *migrate.known_migrations(),
        Migration(migrate.LATEST + 1, "more", "ALTER TABLE meta ADD COLUMN more text; CREATE TABLE extra (n int)"),
    ]
    monkeypatch.setattr(migrate, "LATEST", known[-1].version)
    monkeypatch.setattr(migrate, "known_migrations", lambda: known)
    return known


def test_an_old_store_is_saved_and_migrated(
    opened: Opener, store: Store, newer: list[Migration], raw: psycopg.Connection, tmp_path: Path, target: str
) -> None:
    before = everything(store)
    assert everything(opened(backup_dir=str(tmp_path / "backups"))) == before
    assert raw.execute("SELECT version, name, sha256 FROM migration ORDER BY 1").fetchall() == [
        (each.version, each.name, each.sha256) for each in newer
    ]
    (saved,) = (tmp_path / "backups").iterdir()
    assert stat.S_IMODE(saved.parent.stat().st_mode) == 0o700
    restore_backup(target, str(saved))
    with connect(target) as connection:
        assert connection.execute("SELECT max(version) FROM migration").fetchone() == (newer[-2].version,)
    copy = opened(target, backup_dir=str(tmp_path / "backups"))
    assert everything(copy) == before
    copy.close()


def test_an_old_store_is_not_migrated_without_a_place_for_its_backup(
    opened: Opener, newer: list[Migration], raw: psycopg.Connection
) -> None:
    with pytest.raises(MigrationFailed, match="saved first"):
        opened()
    assert raw.execute("SELECT max(version) FROM migration").fetchone() == (newer[-2].version,)


def test_a_migration_that_fails_is_undone_and_says_where_the_backup_is(
    opened: Opener, store: Store, newer: list[Migration], raw: psycopg.Connection, tmp_path: Path
) -> None:
    newer[-1] = Migration(
        newer[-1].version, "broken", "ALTER TABLE meta ADD COLUMN more text; ALTER TABLE nothing ADD COLUMN x int"
    )
    before = everything(store)
    with pytest.raises(MigrationFailed) as caught:
        opened(backup_dir=str(tmp_path))
    (saved,) = tmp_path.glob("*.zip")
    assert str(saved) in str(caught.value)
    assert raw.execute("SELECT max(version) FROM migration").fetchone() == (newer[-2].version,)
    assert raw.execute("SELECT count(*) FROM information_schema.columns WHERE column_name = 'more'").fetchone() == (0,)
    assert everything(store) == before
