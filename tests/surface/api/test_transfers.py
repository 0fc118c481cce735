"""Transfers over HTTP: requested and observed; the gateway carries."""

from __future__ import annotations

import pytest

from tests.support.api_bed import ApiBed
from tests.support.small_gateway import soon
from tests.surface.api.conftest import IN_MEMORY

pytestmark = pytest.mark.anyio
STORES = ("memory", "postgres")
NOBODY = "t_000000000000"


async def arrived(bed: ApiBed, transfer_id: str) -> dict[str, object]:
    async def look() -> dict[str, object] | None:
        shown = await bed.get(f"/v1/transfers/{transfer_id}")
        return shown if shown["state"] in ("completed", "failed") else None

    return await soon(look, "the end of the transfer")


async def test_a_conversation_moves_to_a_platform(bed: ApiBed) -> None:
    conversation = await bed.begin("hello")
    asked = await bed.post(f"/v1/conversations/{conversation}/transfers", 202, to="telegram")
    done = await arrived(bed, asked["transfer_id"])
    assert (done["state"], done["platform"]) == ("completed", "telegram")
    shown = await bed.get(f"/v1/conversations/{conversation}")
    assert shown["lives_in"] == "telegram"
    assert shown["bindings"] == [done["place"]]
    assert shown["transfers"][0]["state"] == "completed"
    assert asked["transfer_id"] in [each["transfer_id"] for each in (await bed.get("/v1/transfers"))["transfers"]]
    assert (await bed.post(f"/v1/transfers/{asked['transfer_id']}/cancel", 409))["code"] == "bad-transition"


async def test_the_way_back_waits_for_the_terminal_and_can_be_cancelled(bed: ApiBed) -> None:
    conversation = await bed.begin("hello")
    path = f"/v1/conversations/{conversation}/transfers"
    asked = await bed.post(path, 202, to="terminal")
    assert asked["state"] == "pending"
    assert (await bed.post(path, 409, to="telegram"))["code"] == "transfer-active"
    assert (await bed.post(f"/v1/transfers/{asked['transfer_id']}/cancel"))["state"] == "failed"


@IN_MEMORY
@pytest.mark.parametrize(
    ("to", "status", "code"),
    [
        ("mars", 400, "unknown-target"),
        ("telegram:a:b:c:d", 400, "unknown-target"),
        ("discord", 409, "not-connected"),
        ("", 400, "bad-input"),
        ("x" * 301, 400, "bad-text"),
        ("a\0", 400, "bad-text"),
    ],
)
async def test_a_target_that_cannot_be_reached_changes_nothing(bed: ApiBed, to: str, status: int, code: str) -> None:
    conversation = await bed.begin("hello")
    assert (await bed.post(f"/v1/conversations/{conversation}/transfers", status, to=to))["code"] == code
    assert (await bed.get(f"/v1/conversations/{conversation}"))["transfers"] == []


async def test_nothing_moves_in_the_middle_of_a_turn(bed: ApiBed) -> None:
    conversation = await bed.begin("hello")
    path = f"/v1/conversations/{conversation}"
    await bed.post(f"{path}/turns", 202, text="think")
    assert (await bed.post(f"{path}/transfers", 409, to="telegram"))["code"] == "turn-runs"
    await bed.post(f"{path}/stop")
    await soon(lambda: not bed.context.runtime.busy(conversation))
    proof = bed.store.conversations.claim(conversation, "terminal:1", 30)
    assert (await bed.post(f"{path}/transfers", 409, to="telegram"))["code"] == "owned-elsewhere"
    bed.store.conversations.release(proof)


@IN_MEMORY
@pytest.mark.parametrize("path", [NOBODY, "..", "d_000000000000"])
async def test_a_transfer_that_is_not_there(bed: ApiBed, path: str) -> None:
    await bed.get(f"/v1/transfers/{path}", 404)
    await bed.post(f"/v1/transfers/{path}/cancel", 404)
