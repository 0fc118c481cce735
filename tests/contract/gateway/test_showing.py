"""Every platform through its real adapter: what the agent shows arrives, picture and file, once and as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.core.transfer.place import PLATFORMS
from baton.ports.store import Store
from tests.contract.gateway.conftest import OnStage
from tests.contract.gateway.scene import Scene
from tests.contract.gateway.test_talking import knock
from tests.support.small_gateway import soon

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc000000301010018dd8db0"
    "0000000049454e44ae426082"
)
TABLE = b"day,tide\n1,high\n2,low\n"


@pytest.mark.parametrize("name", PLATFORMS)
async def test_a_picture_and_a_file_arrive_once_and_whole(
    name: str, on_stage: OnStage, store: Store, workspace: Path
) -> None:
    (workspace / "plot.png").write_bytes(PNG)
    (workspace / "table.csv").write_bytes(TABLE)
    async with on_stage(name) as stage, Scene(stage, store, workspace) as scene:
        await knock(scene)
        await scene.asks("show both", "Heard: show both")
        await soon(lambda: not store.outbox.list_waiting(), "all of it to leave")
        assert await stage.files(stage.room) == [("plot.png", PNG), ("table.csv", TABLE)]
        await scene.sees("The curve")
