"""A store that goes away in the middle of a write, which is done or not, and comes back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from baton.core.errors import StoreUnavailable
from baton.ports.store import Store
from tests.support.workers.gatewaying import MortalModel
from tests.support.workers.mortal import Fuse, mortal_store

AWAY = 0.1


class Outage:
    """From its beginning on the store fails for a while, whoever asks."""

    def __init__(self) -> None:
        self._until = 0.0
        self.began = False
        self.passed: set[str] = set()

    def begin(self) -> None:
        self.began = True
        self._until = time.monotonic() + AWAY
        self.check()

    @property
    def over(self) -> bool:
        return self.began and time.monotonic() >= self._until

    def check(self) -> None:
        if time.monotonic() < self._until:
            raise StoreUnavailable(path="the store", reason="somebody pulled the plug")


def doubtful(store: Any, point: str) -> tuple[Store, Outage]:
    """A store that goes away when it comes to this point, the write done or not."""
    outage = Outage()
    away(store, outage)
    fuse = Fuse(point, outage.begin)
    outage.passed = fuse.passed
    return mortal_store(store, fuse), outage


class Occupied(MortalModel):
    """At work until the next message waits behind it, so that there is always one that does, or the store went away."""

    def __init__(self, outage: Outage) -> None:
        super().__init__(Fuse(""))
        self._outage = outage

    async def _think(self) -> None:
        while not (self._outage.began or "queued committed" in self._outage.passed):
            await asyncio.sleep(0.002)


def away(store: Any, outage: Outage) -> None:
    """The store fails whenever there is an outage."""
    for verb in ("read", "write"):
        _fails(vars(store)["_db"], verb, outage)


def _fails(database: Any, verb: str, outage: Outage) -> None:
    work = getattr(database, verb)

    @contextmanager
    def checked(*given: Any, **named: Any) -> Iterator[Any]:
        outage.check()
        with work(*given, **named) as tx:
            yield tx

    setattr(database, verb, checked)
