"""How the gateway is: health, metrics, gateways; also when its store is away, or something fails."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from baton.core.errors import StoreUnavailable
from baton.surfaces.api.app import OPERATIONS
from baton.surfaces.api.openapi import document
from tests.support.api_bed import ApiBed

pytestmark = pytest.mark.anyio
SAMPLE = re.compile(r'([a-z_]+)(?:\{([a-z]+="[^"]*")\})? (\d+(?:\.\d+)?)')
PAGE = Path(__file__).parents[3] / "docs" / "reference" / "api.md"


def away(*_: object) -> None:
    raise StoreUnavailable(path="memory", reason="it is away")


async def metrics(bed: ApiBed) -> dict[str, float]:
    """Each line is what Prometheus takes, and each sample has its help and type before it."""
    answer = await bed.client.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found: dict[str, float] = {}
    typed: set[str] = set()
    for line in answer.text.splitlines():
        if line.startswith("#"):
            _, word, name, rest = line.split(" ", 3)
            assert word in ("HELP", "TYPE")
            assert word != "TYPE" or rest in ("counter", "gauge")
            typed.add(name)
        else:
            match = SAMPLE.fullmatch(line)
            assert match, line
            name, label, value = match.groups()
            assert name in typed
            found[f"{name}{{{label}}}" if label else name] = float(value)
    return found


async def test_health_needs_no_token_and_tells_no_reason(bed: ApiBed) -> None:
    bed.client.headers.pop("authorization")
    try:
        told = await bed.get("/healthz")
        assert told == {"status": "ok", "store": "ok", "platforms": {"telegram": "connected", "slack": "connected"}}
        bed.small.gateway._states["slack"] = "slack does not accept our credentials: xoxb-1"
        told = await bed.get("/healthz")
        assert (told["status"], told["platforms"]["slack"]) == ("degraded", "failed")
    finally:
        bed.small.gateway._states["slack"] = "connected"
        bed.client.headers["authorization"] = "Bearer t0ken-of-the-tests_0123456789abcdefghijklmnopqrst"


async def test_metrics_count_what_happens(bed: ApiBed) -> None:
    before = await metrics(bed)
    assert before['baton_platform_connected{platform="telegram"}'] == 1
    assert before["process_resident_memory_bytes"] > 1_000_000
    assert before["baton_store_up"] == 1
    assert {'baton_mail_waiting{box="inbox"}', 'baton_mail_waiting{box="outbox"}'} <= set(before)
    conversation = await bed.begin()
    await bed.post(f"/v1/conversations/{conversation}/turns", 202, text="think")
    await bed.post(f"/v1/conversations/{conversation}/transfers", 409, to="telegram")
    assert (await metrics(bed))["baton_turns_running"] == 1
    await bed.post(f"/v1/conversations/{conversation}/stop")
    await bed.post(f"/v1/conversations/{conversation}/transfers", 202, to="terminal")
    after = await metrics(bed)
    assert after['baton_transfers{state="pending"}'] == 1
    assert after["baton_uptime_seconds"] >= before["baton_uptime_seconds"]
    assert {f"baton_messages_{name}_total" for name in ("heard", "dropped", "handled", "sent", "refused")} <= set(after)


async def test_gateways_are_told_as_status_shows_them(bed: ApiBed) -> None:
    (row,) = (await bed.get("/v1/gateways"))["gateways"]
    assert row["platforms"] == {"telegram": "connected", "slack": "connected"}


async def test_a_store_that_is_away_is_503_and_nothing_else(bed: ApiBed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bed.context.serving.probe, "_at", -10.0)
    monkeypatch.setattr(bed.store.register, "get", away)
    monkeypatch.setattr(bed.store.drafts, "list_waiting", away)
    monkeypatch.setattr(bed.store.transfers, "active", away)
    answer = await bed.client.get("/healthz")
    assert (answer.status_code, answer.json()["store"]) == (503, "unreachable")
    error = await bed.get("/v1/drafts", 503)
    assert (error["code"], "it is away" in error["what"]) == ("store-unavailable", True)
    assert (await metrics(bed))["baton_store_up"] == 0


async def test_a_bug_is_told_without_its_details(bed: ApiBed, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(bed.store.drafts, "list_waiting", broken)
    error = await bed.get("/v1/drafts", 500)
    assert error["code"] == "internal"
    assert "secret detail" not in str(error)


async def test_the_document_is_served_and_describes_every_operation(bed: ApiBed) -> None:
    told = await bed.get("/v1/openapi.json")
    assert told == document(OPERATIONS)
    assert told["openapi"] == "3.1.0"
    names = [each["operationId"] for path in told["paths"].values() for each in path.values()]
    assert sorted(names) == sorted(operation.name for operation in OPERATIONS)
    assert len(set(names)) == len(names)


def test_every_operation_is_on_the_reference_page() -> None:
    page = PAGE.read_text()
    for operation in OPERATIONS:
        assert f"`{operation.method} {operation.path}" in page
