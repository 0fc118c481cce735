"""Stores as the first version left them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from baton.adapters.stores.sqlite import migrate
from baton.adapters.stores.sqlite.open import open_sqlite
from baton.testing.clock import FrozenClock
from tests.support.stocked import everything_of_first_version, stock_first_version


def only_first(patch: pytest.MonkeyPatch) -> None:
    """A Baton of the time when there was one version."""
    known = migrate.known_migrations()[:1]
    patch.setattr(migrate, "known_migrations", lambda: known)
    patch.setattr(migrate, "LATEST", 1)
    patch.setattr(migrate.version_of, "__defaults__", (1,))


@pytest.fixture
def first(tmp_path: Path) -> tuple[Path, list[str]]:
    """A store of version 1 with a bit of everything in it, and what it tells."""
    path = tmp_path / "first" / "baton.db"
    with pytest.MonkeyPatch.context() as patch:
        only_first(patch)
        with closing(open_sqlite(str(path), clock=FrozenClock())) as store:
            stock_first_version(store, 12)
            told = everything_of_first_version(store)
    return path, told
