from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from tests.support.backends import BACKENDS, Backend


@pytest.fixture(params=sorted(BACKENDS))
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    backend = BACKENDS[request.param](tmp_path)
    with backend.stack:
        yield backend


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def store(backend: Backend, clock: FrozenClock) -> Store:
    return backend.open(clock)


@pytest.fixture
def other(backend: Backend, clock: FrozenClock, store: Store) -> Store:
    """Another handle on the data of `store`, as another process would have."""
    return backend.open(clock)
