"""From the terminal to every platform, on real processes: nothing that was said is lost on the way, and a slow place is
slow, not failed.

`BATON_TEST_SLOW=90` lets the model take that many seconds for its first words in the new place.
"""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from baton.core.transfer.place import PLATFORMS
from tests.e2e.gateway.conftest import ARRIVAL, answers
from tests.support.gateway_bed import Gateway, PlatformServer, until
from tests.support.model_servers import OpenAIServer, Reply, Request, Wait, say

SLOW = float(os.environ.get("BATON_TEST_SLOW", "6"))
pytestmark = [pytest.mark.anyio, pytest.mark.timeout(420 + 4 * int(SLOW))]


def slowly(request: Request) -> Reply:
    last = str(request.body["messages"][-1].get("content") or "")
    return say(Wait(SLOW), "I am here. We were talking about the tide.") if ARRIVAL in last else answers(request)


async def test_every_platform_gets_the_whole_conversation_and_answers_from_it(isolated: Path, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        model = await stack.enter_async_context(OpenAIServer(slowly))
        entered = [stack.enter_async_context(PlatformServer(name)) for name in PLATFORMS]
        servers = await asyncio.gather(*entered)
        gateway = await stack.enter_async_context(Gateway(tmp_path / "home" / "baton", isolated, model.environ))
        for server in servers:
            gateway.configure(server)
        await gateway.start()
        await asyncio.gather(*(moved(gateway, server) for server in servers))
        listed = await gateway.json("transfers", "list")
        assert sorted((row["platform"], row["state"], row["attempts"]) for row in listed) == [
            (name, "completed", 1) for name in sorted(PLATFORMS)
        ]
        assert await gateway.stop() == 0


async def is_free(gateway: Gateway, conversation: str) -> bool:
    """The answer is delivered before the turn that wrote it has let go."""
    return (await gateway.json("sessions", "show", conversation))["owner"] is None


async def moved(gateway: Gateway, server: PlatformServer) -> None:
    """A1, A2 and A3: the terminal leaves early, is told the truth, and the first reply there knows everything."""
    code, _, err = await gateway.baton("run", f"The code word is kingfisher. This is for {server.name}.")
    assert code == 0, err
    conversation = err.split()[1]
    code, out, err = await gateway.baton("handoff", conversation, "--to", server.name, "--wait", "1", "--json")
    told = json.loads(out)
    assert (code, told["state"]) == (3, "running"), err
    row = await until(lambda: ended(gateway, told["transfer_id"]), f"the transfer to {server.name}", 120 + SLOW)
    assert (row["state"], row["error"]) == ("completed", "")
    place = row["place"]
    assert [text for text in await server.texts(place) if "I am here." in text] == [
        "I am here. We were talking about the tide."
    ]
    await server.says(place, "What is the code word?")
    assert await server.text_with(place, "The code word is kingfisher.")
    await until(lambda: is_free(gateway, conversation), "the conversation to be free after its answer")
    shown = await gateway.json("sessions", "show", conversation)
    assert len(shown["sessions"]) == 1
    violations = (await server.get("violations"))["violations"]
    assert violations == []


async def ended(gateway: Gateway, transfer_id: str) -> dict[str, Any] | None:
    row = await gateway.json("transfers", "show", transfer_id)
    return row if row["state"] in ("completed", "failed") else None
