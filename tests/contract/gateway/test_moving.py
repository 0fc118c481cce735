"""Every platform through its real adapter: a conversation comes from the terminal, goes on in fresh sessions, survives
a restart, and lets others take part.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.core.handoff.policy import Policy
from baton.core.log import entry as kinds
from baton.core.log.conversation import Conversation
from baton.core.transfer import transfer as rules
from baton.core.transfer.place import PLATFORMS, Place, parse_place
from baton.ports.store import Store
from tests.contract.gateway.conftest import OnStage
from tests.contract.gateway.scene import Scene
from tests.support.small_gateway import soon

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]


@pytest.mark.parametrize("name", PLATFORMS)
async def test_from_the_terminal_and_on(name: str, on_stage: OnStage, store: Store, workspace: Path) -> None:
    async with on_stage(name) as stage:
        async with Scene(stage, store, workspace) as scene:
            conversation, place = await it_comes_from_the_terminal(scene)
            await a_packet_is_read_and_confirmed(scene, conversation, place)
        for text in ("one", "two"):
            await stage.says(place, text)
        unattended = Policy(enabled=True, require_clean_checkpoint=False)
        async with Scene(stage, store, workspace, guests=(stage.stranger,), policy=unattended) as scene:
            await what_was_said_meanwhile_is_answered_once(scene, place)
            await the_policy_goes_on_by_itself(scene, conversation, place)
            await a_guest_takes_part(scene, conversation)
            await soon(lambda: store.conversations.get(conversation.id).owner is None, "nobody's conversation")


async def it_comes_from_the_terminal(scene: Scene) -> tuple[Conversation, Place]:
    store = scene.small.store
    conversation = scene.small.terminal("The code word is kingfisher.")
    target = scene.small.host.target(scene.stage.room.platform)
    transfer = store.transfers.request(conversation.id, "terminal:local", target)
    await soon(lambda: store.transfers.get(transfer.id).state not in rules.ACTIVE, "the transfer")
    transfer = store.transfers.get(transfer.id)
    assert (transfer.state, transfer.error) == (rules.COMPLETED, "")
    place = parse_place(transfer.notes["bound"]["place"])
    assert bool(place.thread) == scene.abilities.threads
    await scene.sees("I am here. The code word is kingfisher.", place)
    await scene.asks("word?", "It is kingfisher.", place)
    return conversation, place


async def a_packet_is_read_and_confirmed(scene: Scene, conversation: Conversation, place: Place) -> None:
    await scene.asks("!handoff", "Continue there?", place)
    if scene.abilities.files:
        [(name, packet)] = await soon(lambda: scene.stage.files(place), "the packet")
        assert name.endswith(".md")
        assert b"kingfisher" in packet
    await scene.chooses("start", place)
    await scene.sees("Continued in a fresh session.", place)
    await scene.asks("and now?", "Heard: and now?", place)
    sessions = scene.small.store.sessions.of(conversation.id)
    assert [session.end_reason for session in sessions] == ["handoff", None]
    [first, *_] = scene.small.entries(conversation)
    assert (first.kind, "kingfisher" in first.body) == (kinds.PACKET, True)


async def what_was_said_meanwhile_is_answered_once(scene: Scene, place: Place) -> None:
    await scene.sees("Heard: one", place)
    await scene.sees("Heard: two", place)
    await scene.asks("three", "Heard: three", place)
    texts = [text for text in await scene.texts(place) if text in ("Heard: one", "Heard: two", "Heard: three")]
    assert texts == ["Heard: one", "Heard: two", "Heard: three"]


async def the_policy_goes_on_by_itself(scene: Scene, conversation: Conversation, place: Place) -> None:
    store = scene.small.store
    await scene.asks("fresh", "The conversation continues in a fresh session.", place)
    await soon(lambda: not scene.small.gateway.parts.runtime.busy(conversation.id), "the end of the turn")
    await scene.asks("four", "Heard: four", place)
    notices = [text for text in await scene.texts(place) if "The conversation continues in a fresh session." in text]
    assert len(notices) == 1
    assert ".baton/handoffs/" in notices[0]
    sessions = store.sessions.of(conversation.id)
    assert [session.end_reason for session in sessions] == ["handoff", "compression_handoff", None]


async def a_guest_takes_part(scene: Scene, conversation: Conversation) -> None:
    stage = scene.stage
    if stage.group is None:
        return
    await stage.says(stage.group, f"!resume {conversation.id}")
    await scene.sees("Resumed: fix the race", stage.group)
    await stage.says(stage.group, "!stop", sender=stage.stranger)
    await stage.says(stage.group, "what is this?", sender=stage.stranger)
    answer = await scene.sees("what is this?", stage.group)
    assert stage.stranger in answer
    assert not any("Nothing is running." in text for text in await scene.texts(stage.group))
