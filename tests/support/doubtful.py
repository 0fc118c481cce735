"""A store that goes away in the middle of a write, which is done or not, and comes back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from baton.core.errors import StoreUnavailable
from baton.ports.store import Store
from tests.support.workers.mortal import Fuse, mortal_store

AWAY = 0.1


class Outage:
    """From its beginning on the store fails for a while, whoever asks."""

    def __init__(self) -> None:
        self._until = 0.0
        self.began = False

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
    return mortal_store(store, Fuse(point, outage.begin)), outage


def away(store: Any, outage: Outage) -> None:
    """The store fails whenever there is an outage."""
    for verb in ("read", "write"):
        _fails(vars(store)["_db"], verb, outage)


def _fails(database: Any, verb: str, outage: Outage) -> None:
    work = getattr(database, verb)

    @contextmanager
    def checked(*given: Any) -> Iterator[Any]:
        outage.check()
        with work(*given) as tx:
            yield tx

    setattr(database, verb, checked)
