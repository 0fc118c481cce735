"""A store is closed while other threads work with it: nothing they hold is closed under them."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.stores.open import open_store
from tests.support.patience import PATIENCE


@pytest.fixture
def db(tmp_path: Path) -> Any:
    store: Any = open_store(str(tmp_path / "baton.db"), busy_timeout=10, backup_dir=str(tmp_path))
    return store._db


def test_a_reader_taken_while_the_store_closes_stays_open(db: Any) -> None:
    with db.read(), db.read():
        pass
    first, second = db._readers
    taken: list[sqlite3.Connection] = []

    class Closing:
        def close(self) -> None:
            first.close()
            taken.append(db.take_reader())

    db._readers[:] = [second, Closing()]
    db.close()
    assert taken == [second]
    assert second.execute("SELECT 1").fetchone() == (1,)
    db.give_reader(second)
    with pytest.raises(sqlite3.ProgrammingError):
        second.execute("SELECT 1")


def test_a_write_under_way_is_finished_before_the_store_is_closed(db: Any) -> None:
    closing = threading.Thread(target=db.close)
    with db.write() as tx:
        closing.start()
        closing.join(0.05)
        assert closing.is_alive()
        tx._connection.execute("SELECT 1")
    closing.join(PATIENCE)
    assert not closing.is_alive()
