"""What a gateway leaves behind, its successor goes on with."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress

import pytest

from baton.core.errors import NotFound
from baton.core.log.entry import NewEntry
from baton.core.transfer import mail as boxes
from baton.core.transfer.letter import Letter, to_body
from baton.core.transfer.mail import Mail
from baton.core.transfer.place import Place
from baton.engine.mail.delivery import now
from baton.ports.store import Store
from baton.testing.model import FakeModel
from baton.testing.platform import FakePlatform
from baton.testing.service import FakeService
from tests.support.small_gateway import HOME, soon
from tests.surface.gateway.conftest import Make
from tests.surface.gateway.test_talking import CALLS, Deploy

pytestmark = pytest.mark.anyio


async def test_a_turn_that_a_stop_cut_goes_on_after_the_restart(make: Make, store: Store) -> None:
    slow = FakeModel([["Half of it", 60, "never"]])
    first = make(slow)
    async with first:
        first.telegram.says(HOME, "work")
        await soon(lambda: slow.prompts)
        first.telegram.says(HOME, "and then this")
        await soon(lambda: len(store.inbox.list_waiting()) == 0 and first.gateway.figures()["handled"] == 2)
    model = FakeModel(lambda prompt: [f"{len(prompt.messages)}: {prompt.messages[-1].text[:30]}"])
    async with make(model, services=first.services) as second:
        await soon(lambda: any("and then this" in text for text in second.telegram.texts(HOME)))
        texts = second.telegram.texts(HOME)
        assert texts[0] == "Half of it"
        assert "Baton was stopped" in texts[1]
        assert texts[2].endswith("and then this")
        assert len(texts) == 3


async def test_half_an_answer_that_a_dead_gateway_showed_does_not_stand_for_ever(make: Make, store: Store) -> None:
    conversation, session = store.conversations.start("cut", "", "fake:model")
    store.bindings.bind(HOME, conversation.id)
    dead = store.conversations.claim(conversation.id, "gateway:dead", 0.05)
    given = {"text": "work", "turn": "u_cut", "place": HOME.key, "inbox": "telegram:1"}
    store.entries.append(dead, session.id, [NewEntry("user", given)])
    half = to_body(Letter("Half of it ▌", preview=True))
    store.outbox.put("u_cut/1/~/0", HOME, half, conversation.id)
    async with make() as small:
        await soon(lambda: len(small.telegram.texts(HOME)) == 2)
        cut, answer = small.telegram.texts(HOME)
        assert "restarted in the middle of this answer" in cut
        assert "Baton was stopped" in answer


async def test_a_question_that_was_open_is_asked_again_and_nothing_is_done_twice(make: Make, store: Store) -> None:
    deploy = Deploy()
    first = make(FakeModel(CALLS), tools=[deploy])
    async with first:
        first.telegram.says(HOME, "deploy it")
        await soon(lambda: first.telegram.messages(HOME)[-1:] and first.telegram.messages(HOME)[-1].buttons)
        before = first.telegram.messages(HOME)[-1].receipt
    async with make(FakeModel(CALLS), tools=[deploy], services=first.services) as second:
        asked = second.telegram.messages
        await soon(lambda: asked(HOME)[-1].buttons and asked(HOME)[-1].receipt != before)
        await soon(lambda: any(text.endswith("◆ No longer open.") for text in second.telegram.texts(HOME)))
        assert [text.endswith("◆ No longer open.") for text in second.telegram.texts(HOME)].count(True) == 1
        assert deploy.done == 0
        question = second.telegram.messages(HOME)[-1]
        second.telegram.presses(HOME, question.receipt, question.buttons[0].choice)
        await soon(lambda: "Done." in second.telegram.texts(HOME))
        assert deploy.done == 1


async def test_a_reply_that_was_stored_and_not_sent_is_sent_once(make: Make, store: Store) -> None:
    first = make()
    async with first:
        first.telegram.says(HOME, "hello")
        await first.texts(HOME)
    conversation = first.conversation()
    [entry] = [each for each in first.entries(conversation) if each.kind == "assistant"]
    key = f"{entry.data['turn']}/{entry.data['step']}/0"
    assert store.outbox.get(key).state == boxes.SENT
    _forget(store, key)
    async with make(services=first.services) as second:
        await soon(lambda: [mail for mail in [_mail(store, key)] if mail and mail.state == boxes.SENT])
        assert second.telegram.texts(HOME) == ["1: hello"], "the platform knows the key"


def _mail(store: Store, key: str) -> Mail | None:
    with suppress(NotFound):
        return store.outbox.get(key)
    return None


def _forget(store: Store, key: str) -> None:
    """As if the process had died between the transcript and the outbox."""
    with closing(sqlite3.connect(store.location)) as database, database:
        assert database.execute("DELETE FROM mail WHERE key = ?", (key,)).rowcount == 1


async def test_old_replies_are_not_replayed_but_counted(make: Make, store: Store) -> None:
    first = make()
    for number in range(3):
        store.outbox.put(f"old/{number}", HOME, {"text": f"old {number}"})
    async with make(services=first.services, recover_within=1.0) as small:
        place = Place("telegram", "8")
        await soon(lambda: now() - store.outbox.get("old/2").created_at > 0)
        await soon(lambda: store.outbox.list_waiting() == [])
        assert place not in dict(small.telegram.sent)


async def test_a_stop_gives_transfers_back(make: Make, store: Store) -> None:
    first = make(FakeModel([[60, "never"]]))
    async with first:
        conversation = first.terminal("hello")
        transfer = store.transfers.request(conversation.id, "terminal:local", "telegram")
        await soon(lambda: store.transfers.get(transfer.id).step == "bound")
    assert store.transfers.get(transfer.id).state == "pending"
    async with make(services=first.services) as second:
        await soon(lambda: store.transfers.get(transfer.id).state == "completed")
        [place] = second.telegram.titles
        [greeting] = second.telegram.texts(place)
        assert greeting.startswith("I am here.")


async def test_what_one_gateway_may_not_send_another_sends(make: Make, store: Store) -> None:
    """The first is not let in; nothing of the platform is taken by it."""
    locked_out = FakePlatform(FakeService("telegram"), token="wrong")
    async with make(platforms={"telegram": locked_out}) as one:
        assert "does not accept" in one.gateway.states["telegram"]
        conversation = one.terminal("hello")
        transfer = store.transfers.request(conversation.id, "terminal:local", "telegram")
        store.outbox.put("k", HOME, {"text": "for whoever can"})
        async with make() as two:
            assert await two.texts(HOME) == ["for whoever can"]
            await soon(lambda: store.transfers.get(transfer.id).state == "completed")
            assert store.transfers.get(transfer.id).attempts == 1
            assert store.outbox.get("k").attempts == 1
