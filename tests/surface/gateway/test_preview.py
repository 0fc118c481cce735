"""An answer while it is being written is shown before the answer itself, or not at all."""

from __future__ import annotations

import asyncio

import pytest

from baton.core.errors import StoreUnavailable
from baton.core.transfer import replies
from baton.core.transfer.letter import Letter
from baton.engine.mail.outbox import OutboxWriter
from baton.ports.platform import Outgoing
from baton.ports.store import Store
from baton.surfaces.gateway import preview
from baton.surfaces.gateway.preview import Preview
from baton.testing.platform import FakePlatform
from baton.testing.service import FakeService
from tests.support.patience import PATIENCE
from tests.support.small_gateway import HOME, soon

pytestmark = pytest.mark.anyio
KEY = "u_1/1"


@pytest.fixture(autouse=True)
def soon_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preview, "FIRST_PREVIEW", 0.01)


@pytest.fixture
def outbox(store: Store) -> OutboxWriter:
    return OutboxWriter(store, {"telegram": FakePlatform(FakeService("telegram"))}, lambda text, _: text)


async def test_its_end_says_what_was_shown(store: Store, outbox: OutboxWriter) -> None:
    shown = Preview(store, outbox, HOME, KEY, "")
    shown.add("half of ")
    await soon(lambda: len(store.outbox.list_waiting()) == 1, "the preview")
    assert await shown.end() == replies.preview_key(KEY)
    assert [mail.key for mail in store.outbox.list_waiting()] == [replies.preview_key(KEY)]


async def test_after_the_answer_nothing_is_shown_of_it(store: Store, outbox: OutboxWriter) -> None:
    outbox.put_now(HOME, KEY, Letter("all of it"))
    shown = Preview(store, outbox, HOME, KEY, "")
    shown.add("half of ")
    await asyncio.sleep(0.1)
    assert await shown.end() == ""
    assert [mail.key for mail in store.outbox.list_waiting()] == [replies.first_part(KEY)]


async def test_while_the_store_is_away_nothing_is_shown(
    store: Store, outbox: OutboxWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise StoreUnavailable(path="the store", reason="somebody pulled the plug")

    monkeypatch.setattr(outbox, "put_now", away)
    shown = Preview(store, outbox, HOME, KEY, "")
    shown.add("half of ")
    await asyncio.sleep(0.1)
    assert await shown.end() == ""
    assert store.outbox.list_waiting() == []


async def test_a_change_under_way_arrives_before_the_end(
    store: Store, outbox: OutboxWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cancelled, it may still reach the platform, after the final text and in its place: half an answer for ever."""
    begun, let, done = asyncio.Event(), asyncio.Event(), list[str]()

    async def edit(_: FakePlatform, place: object, receipt: str, message: Outgoing) -> None:
        begun.set()
        await let.wait()
        done.append(message.text)

    async def receipt(_: Preview) -> str:
        return "1"

    monkeypatch.setattr(preview, "NEXT_PREVIEW", 0.01)
    monkeypatch.setattr(FakePlatform, "edit", edit)
    monkeypatch.setattr(Preview, "_receipt", receipt)
    shown = Preview(store, outbox, HOME, KEY, "")
    shown.add("half of ")
    await soon(lambda: len(store.outbox.list_waiting()) == 1, "the preview")
    shown.add("an answer ")
    await asyncio.wait_for(begun.wait(), PATIENCE)
    ended = asyncio.create_task(shown.end())
    await asyncio.sleep(0.05)
    assert not ended.done()
    let.set()
    assert await ended == replies.preview_key(KEY)
    assert done == ["half of an answer ▌"]
