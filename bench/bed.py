"""A test bed: a filled store of one size, open for Baton and for the floor.

On SQLite the floor has a copy of the files, so that neither drops the other's page cache; on PostgreSQL it has its own
rows in the same tables.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from baton.adapters.stores.open import open_store
from baton.ports.store import Store
from bench.corpus import Corpus, fill
from bench.figure import POSTGRES, SQLITE
from bench.floor import BUSY_SECONDS, Raw, RawPostgres, RawSqlite
from bench.plan import MESSAGE_BYTES, Plan, Size
from bench.progress import say
from bench.server import drop_schema, with_schema

FILE = "baton.db"
SHARED_MEMORY = "/dev/shm"


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a store is. `home` is the folder that a command line finds it in; PostgreSQL has none."""

    backend: str
    url: str
    floor_url: str
    home: Path | None = None

    def open(self) -> Store:
        """Another handle, as another process would open it."""
        return open_store(self.url, busy_timeout=BUSY_SECONDS, backup_dir=str(self.home or "."))

    def mirror(self) -> None:
        """Gives the floor what is there now, to write to apart from Baton. The store must be closed."""
        if self.home is not None:
            shutil.copytree(self.home, Path(self.floor_url).parent, dirs_exist_ok=True)

    def raw(self) -> Raw:
        return RawSqlite(self.floor_url) if self.backend == SQLITE else RawPostgres(self.floor_url)


@dataclass(frozen=True)
class Bed:
    """A filled ground. `store` and `raw` are opened when they are first used and closed by `close`."""

    ground: Ground
    corpus: Corpus
    stored_bytes: int

    @property
    def backend(self) -> str:
        return self.ground.backend

    @property
    def size(self) -> Size:
        return self.corpus.size

    @cached_property
    def store(self) -> Store:
        return self.ground.open()

    @cached_property
    def raw(self) -> Raw:
        return self.ground.raw()

    def close(self) -> None:
        for name in ("store", "raw"):
            if name in self.__dict__:
                getattr(self, name).close()


@contextmanager
def sqlite_bed(work: Path, size: Size, plan: Plan, *, index: bool) -> Iterator[Bed]:
    """Filled and closed, so that its files are whole; gone afterwards.

    It is filled in memory where the system offers that, because a hundred thousand transactions need not wait for the
    disk before anything is measured.
    """
    with sqlite_ground(work) as ground:
        say(f"filling SQLite with {size.sessions} sessions, {size.entries} entries")
        with tempfile.TemporaryDirectory(prefix="baton-bench-", dir=_memory(size)) as quick:
            with closing(open_store(f"{quick}/{FILE}", busy_timeout=BUSY_SECONDS, backup_dir=quick)) as store:
                corpus = fill(store, size, index=index, seconds=plan.fill_seconds)
            shutil.copytree(quick, Path(ground.url).parent, dirs_exist_ok=True)
        ground.mirror()
        with closing(Bed(ground, corpus, _bytes_below(Path(ground.url).parent))) as bed:
            yield bed


@contextmanager
def postgres_bed(server: str, size: Size, plan: Plan, *, index: bool) -> Iterator[Bed]:
    """Filled, in a schema of its own that is dropped afterwards."""
    with postgres_ground(server) as ground:
        say(f"filling PostgreSQL with {size.sessions} sessions, {size.entries} entries")
        with closing(ground.open()) as store:
            corpus = fill(store, size, index=index, seconds=plan.fill_seconds)
            stored = store.upkeep.size()
        with closing(Bed(ground, corpus, stored)) as bed:
            yield bed


@contextmanager
def sqlite_ground(work: Path) -> Iterator[Ground]:
    """Two empty places below `work`; gone afterwards."""
    home, floor = work / "home", work / "floor"
    floor.mkdir(parents=True)
    home.mkdir()
    try:
        yield Ground(SQLITE, str(home / FILE), str(floor / FILE), home)
    finally:
        shutil.rmtree(home)
        shutil.rmtree(floor)


@contextmanager
def postgres_ground(server: str) -> Iterator[Ground]:
    url = with_schema(server)
    try:
        yield Ground(POSTGRES, url, url)
    finally:
        drop_schema(url)


def _memory(size: Size) -> str | None:
    """A directory that is kept in memory and has room for three such stores, or None."""
    with suppress(OSError):
        if shutil.disk_usage(SHARED_MEMORY).free > 3 * 3 * size.entries * MESSAGE_BYTES:
            return SHARED_MEMORY
    return None


def _bytes_below(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
