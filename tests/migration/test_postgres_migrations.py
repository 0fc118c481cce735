"""From version 1 to the newest, and from its backups."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from baton.adapters.stores.postgres import migrate
from baton.adapters.stores.postgres.backup import restore_backup
from baton.adapters.stores.postgres.open import open_postgres
from baton.adapters.stores.sql.scripts import Migration
from baton.core.errors import MigrationFailed, StoreTooNew
from baton.testing.clock import FrozenClock
from tests.support.postgres import connect, drop_schema, fresh_schema
from tests.support.stocked import everything_of_first_version, stock_first_version


@pytest.fixture
def first() -> Iterator[tuple[str, list[str]]]:
    """A store of version 1 with a bit of everything in it, and what it tells."""
    url = fresh_schema()
    with pytest.MonkeyPatch.context() as patch:
        only_first(patch)
        with closing(open_postgres(url, clock=FrozenClock())) as store:
            stock_first_version(store, 8)
            told = everything_of_first_version(store)
    assert versions(url) == [(1, "initial")]
    yield url, told
    drop_schema(url)


def only_first(patch: pytest.MonkeyPatch) -> None:
    """A Baton of the time when there was one version."""
    known = migrate.known_migrations()[:1]
    patch.setattr(migrate, "known_migrations", lambda: known)
    patch.setattr(migrate, "LATEST", 1)


def versions(url: str) -> list[tuple[int, str]]:
    with connect(url) as connection:
        return connection.execute("SELECT version, name FROM migration ORDER BY 1").fetchall()


def check_forward(url: str, told: list[str], backups: Path) -> None:
    """Opened by this Baton, it holds what it held, and takes records."""
    with closing(open_postgres(url, clock=FrozenClock(), backup_dir=str(backups))) as store:
        assert everything_of_first_version(store) == told
        assert store.register.list("") == []
        record = store.register.put("home/telegram", {"place": "telegram:1"}, expected=0)
        assert store.register.list("home/") == [record]
        assert [finding.level for finding in store.upkeep.check()] == ["ok"]
    assert versions(url) == [(each.version, each.name) for each in migrate.known_migrations()]


def test_a_new_store_that_cannot_be_finished_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes it may be killed between two versions: the next one finds nothing to save or to bring forward."""
    url, known = fresh_schema(), migrate.known_migrations()
    broken = Migration(migrate.LATEST + 1, "broken", "ALTER TABLE nowhere ADD COLUMN x int")
    monkeypatch.setattr(migrate, "known_migrations", lambda: [*known, broken])
    with pytest.raises(MigrationFailed, match=f"to version {broken.version} failed"):
        open_postgres(url)
    monkeypatch.undo()
    with connect(url) as connection:
        assert connection.execute("SELECT to_regclass('migration'), to_regclass('conversation')").fetchone() == (
            None,
            None,
        )
    open_postgres(url).close()
    assert versions(url) == [(each.version, each.name) for each in known]
    drop_schema(url)


def test_the_newest_version_is_the_last_file() -> None:
    assert [each.version for each in migrate.known_migrations()] == list(range(1, migrate.LATEST + 1))


def test_a_store_of_version_1_keeps_all_it_holds_and_takes_records(
    first: tuple[str, list[str]], tmp_path: Path
) -> None:
    check_forward(*first, tmp_path / "backups")


def test_a_backup_of_version_1_is_restored_as_it_was_and_goes_on(first: tuple[str, list[str]], tmp_path: Path) -> None:
    url, told = first
    check_forward(url, told, tmp_path / "backups")
    (backup,) = (tmp_path / "backups").iterdir()
    target = fresh_schema()
    try:
        restore_backup(target, str(backup))
        assert versions(target) == [(1, "initial")]
        check_forward(target, told, tmp_path / "more")
    finally:
        drop_schema(target)


def test_an_older_baton_leaves_a_migrated_store_alone(
    first: tuple[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, _ = first
    open_postgres(url, backup_dir=str(tmp_path)).close()
    only_first(monkeypatch)
    with pytest.raises(StoreTooNew, match="this Baton knows 1"):
        open_postgres(url)
