"""From the terminal to a platform and back, on real processes: nothing that was said is lost on the way."""

from __future__ import annotations

import pytest

from tests.support.gateway_bed import Gateway, PlatformServer

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]
PLATFORMS = ["telegram", "discord", "slack", "matrix", "signal", "whatsapp"]


@pytest.mark.parametrize("name", PLATFORMS)
async def test_the_first_reply_there_knows_what_was_said_in_the_terminal(name: str, gateway: Gateway) -> None:
    async with PlatformServer(name) as server:
        gateway.configure(server)
        await gateway.start()
        code, _, err = await gateway.baton("run", "The code word is kingfisher. Remember it.")
        assert code == 0, err
        moved = await gateway.json("handoff", "--to", name)
        assert (moved["state"], moved["platform"]) == ("completed", name)
        place = moved["place"]
        assert await server.text_with(place, "I am here.")
        await server.says(place, "What is the code word?")
        assert await server.text_with(place, "The code word is kingfisher.")
        sessions = await gateway.json("sessions", "list")
        assert [row["id"] for row in sessions] == [moved["conversation_id"]]
        assert (await server.get("violations")).get("violations", []) == []
