"""Every platform through its real adapter: who is the owner in each kind of room, and who is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.core.transfer.place import PLATFORMS, Place
from baton.ports.store import Store
from baton.wiring.people import open_directory
from tests.contract.gateway.conftest import OnStage
from tests.contract.gateway.scene import Scene
from tests.contract.gateway.test_talking import knock, strange_places
from tests.contract.platform.stage import Stage
from tests.support.small_gateway import soon

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]
WORDS = ("yes", "always", "start", "hello", "!status", "!new", "!sethome", "AAAA-AAAA")


def chat(stage: Stage) -> Place:
    """Where the owner is alone with us."""
    return getattr(stage, "chat", stage.room)


async def try_everything(scene: Scene, place: Place, sender: str) -> None:
    reception = scene.small.gateway.parts.reception
    before = reception.dropped
    for word in WORDS:
        await scene.stage.says(place, word, sender=sender)
    await soon(lambda: reception.dropped >= before + len(WORDS), f"{sender} in {place.key}")
    assert await scene.texts(place) == []


@pytest.mark.parametrize("name", PLATFORMS)
async def test_a_home_in_the_configuration_stands_for_its_owner_only_where_nobody_else_can_enter(
    name: str, on_stage: OnStage, store: Store, workspace: Path
) -> None:
    async with on_stage(name) as stage:
        home = chat(stage)
        async with Scene(stage, store, workspace, owners=(), home={name: home.room}) as scene:
            await knock(scene)
            if scene.abilities.fixed_chats:
                await scene.asks("hello", "Heard: hello", home)
            else:
                await try_everything(scene, home, stage.owner)
                assert store.conversations.page(10).rows == ()
            for place in strange_places(stage):
                await try_everything(scene, place, stage.stranger)


@pytest.mark.parametrize("name", PLATFORMS)
async def test_a_group_as_home_makes_nobody_in_it_the_owner(
    name: str, on_stage: OnStage, store: Store, workspace: Path
) -> None:
    async with on_stage(name) as stage:
        if stage.group is None:
            pytest.skip(f"{name}: the platform has no groups")
        async with Scene(stage, store, workspace, owners=(), home={name: stage.group.room}) as scene:
            await knock(scene)
            for sender in (stage.owner, stage.stranger):
                await try_everything(scene, stage.group, sender)
            assert store.conversations.page(10).rows == ()


@pytest.mark.parametrize("name", PLATFORMS)
async def test_in_a_group_the_owner_who_is_listed_is_heard_and_nobody_else(
    name: str, on_stage: OnStage, store: Store, workspace: Path
) -> None:
    async with on_stage(name) as stage:
        if stage.group is None:
            pytest.skip(f"{name}: the platform has no groups")
        async with Scene(stage, store, workspace, home={name: stage.group.room}) as scene:
            await knock(scene)
            await try_everything(scene, stage.group, stage.stranger)
            await scene.asks("deploy", "deploy --now", stage.group)
            reception = scene.small.gateway.parts.reception
            before = reception.dropped
            for word in WORDS:
                await stage.says(stage.group, word, sender=stage.stranger)
            await soon(lambda: reception.dropped >= before + len(WORDS))
            assert scene.deploy.done == 0
            await stage.says(stage.group, "yes")
            await soon(lambda: scene.deploy.done == 1)


@pytest.mark.parametrize("name", PLATFORMS)
async def test_a_code_makes_its_sender_the_owner_and_not_the_room(
    name: str, on_stage: OnStage, store: Store, workspace: Path
) -> None:
    async with on_stage(name) as stage, Scene(stage, store, workspace, owners=(), home={}) as scene:
        await knock(scene)
        people = open_directory(store, scene.small.settings)
        if stage.group is not None:
            shown = people.invite(name, "owner")
            await stage.says(stage.group, shown)
            await soon(lambda: people.why_ended(name) == "shown")
        await scene.asks(people.invite(name, "owner"), "you are the owner", chat(stage))
        assert [(each[0], each[1]) for each in people.list()] == [(stage.owner, "owner")]
        assert people.homes() == {name: chat(stage).key}
        await scene.asks("hello", "Heard: hello", chat(stage))
        assert people.forget(stage.owner)
        reception = scene.small.gateway.parts.reception
        before = reception.dropped
        await stage.says(chat(stage), "and now?")
        await soon(lambda: reception.dropped > before)
        assert people.homes() == {}
