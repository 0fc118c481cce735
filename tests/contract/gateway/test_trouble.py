"""Every platform through its real adapter, in trouble: nothing said is lost, and no secret is kept or shown."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from baton.core.transfer.place import PLATFORMS
from baton.ports.store import Store
from tests.contract.gateway.conftest import OnStage
from tests.contract.gateway.scene import Scene
from tests.contract.platform.kit import secrets
from tests.contract.platform.stage import Stage
from tests.support.small_gateway import soon

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]


def kept(store: Store) -> str:
    """Every row of the store."""
    with closing(sqlite3.connect(store.location)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return "\n".join(str(row) for name in names for row in database.execute(f'SELECT * FROM "{name}"'))


def assert_discreet(stage: Stage, store: Store, *texts: str) -> None:
    for secret in secrets(stage):
        for text in (kept(store), *texts):
            assert secret not in text


@pytest.mark.parametrize("name", PLATFORMS)
async def test_a_bad_day(name: str, on_stage: OnStage, store: Store, workspace: Path) -> None:
    async with on_stage(name) as stage, Scene(stage, store, workspace) as scene:
        await scene.asks("hello", "Heard: hello")
        if "fail" not in stage.lacks:
            await stage.fail(1)
        await scene.asks("one", "Heard: one")
        if "rate" not in stage.lacks:
            await stage.limit(1, 0.2)
        await scene.asks("two", "Heard: two")
        if "crash_retry" not in stage.lacks:
            await stage.swallow(1)
        await scene.asks("three", "Heard: three")
        if "gap" not in stage.lacks:
            await stage.cut()
        await stage.says(stage.room, "four")
        if "gap" not in stage.lacks:
            await stage.restore()
        await scene.sees("Heard: four")
        await scene.asks("everybody", "and @everyone and @here and @room")
        shown = await stage.texts(stage.room)
        at_most = 1 if scene.abilities.once != "none" else 2
        for word in ("hello", "one", "two", "three", "four"):
            assert 1 <= sum(f"Heard: {word}" in text for text in shown) <= at_most
        assert_discreet(stage, store, str(shown), str(scene.small.gateway.states))


@pytest.mark.parametrize("name", PLATFORMS)
async def test_an_account_that_is_not_ours(name: str, on_stage: OnStage, store: Store, workspace: Path) -> None:
    """The gateway lives and says what is wrong, without the secret that was tried."""
    async with on_stage(name) as stage:
        imposter = stage.imposter()
        async with Scene(stage, store, workspace, platform=imposter) as scene:
            state = scene.small.gateway.states[name]
            await soon(lambda: store.register.list("gateway/"), "the gateway's row")
            assert state not in ("connected", "connecting")
            assert_discreet(stage, store, state)
