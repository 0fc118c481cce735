"""Conversations move between the terminal and places: whole, once, and back."""

from __future__ import annotations

import asyncio

import pytest

from baton.core.agent.message import Call
from baton.core.errors import (
    MissingKey,
    NoGateway,
    NoHome,
    NotConnected,
    SendLater,
    SendRefused,
    TransferActive,
    UnknownTarget,
)
from baton.core.transfer import transfer as rules
from baton.core.transfer.letter import Letter, to_body
from baton.core.transfer.place import Place, parse_place
from baton.core.transfer.replies import preview_key
from baton.core.transfer.transfer import Transfer
from baton.core.value import replace
from baton.engine.transfer import moves
from baton.engine.transfer.journey import NOT_HERE
from baton.ports.platform import Abilities
from baton.ports.store import Store
from baton.surfaces.shared.wording import describe_failure
from baton.testing.model import FakeModel
from baton.testing.platform import ALL
from tests.support.small_gateway import HOME, SmallGateway, soon
from tests.surface.gateway.conftest import Make, echo

pytestmark = pytest.mark.anyio
SAID = ("The code word is kingfisher.", "Never touch migrations.")


async def ended(store: Store, transfer: Transfer) -> Transfer:
    return await soon(lambda: _final(store.transfers.get(transfer.id)), "the end of the transfer")


def _final(transfer: Transfer) -> Transfer | None:
    return transfer if transfer.state not in rules.ACTIVE else None


async def carried(small: SmallGateway, target: str = "telegram") -> tuple[Transfer, Place]:
    conversation = small.terminal(*SAID)
    transfer = small.store.transfers.request(conversation.id, "terminal:local", small.host.target(target))
    transfer = await ended(small.store, transfer)
    assert transfer.state == rules.COMPLETED, transfer.error
    return transfer, parse_place(transfer.notes["bound"]["place"])


async def test_it_arrives_in_a_thread_of_its_own_and_the_first_reply_knows_everything(make: Make) -> None:
    async with make() as small:
        transfer, place = await carried(small)
        assert place.room == HOME.room
        assert small.telegram.titles[place] == "fix the race"
        assert small.telegram.texts(place) == ["I am here. 2 words before."]
        small.telegram.says(place, "and?", direct=False)
        assert (await small.texts(place, 2))[1] == "4: and?"
        prompts = [message.text for message in small.host._model.prompts[-1].messages]  # type: ignore[attr-defined]
        assert prompts[0] == SAID[0]
        conversation = small.store.conversations.get(transfer.conversation_id)
        await soon(lambda: small.store.conversations.get(conversation.id).owner is None, "the end of the turn")
        assert moves.lives_in(small.store, conversation.id) == "telegram"
        assert len(small.store.sessions.of(conversation.id)) == 1


async def test_anybody_who_is_allowed_takes_over_in_the_thread(make: Make) -> None:
    async with make(guests=("telegram:mia",)) as small:
        _, place = await carried(small)
        small.telegram.says(place, "I take over", "telegram:mia", name="Mia", direct=False)
        small.telegram.says(place, "me too", "telegram:stranger", name="Mia", direct=False)
        assert (await small.texts(place, 2))[1] == "4: Mia (telegram:mia) says:\n> I take over"
        assert small.gateway.figures()["dropped"] == 1


async def test_where_there_are_no_threads_the_room_says_for_whom_it_speaks(make: Make) -> None:
    async with make(abilities=Abilities(limit=2000, unit="chars", once="none")) as small:
        small.telegram.says(HOME, "hello")
        await small.texts(HOME)
        before = small.conversation()
        transfer, place = await carried(small)
        assert place == HOME
        texts = small.telegram.texts(HOME)
        assert texts[1:] == ["→ This place now speaks for “fix the race”.", "I am here. 2 words before."]
        assert small.conversation().id == transfer.conversation_id != before.id


async def test_a_target_is_checked_before_anything_changes(make: Make, store: Store) -> None:
    async with make(targets={"work": "slack:C9"}, home={"telegram": "777"}) as small:
        resolve = small.host.target
        assert resolve("Telegram") == "telegram"
        assert resolve("work") == "slack:C9"
        with pytest.raises(NoHome):
            resolve("slack")
        with pytest.raises(NotConnected):
            resolve("signal")
        for text in ("icq", "", "telegram:", "work:x", "x" * 500):
            with pytest.raises(UnknownTarget):
                resolve(text)
    with pytest.raises(NoGateway):
        resolve("telegram")


async def test_a_named_target(make: Make) -> None:
    async with make(targets={"work": "slack:C9"}) as small:
        _, place = await carried(small, "work")
        assert (place.platform, place.room) == ("slack", "C9")


async def test_one_transfer_of_a_conversation_at_a_time(make: Make, store: Store) -> None:
    async with make(FakeModel([[0.5, "I am here."]])) as small:
        conversation = small.terminal(*SAID)
        first = store.transfers.request(conversation.id, "terminal:local", "telegram")
        with pytest.raises(TransferActive):
            store.transfers.request(conversation.id, "terminal:local", "slack")
        assert (await ended(store, first)).state == rules.COMPLETED


async def test_a_model_that_cannot_speak_fails_it_and_the_room_is_as_it_was(make: Make, store: Store) -> None:
    model = FakeModel(
        lambda prompt: echo(prompt) if len(prompt.messages) == 1 else [MissingKey(model="m", variable="K")]
    )
    async with make(model, abilities=Abilities(limit=2000, unit="chars", once="none")) as small:
        small.telegram.says(HOME, "hello")
        await small.texts(HOME)
        before = small.conversation()
        conversation = small.terminal(*SAID)
        transfer = await ended(store, store.transfers.request(conversation.id, "terminal:local", "telegram"))
        assert (transfer.state, transfer.step) == (rules.FAILED, "bound")
        assert "could not speak" in transfer.error
        assert small.conversation().id == before.id
        assert store.bindings.of(conversation.id) == []
        assert moves.lives_in(store, conversation.id) == "terminal"


async def test_a_greeting_nobody_can_deliver_fails_it(make: Make, store: Store) -> None:
    async with make() as small:
        small.telegram.trouble(SendRefused(platform="telegram", reason="the bot was blocked"), 3)
        conversation = small.terminal(*SAID)
        transfer = await ended(store, store.transfers.request(conversation.id, "terminal:local", "telegram"))
        assert (transfer.state, store.bindings.of(conversation.id)) == (rules.FAILED, [])
        assert "the bot was blocked" in transfer.error


async def test_why_a_transfer_failed_is_said_once(make: Make, store: Store) -> None:
    async with make() as small:
        small.telegram.trouble(SendRefused(platform="telegram", reason="the bot was blocked"), 3)
        conversation = small.terminal(*SAID)
        transfer = await ended(store, store.transfers.request(conversation.id, "terminal:local", "telegram"))
        assert describe_failure(transfer).count("transfer failed") == 1
        assert describe_failure(transfer).startswith("The transfer failed: the greeting was not delivered: ")


async def test_a_greeting_whose_move_was_cancelled_says_that_nobody_stands_behind_it(make: Make, store: Store) -> None:
    model = FakeModel([["I am here, and I look around. ", Call("look", "read", {"path": "x"})], [60, "never"]])
    async with make(model) as small:
        conversation = small.terminal(*SAID)
        transfer = store.transfers.request(conversation.id, "terminal:local", "telegram")
        await soon(lambda: store.transfers.get(transfer.id).step == "bound")
        place = parse_place(store.transfers.get(transfer.id).notes["bound"]["place"])
        await soon(lambda: "I am here" in "".join(small.telegram.texts(place)))
        store.transfers.cancel(transfer.id)
        transfer = await ended(store, transfer)
        assert store.bindings.at(place) is None
        told = await soon(lambda: [text for text in small.telegram.texts(place) if "did not move here" in text])
        assert told == [NOT_HERE.format(reason="cancelled")]


async def test_a_slow_place_is_slow_and_not_failed(make: Make, store: Store) -> None:
    async with make() as small:
        small.telegram.trouble(SendLater(platform="telegram", reason="flood", after=1.5), 1)
        conversation = small.terminal(*SAID)
        transfer = store.transfers.request(conversation.id, "terminal:local", "telegram")
        seen = [(each.state, each.step) async for each in moves.observe(store, transfer.id)]
        assert seen[-1] == (rules.COMPLETED, "greeted")
        assert {state for state, _ in seen[:-1]} <= {rules.PENDING, rules.RUNNING}
        place = parse_place(store.transfers.get(transfer.id).notes["bound"]["place"])
        assert small.telegram.texts(place) == ["I am here. 2 words before."]


async def test_a_running_one_can_be_asked_to_stop(make: Make, store: Store) -> None:
    async with make(FakeModel([[60, "never"]])) as small:
        conversation = small.terminal(*SAID)
        transfer = store.transfers.request(conversation.id, "terminal:local", "telegram")
        await soon(lambda: store.transfers.get(transfer.id).step == "bound")
        store.transfers.cancel(transfer.id)
        transfer = await ended(store, transfer)
        assert (transfer.state, transfer.error) == (rules.FAILED, "cancelled")
        assert store.bindings.of(conversation.id) == []
        assert small.telegram.texts(HOME) == []


async def test_from_channel_to_channel_and_back_to_the_terminal(make: Make, store: Store) -> None:
    async with make() as small:
        small.telegram.says(HOME, "hello")
        await small.texts(HOME)
        conversation = small.conversation()
        small.telegram.says(HOME, "/handoff slack")
        await soon(lambda: [each.state for each in store.transfers.of(conversation.id)] == [rules.COMPLETED])
        [moved] = store.transfers.of(conversation.id)
        thread = parse_place(moved.notes["bound"]["place"])
        assert "I am here." in small.services["slack"].texts(thread)[0]
        assert "→ This conversation went to Slack." in await small.texts(HOME, 3)
        assert store.bindings.at(HOME) is None
        small.services["slack"].says(thread, "/handoff terminal", "slack:owner", direct=False)
        await soon(lambda: any("baton resume" in text for text in small.services["slack"].texts(thread)))
        back = await asyncio.to_thread(moves.come_back, store, conversation.id, "terminal:1", 5.0)
        assert back is not None
        assert (back.state, back.platform) == (rules.COMPLETED, "terminal")
        assert await asyncio.to_thread(moves.come_back, store, conversation.id, "terminal:1", 5.0) is None
        await soon(lambda: "→ This conversation went back to the terminal." in small.services["slack"].texts(thread))
        assert [each.platform for each in store.transfers.of(conversation.id)] == ["slack", "terminal"]
        small.services["slack"].says(thread, "still there?", "slack:owner", direct=False)
        assert (await small.texts(thread, 4))[-1] == "3: still there?"


async def test_two_gateways_share_the_work(make: Make, store: Store) -> None:
    async with make() as one, make(services=one.services) as two:
        conversations = [one.terminal(*SAID) for _ in range(12)]
        asked = [store.transfers.request(each.id, "terminal:local", "telegram") for each in conversations]
        done = [await ended(store, each) for each in asked]
        assert {(each.state, each.attempts) for each in done} == {(rules.COMPLETED, 1)}
        texts = [text for place in one.telegram.titles for text in one.telegram.texts(place)]
        assert texts == ["I am here. 2 words before."] * 12
        places = [Place("telegram", str(number)) for number in range(12)]
        for place in places:
            one.telegram.says(place, "hello")
        for place in places:
            assert await one.texts(place) == ["1: hello"]
        figures = [each.gateway.figures() for each in (one, two)]
        assert sum(each["transfers_completed"] for each in figures) == 12


async def test_half_a_greeting_that_was_cut_is_replaced_by_the_whole_one(make: Make, store: Store) -> None:
    small = make(abilities=replace(ALL, threads=False))
    conversation = small.terminal(*SAID)
    transfer = store.transfers.request(conversation.id, "terminal:local", "telegram")
    half = to_body(Letter("I am he ▌", preview=True))
    store.outbox.put(preview_key(f"u_{transfer.id[2:]}/1"), HOME, half, conversation.id)
    async with small:
        await ended(store, transfer)
        assert small.telegram.texts(HOME) == ["I am here. 2 words before."]
