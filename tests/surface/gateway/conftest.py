from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.agent.message import Prompt, UserMessage
from baton.ports.store import Store
from baton.testing.model import FakeModel
from tests.support.small_gateway import SmallGateway

ARRIVAL = "This conversation has just moved to"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_sqlite(str(tmp_path / "store" / "baton.db"))
    yield store
    store.close()


def echo(prompt: Prompt) -> list[str]:
    """Says what it was told last, and how many words of people it knows."""
    said = [message.text for message in prompt.messages if isinstance(message, UserMessage)]
    if ARRIVAL in said[-1]:
        return [f"I am here. {len(said) - 1} words before."]
    return [f"{len(said)}: {said[-1]}"]


Make = Callable[..., SmallGateway]


@pytest.fixture
def make(store: Store, isolated: Path) -> Make:
    def small(model: Any = None, **given: Any) -> SmallGateway:
        return SmallGateway(given.pop("store", store), isolated, model or FakeModel(echo), **given)

    return small
