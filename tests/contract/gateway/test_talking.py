"""Every platform through its real adapter: people talk, approve, stop, and send files; strangers are not heard."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.core.transfer.place import PLATFORMS, Place
from baton.ports.store import Store
from tests.contract.gateway.conftest import OnStage
from tests.contract.gateway.scene import LONG, Scene
from tests.contract.platform.kit import squeezed
from tests.contract.platform.stage import Stage
from tests.support.small_gateway import soon

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]


@pytest.mark.parametrize("name", PLATFORMS)
async def test_a_day_of_talking(name: str, on_stage: OnStage, store: Store, workspace: Path) -> None:
    async with on_stage(name) as stage, Scene(stage, store, workspace) as scene:
        await knock(scene)
        await scene.asks("hello", "Heard: hello")
        if scene.abilities.files:
            await a_file_comes(scene, workspace)
        await a_long_answer_is_whole(scene)
        await an_answer_is_shown_while_it_is_written(scene)
        await a_tool_asks_first(scene)
        await what_runs_is_stopped(scene)
        for place in strange_places(stage):
            assert await stage.texts(place) == []
        assert len(store.conversations.page(10).rows) == 1


def strange_places(stage: Stage) -> list[Place]:
    """Where the stranger can write at all."""
    if stage.group is not None:
        return [stage.group]
    return [Place(stage.room.platform, stage.stranger.rpartition(":")[2])]


async def knock(scene: Scene) -> None:
    """Until the stranger was heard of, and dropped: some platforms deliver nothing that was said before they are on."""
    dropped = scene.small.gateway.parts.reception

    async def once() -> bool:
        for place in strange_places(scene.stage):
            await scene.stage.says(place, "let me in", sender=scene.stage.stranger)
        return await _within(lambda: dropped.dropped > 0)

    await soon(once, "the stranger's knock")


async def _within(check, seconds: float = 2.0) -> bool:
    try:
        return await soon(check, seconds=seconds)
    except AssertionError:
        return False


async def a_file_comes(scene: Scene, workspace: Path) -> None:
    await scene.stage.says(scene.stage.room, "look", file=("no tes.txt", b"The tide turns at nine."))
    answer = await scene.sees("[file: ")
    path = answer[answer.index("[file: ") + 7 : answer.index("]")]
    assert path.startswith(".baton/inbox/")
    assert (workspace / path).read_bytes() == b"The tide turns at nine."


async def a_long_answer_is_whole(scene: Scene) -> None:
    before = len(await scene.texts(scene.stage.room))
    await scene.asks("long", "Paragraph 39:")

    async def whole() -> bool:
        return squeezed("".join((await scene.texts(scene.stage.room))[before:])) == squeezed(LONG)

    await soon(whole, "the whole answer")


async def an_answer_is_shown_while_it_is_written(scene: Scene) -> None:
    before = len(await scene.texts(scene.stage.room))
    await scene.stage.says(scene.stage.room, "slowly")
    if scene.abilities.edits:
        await scene.sees("▌")
    scene.model.gate.set()
    await scene.sees("The first half and the second half.")
    assert len(await scene.texts(scene.stage.room)) == before + 1


async def a_tool_asks_first(scene: Scene) -> None:
    room = scene.stage.room
    await scene.asks("deploy", "deploy --now")
    assert scene.deploy.done == 0
    await scene.chooses("yes", room)
    await scene.sees("Deployed.")
    assert scene.deploy.done == 1
    await scene.asks("deploy", "deploy --now")
    await scene.chooses("no", room)
    await scene.sees("Deployed.", times=2)
    assert scene.deploy.done == 1


async def what_runs_is_stopped(scene: Scene) -> None:
    asked = len(scene.model.prompts)
    await scene.stage.says(scene.stage.room, "wait")
    await soon(lambda: len(scene.model.prompts) > asked)
    await scene.asks("!stop", "◆ Stopped.")
    await scene.asks("still there?", "Heard: still there?")
