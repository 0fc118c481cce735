"""A draft made in a channel is answered in the terminal and the other way round, by processes that share only the
store, and over the death of the gateway. What the conversation outran is not used.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from baton.core.errors import DraftStale
from baton.core.transfer.letter import MARK
from baton.surfaces.words import channel as words
from tests.support.gateway_bed import Gateway, PlatformServer, until
from tests.support.model_servers import OpenAIServer, Reply, Request, say

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(420)]

TOLD = "The code word is kingfisher."
QUESTION = "What is the code word?"


def remembers(request: Request) -> Reply:
    """Knows only what it was sent."""
    said = [str(message.get("content") or "") for message in request.body["messages"]]
    if said[-1].startswith(("one more thing", "start")):
        return say(f"Noted: {said[-1]}")
    if not any(QUESTION in text for text in said[-3:]):
        return say("I remember.")
    word = "kingfisher" if any("kingfisher" in text for text in said) else "unknown to me"
    packets = sum("Between the two marks is the packet" in text for text in said)
    return say(f"It is {word}, from {packets} packets.")


@pytest.fixture
async def server() -> AsyncIterator[PlatformServer]:
    async with PlatformServer("telegram") as server:
        yield server


@pytest.fixture
async def gateway(isolated: Path, tmp_path: Path, server: PlatformServer) -> AsyncIterator[Gateway]:
    """It runs, and its home channel speaks for a conversation."""
    async with (
        OpenAIServer(remembers) as model,
        Gateway(tmp_path / "home" / "baton", isolated, model.environ) as gateway,
    ):
        gateway.configure(server)
        await gateway.start()
        await server.says(server.room, TOLD)
        await server.text_with(server.room, "I remember.")
        yield gateway


async def quiet(gateway: Gateway) -> dict[str, Any]:
    """The conversation, once nobody is at work on it."""

    async def look() -> dict[str, Any] | None:
        (row,) = await gateway.json("sessions", "list")
        shown = await gateway.json("sessions", "show", row["id"])
        return shown if shown["owner"] is None else None

    return await until(look, "the end of the work")


async def killed_and_started(gateway: Gateway) -> None:
    await gateway.kill()
    await gateway.start()


async def asked_there(gateway: Gateway, server: PlatformServer, session_id: str) -> None:
    """The channel goes on in this session, which knows what was said before it."""
    await server.says(server.room, QUESTION)
    await server.text_with(server.room, "It is kingfisher, from 1 packets.")
    shown = await quiet(gateway)
    assert [(each["edge"], each["end_reason"]) for each in shown["sessions"]] == [
        ("root", "handoff"),
        ("handoff", None),
    ]
    assert (shown["head"], shown["drafts"], shown["bindings"]) == (session_id, [], [server.room])
    heard = [entry["session"] for entry in shown["entries"] if entry["body"].get("text") == QUESTION]
    assert heard == [session_id]


async def outrun(gateway: Gateway, server: PlatformServer, draft: str) -> None:
    """Something was said since: neither the terminal nor the channel uses the draft."""
    before = await quiet(gateway)
    await server.says(server.room, f"one more thing about {draft}")
    await server.text_with(server.room, f"Noted: one more thing about {draft}")
    await quiet(gateway)
    await killed_and_started(gateway)
    code, _, err = await gateway.baton("handoff", before["id"], "--confirm", draft)
    assert code == 1
    assert DraftStale(draft=draft, conversation=before["id"]).parts()[0] in err
    after = await quiet(gateway)
    assert (after["head"], len(after["sessions"])) == (before["head"], len(before["sessions"]))


async def test_made_in_a_channel_and_confirmed_in_the_terminal(gateway: Gateway, server: PlatformServer) -> None:
    await server.says(server.room, "/handoff")
    await server.text_with(server.room, "Continue there?")
    shown = await quiet(gateway)
    (draft,) = shown["drafts"]
    await killed_and_started(gateway)
    confirmed = await gateway.json("handoff", shown["id"], "--confirm", draft)
    await asked_there(gateway, server, confirmed["new_session_id"])
    await server.says(server.room, "/handoff")
    await until(lambda: offered_again(server), "the second question")
    (second,) = (await quiet(gateway))["drafts"]
    await outrun(gateway, server, second)
    assert await seen(server, "Continue there?") == 2
    assert (await server.get("violations"))["violations"] == []


async def offered_again(server: PlatformServer) -> bool:
    return await seen(server, "Continue there?") == 2


async def seen(server: PlatformServer, piece: str) -> int:
    """How often, but for what may repeat because the gateway was killed while it was sent."""
    shown = [text for text in await server.texts(server.room) if not text.startswith(MARK)]
    return sum(piece in text for text in shown)


async def test_made_in_the_terminal_and_confirmed_in_a_channel(gateway: Gateway, server: PlatformServer) -> None:
    shown = await quiet(gateway)
    made = await gateway.json("handoff", shown["id"])
    assert made["state"] == "waiting"
    await killed_and_started(gateway)
    await server.says(server.room, "start")
    await server.text_with(server.room, words.STARTED)
    await asked_there(gateway, server, (await quiet(gateway))["head"])
    again = await gateway.json("handoff", shown["id"])
    await outrun(gateway, server, again["draft_id"])
    await server.says(server.room, "start")
    await server.text_with(server.room, "Noted: start")
    assert len((await quiet(gateway))["sessions"]) == 2, "a word that answers nothing is a word"
    assert await seen(server, words.STARTED) == 1
