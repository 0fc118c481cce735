from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import psycopg
import pytest

from baton.adapters.stores.postgres.open import open_postgres
from baton.ports.store import Store
from tests.support.postgres import connect, drop_schema, fresh_schema, private_server

Opener = Callable[..., Store]


@pytest.fixture
def url() -> Iterator[str]:
    """A store of its own on the private server, whatever server the other suites use: these tests hurt it."""
    url = fresh_schema(private_server().url)
    yield url
    drop_schema(url)


@pytest.fixture
def opened(url: str) -> Iterator[Opener]:
    """Opens stores that are closed at the end; on `url`, unless another is given."""
    with ExitStack() as stack:

        def open_store(where: str = url, **options: Any) -> Store:
            store = open_postgres(where, **options)
            stack.callback(store.close)
            return store

        yield open_store


@pytest.fixture
def store(opened: Opener) -> Store:
    return opened()


@pytest.fixture
def raw(url: str, store: Store) -> Iterator[psycopg.Connection]:
    """A connection past the store."""
    with connect(url) as connection:
        yield connection


@contextmanager
def holding(raw: psycopg.Connection, query: str, *parameters: Any) -> Iterator[None]:
    """Inside, another transaction has run `query` and not ended; afterwards it commits."""
    with raw.transaction():
        raw.execute(query, parameters)
        yield
