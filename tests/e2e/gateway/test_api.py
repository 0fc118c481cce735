"""The HTTP API of a real gateway process: a turn as it happens, a transfer asked for, figures, and its token."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from tests.support.api_bed import EVENTS, events_of
from tests.support.gateway_bed import Gateway, PlatformServer, until
from tests.support.patience import PATIENCE

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]


def samples(text: str) -> dict[str, float]:
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


async def test_the_api_of_a_gateway_process(gateway: Gateway) -> None:
    async with PlatformServer("telegram") as server:
        gateway.configure(server)
        await gateway.start()
        (row,) = (await gateway.json("gateway", "status"))["gateways"]
        assert row["api"].startswith("http://127.0.0.1:")
        token = (await gateway.json("gateway", "token"))["token"]
        path = gateway.home / "gateway.token"
        assert (path.stat().st_mode & 0o777, path.read_text().strip()) == (0o600, token)
        headers = {"authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(
            base_url=row["api"], headers=headers, timeout=PATIENCE, trust_env=False
        ) as client:
            await _used(client, server)
        assert await gateway.stop() == 0
        assert not any(token in line for line in gateway.output)


async def _used(client: httpx2.AsyncClient, server: PlatformServer) -> None:
    assert (await client.get("/healthz", headers={"authorization": ""})).json()["status"] == "ok"
    assert (await client.get("/v1/conversations", headers={"authorization": "Bearer no"})).status_code == 401
    said = {"text": "The code word is kingfisher. Remember it."}
    async with client.stream("POST", "/v1/conversations", json=said, headers=EVENTS) as answer:
        events = [event async for event in events_of(answer)]
    assert [events[0].name, events[-1].name, events[-1].data["reason"]] == ["turn_started", "turn_ended", "completed"]
    conversation = f"/v1/conversations/{events[0].data['conversation_id']}"
    asked = await client.post(f"{conversation}/transfers", json={"to": "telegram"})
    assert asked.status_code == 202, asked.text

    async def arrived() -> dict[str, Any] | None:
        shown = (await client.get(asked.headers["location"])).json()
        return shown if shown["state"] in ("completed", "failed") else None

    moved = await until(arrived, "the end of the transfer")
    assert moved["state"] == "completed", moved
    assert await server.text_with(moved["place"], "I am here.")
    await server.says(moved["place"], "What is the code word?")
    assert await server.text_with(moved["place"], "The code word is kingfisher.")
    assert (await client.get(conversation)).json()["lives_in"] == "telegram"
    found = samples((await client.get("/metrics")).text)
    assert found["baton_transfers_completed_total"] == 1
    assert found['baton_platform_connected{platform="telegram"}'] == 1
    assert found["baton_messages_handled_total"] == 1
