from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.ports.store import Store
from baton.surfaces.gateway import preview
from tests.contract.platform.kit import load
from tests.contract.platform.perform import leaks
from tests.contract.platform.stage import Stage
from tests.support.handoffs import repository


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_sqlite(str(tmp_path / "store" / "baton.db"))
    yield store
    store.close()


@pytest.fixture
def workspace(isolated: Path) -> Path:
    return repository(isolated)


OnStage = Callable[[str], AbstractAsyncContextManager[Stage]]


@pytest.fixture
def on_stage(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> OnStage:
    """A platform's stage; at the end no rule of the platform was broken and no secret was logged."""
    monkeypatch.setattr(preview, "FIRST_PREVIEW", 0.1)
    monkeypatch.setattr(preview, "NEXT_PREVIEW", 0.1)

    @asynccontextmanager
    async def stage(name: str) -> AsyncIterator[Stage]:
        with caplog.at_level(logging.WARNING, "markdown_it"), caplog.at_level(logging.DEBUG):
            async with load(name)() as found:
                yield found
                assert found.violations() == []
                assert leaks(found, caplog) == []

    return stage
