"""A message and its answer outlive a power cut: on SQLite, what is on disk when it is acknowledged."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from tests.support.small_gateway import HOME, SmallGateway, quiet, soon
from tests.support.workers.gatewaying import MortalModel, answer
from tests.support.workers.mortal import Fuse, mortal_store

pytestmark = pytest.mark.anyio
NORMAL, FULL = 1, 2


class Levels(Fuse):
    """Notes, just before each commit, whether it will wait for the disk."""

    def __init__(self, store: Any) -> None:
        super().__init__("")
        self._writer = vars(store)["_db"].writer
        self.found: dict[str, set[int]] = {}

    def at(self, point: str) -> None:
        name, _, when = point.partition(" ")
        if when == "uncommitted":
            [level] = self._writer.execute("PRAGMA synchronous").fetchone()
            self.found.setdefault(name, set()).add(level)


async def test_only_who_holds_what_is_not_waited_for(tmp_path: Path) -> None:
    with closing(open_sqlite(str(tmp_path / "baton.db"))) as store:
        levels = Levels(store)
        async with SmallGateway(mortal_store(store, levels), tmp_path, MortalModel(Fuse(""))) as small:
            for number, text in enumerate(("one", "two"), 1):
                small.telegram.says(HOME, text)
                assert (await small.texts(HOME, number))[-1] == answer(text)
            await soon(lambda: quiet(small), "the end")
    synced = {name for name, found in levels.found.items() if found == {FULL}}
    assert synced == {"heard", "start", "bind", "input", "word", "end", "post", "sending", "handled", "settled"}
    assert {name for name, found in levels.found.items() if found == {NORMAL}} == {"taken", "own", "release"}
