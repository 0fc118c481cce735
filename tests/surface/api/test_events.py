"""Following a conversation: live events, entries of whoever wrote them, and going on where one was."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from baton.core.log.entry import NewEntry
from tests.support.api_bed import EVENTS, ApiBed, Event, events_of
from tests.support.small_gateway import soon
from tests.surface.api.conftest import IN_MEMORY, Make

pytestmark = pytest.mark.anyio
STORES = ("memory", "postgres")


@asynccontextmanager
async def following(bed: ApiBed, conversation: str, last: str = "") -> AsyncIterator[AsyncIterator[Event]]:
    headers = {**EVENTS, **({"last-event-id": last} if last else {})}
    async with bed.client.stream("GET", f"/v1/conversations/{conversation}/events", headers=headers) as answer:
        assert answer.status_code == 200, await answer.aread()
        yield events_of(answer)


async def until(events: AsyncIterator[Event], text: str) -> list[Event]:
    """Up to the entry that says so."""
    found: list[Event] = []
    async for event in events:
        found.append(event)
        if event.name == "entry" and event.data["body"].get("text") == text:
            return found
    raise AssertionError(f"the stream ended before {text}: {[event.name for event in found]}")


def write(bed: ApiBed, conversation: str, *texts: str) -> None:
    """As another process does it."""
    conversations = bed.store.conversations
    proof = conversations.claim(conversation, "terminal:1", 5)
    head = conversations.get(conversation).head_id
    bed.store.entries.append(proof, head, [NewEntry("user", {"text": text}) for text in texts])
    conversations.release(proof)


async def test_a_turn_is_seen_live_and_as_it_is_stored(bed: ApiBed) -> None:
    conversation = await bed.begin()
    async with following(bed, conversation) as events:
        first = await anext(events)
        assert (first.name, bool(first.position)) == ("", True)
        await bed.post(f"/v1/conversations/{conversation}/turns", 202, text="again")
        seen = await until(events, "2: again")
    live = [event.name for event in seen if event.name != "entry"]
    assert {"turn_started", "text_added"} <= set(live)
    assert [event.data["body"]["text"] for event in seen if event.name == "entry"] == ["again", "2: again"]
    assert all(bool(event.position) == (event.name == "entry") for event in seen)


async def test_entries_of_other_processes_arrive_and_nothing_is_missed_between_two_streams(bed: ApiBed) -> None:
    conversation = await bed.begin()
    async with following(bed, conversation) as events:
        await anext(events)
        write(bed, conversation, "a", "b")
        seen = await until(events, "a")
    write(bed, conversation, "c")
    async with following(bed, conversation, seen[-1].position) as events:
        seen = await until(events, "c")
    assert [event.data["body"]["text"] for event in seen if event.name == "entry"] == ["b", "c"]


async def test_a_reader_follows_the_head_into_the_fresh_session(bed: ApiBed) -> None:
    conversation = await bed.begin("old")
    path = f"/v1/conversations/{conversation}"
    async with following(bed, conversation) as events:
        await anext(events)
        moved = await bed.post(f"{path}/handoffs", 201, kind="fresh")
        await bed.post(f"{path}/turns", 202, text="new")
        seen = await until(events, "new")
    assert "head_advanced" in [event.name for event in seen]
    assert seen[-1].data["session"] == moved["session_id"]


async def test_a_position_of_another_conversation_is_refused(bed: ApiBed) -> None:
    conversation, other = await bed.begin("one"), await bed.begin("two")
    head = bed.store.conversations.get(other).head_id
    for last in (f"{head}.1", "nonsense", "x" * 5000):
        answer = await bed.client.get(f"/v1/conversations/{conversation}/events", headers={"last-event-id": last})
        assert answer.status_code == 400
    assert bed.context.serving.readers.count == 0


@IN_MEMORY
async def test_streams_are_counted_and_limited(bed: ApiBed, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation = await bed.begin()
    await soon(lambda: bed.context.serving.readers.count == 0)
    monkeypatch.setattr(bed.context.serving.readers, "_most", 1)
    async with following(bed, conversation) as events:
        await anext(events)
        answer = await bed.client.get(f"/v1/conversations/{conversation}/events")
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too-many-readers")
    await soon(lambda: bed.context.serving.readers.count == 0)


async def test_a_gateway_that_ends_ends_its_streams(make: Make) -> None:
    async with make() as bed:
        conversation = await bed.begin()
        async with following(bed, conversation) as events:
            await anext(events)
            bed.context.serving.closed.set()
            assert [event async for event in events] == []
