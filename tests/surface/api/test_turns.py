"""Turns over HTTP: watched or left alone, queued, stopped; and nobody who hangs up stops one."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress

import pytest

from baton.surfaces.api import stream
from baton.surfaces.api.stream import Outlet
from tests.support.api_bed import EVENTS, TOKEN, ApiBed, events_of
from tests.support.small_gateway import soon
from tests.surface.api.conftest import IN_MEMORY, Make

pytestmark = pytest.mark.anyio
STORES = ("memory", "postgres")


async def test_a_turn_is_told_as_it_happens_and_its_end_comes_last(bed: ApiBed) -> None:
    events = [event async for event in bed.turn("/v1/conversations", 201, text="hello")]
    names = [event.name for event in events]
    assert (names[0], names[-1], names.count("turn_ended")) == ("turn_started", "turn_ended", 1)
    assert all(event.data["type"] == event.name for event in events)
    assert "".join(event.data["text"] for event in events if event.name == "text_added") == "1: hello"
    assert events[-1].data["reason"] == "completed"


async def test_a_turn_that_is_not_watched_is_accepted_once_it_is_stored(bed: ApiBed) -> None:
    conversation = await bed.begin()
    told = await bed.post(f"/v1/conversations/{conversation}/turns", 202, text="second")
    head = bed.store.conversations.get(conversation).head_id
    inputs = [entry.data for entry in bed.store.entries.load(head) if entry.kind == "user"]
    assert inputs[-1] == {"text": "second", "turn": told["turn_id"]}
    await _quiet(bed, conversation)


async def test_what_is_said_during_a_turn_waits_and_its_stream_tells_only_its_own_turn(bed: ApiBed) -> None:
    conversation = await bed.begin()
    path = f"/v1/conversations/{conversation}"
    await bed.post(f"{path}/turns", 202, text="think")
    assert (await bed.get(path))["busy"]

    async def second() -> list[str]:
        return [event.name async for event in bed.turn(f"{path}/turns", text="second")]

    waiting = asyncio.create_task(second())
    await soon(lambda: bed.context.serving.readers.count == 1)
    assert await bed.post(f"{path}/stop") == {"stopped": True}
    names = await waiting
    assert (names[0], names[-1], names.count("turn_ended")) == ("turn_started", "turn_ended", 1)
    assert await bed.post(f"{path}/stop") == {"stopped": False}


async def test_a_reader_that_hangs_up_stops_nothing(bed: ApiBed) -> None:
    conversation = await bed.begin()
    path = f"/v1/conversations/{conversation}"
    async with bed.client.stream("POST", f"{path}/turns", json={"text": "deploy"}, headers=EVENTS) as answer:
        async for event in events_of(answer):
            if event.name == "approval_asked":
                break
    await soon(lambda: bed.context.serving.readers.count == 0)
    assert (await bed.get(path))["busy"]
    (asked,) = [each for each in await _approvals(bed) if each["conversation_id"] == conversation]
    await bed.post(f"/v1/approvals/{asked['handle']}", answer="yes")
    await _quiet(bed, conversation)
    head = bed.store.conversations.get(conversation).head_id
    assert [entry.data["text"] for entry in bed.store.entries.load(head) if entry.kind == "assistant"][-1] == "Done."


async def test_a_conversation_that_another_process_holds_is_a_conflict(bed: ApiBed) -> None:
    conversation = await bed.begin()
    proof = bed.store.conversations.claim(conversation, "terminal:1", 30)
    for headers in ({}, EVENTS):
        answer = await bed.client.post(f"/v1/conversations/{conversation}/turns", json={"text": "hi"}, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "owned-elsewhere")
    bed.store.conversations.release(proof)
    assert bed.context.serving.readers.count == 0


@IN_MEMORY
@pytest.mark.parametrize("text", ["", "  \n\t", "a\0b", "x" * 100_001, 1, None, ["a"], "\ud800"])
async def test_only_text_can_be_said(bed: ApiBed, text: object) -> None:
    body = b'{"text": "\\ud800"}' if text == "\ud800" else None
    given = {"content": body, "headers": {"content-type": "application/json"}} if body else {"json": {"text": text}}
    answer = await bed.client.post("/v1/conversations", **given)
    assert answer.status_code == 400, answer.text
    assert "llowed" in str(answer.json()["error"])


async def test_a_gateway_that_stops_begins_nothing_new(make: Make) -> None:
    async with make() as bed:
        conversation = await bed.begin()
        bed.stop.set()
        for path in ("", f"/{conversation}/turns"):
            assert (await bed.post(f"/v1/conversations{path}", 503, text="hi"))["code"] == "gateway-stops"
        assert (await bed.post(f"/v1/conversations/{conversation}/handoffs", 503, kind="fresh"))["code"]
        assert (await bed.get(f"/v1/conversations/{conversation}"))["id"] == conversation


@IN_MEMORY
async def test_a_slow_reader_is_bounded_and_told_so(bed: ApiBed, monkeypatch: pytest.MonkeyPatch) -> None:
    """10 MB of text, read by nobody until the turn is over."""
    conversation = await bed.begin()
    path = f"/v1/conversations/{conversation}/turns"
    async with bed.client.stream("POST", path, json={"text": "talk"}, headers=EVENTS) as answer:
        await _quiet(bed, conversation)
        events = [event.name async for event in events_of(answer)]
    assert events[-1] == "lagged"
    assert events.count("text_added") * 100_000 < 3 * stream.LARGEST


@IN_MEMORY
async def test_a_reader_that_reads_nothing_is_let_go(bed: ApiBed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PATIENCE", 0.05)
    conversation = await bed.begin()
    await soon(lambda: bed.context.serving.readers.count == 0)
    host, port = bed.url.removeprefix("http://").split(":")
    body = b'{"text": "talk"}'
    lines = [f"POST /v1/conversations/{conversation}/turns HTTP/1.1", f"host: {host}", "accept: text/event-stream"]
    lines += [
        "content-type: application/json",
        f"content-length: {len(body)}",
        f"authorization: Bearer {TOKEN}",
        "",
        "",
    ]
    with socket.create_connection((host, int(port))) as silent:
        silent.sendall("\r\n".join(lines).encode() + body)
        silent.setblocking(False)
        assert await soon(lambda: _waiting(silent)) == b"HTTP/1.1 200"
        await soon(lambda: bed.context.serving.readers.count == 0)
    await _quiet(bed, conversation)


def _waiting(silent: socket.socket) -> bytes:
    """How the answer begins. It stays unread: the stream is full, and how long it is open depends on the machine."""
    with suppress(BlockingIOError):
        return silent.recv(12, socket.MSG_PEEK)
    return b""


async def test_an_outlet_takes_no_more_than_it_holds_and_sends_a_sign_of_life() -> None:
    outlet = Outlet(100)
    assert await outlet.next(0.001) == b""
    assert outlet.put("a", "x" * 200)
    assert not outlet.put("b", "y")
    waiting = asyncio.create_task(outlet.room())
    assert await outlet.next(0.001) == b"event: a\ndata: " + b"x" * 200 + b"\n\n"
    await waiting
    assert outlet.put("half", '"\ud800"', "s.1")
    outlet.end("lagged")
    assert await outlet.next(0.001) == b'id: s.1\nevent: half\ndata: "\\ud800"\n\nevent: lagged\ndata: {}\n\n'
    assert await outlet.next(0.001) is None
    assert not outlet.put("c", "z")


@IN_MEMORY
async def test_an_idle_stream_is_kept_alive(bed: ApiBed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT", 0.01)
    conversation = await bed.begin()
    async with bed.client.stream("GET", f"/v1/conversations/{conversation}/events", headers=EVENTS) as answer:
        lines = [line async for line in _first(answer.aiter_lines(), 6)]
    assert lines.count(": alive") >= 2


async def _first(lines, count: int):
    async for line in lines:
        yield line
        count -= 1
        if not count:
            return


async def _approvals(bed: ApiBed) -> list[dict[str, str]]:
    return (await bed.get("/v1/approvals"))["approvals"]


async def _quiet(bed: ApiBed, conversation: str) -> None:
    await soon(lambda: not bed.context.runtime.busy(conversation), "the end of its turns")
