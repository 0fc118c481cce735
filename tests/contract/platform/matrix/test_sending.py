"""What goes out, against the real server's limits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from baton.adapters.platforms.matrix.outbound import LIMIT
from baton.core.errors import SendLater, SendRefused
from baton.core.transfer.place import Place
from baton.ports.platform import Outgoing
from tests.contract.platform.matrix.kit import connected
from tests.support.obtain import obtained
from tests.support.platforms.matrix.stage import MatrixStage
from tests.support.platforms.matrix.synapse import Synapse

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


@pytest.fixture
async def slow(anyio_backend: str, tmp_path: Path) -> AsyncIterator[MatrixStage]:
    """On a server of its own that lets one write twice, and then once in two seconds."""
    server = Synapse(tmp_path / "synapse", messages=(0.5, 2))
    obtained(server.start)
    try:
        async with MatrixStage(server) as stage:
            yield stage
    finally:
        server.stop()


async def test_the_rate_limit_of_the_server_is_later_with_its_delay(slow: MatrixStage) -> None:
    async def writes(times: int) -> None:
        for number in range(times):
            await platform.send(slow.room, Outgoing(f"message {number}"), f"k{number}")

    async with connected(slow) as platform:
        with pytest.raises(SendLater, match="M_LIMIT_EXCEEDED") as later:
            await writes(10)

    assert 0 < later.value.after <= 10


@pytest.mark.parametrize(
    "unit", ["word ", "\u044b ", "\U0001f642", "&<", '"\\ '], ids=["latin", "cyrillic", "emoji", "html", "json"]
)
async def test_a_text_as_long_as_the_limit_fits_and_so_does_its_edit(stage: MatrixStage, unit: str) -> None:
    async with connected(stage) as platform:
        text = unit * int(LIMIT / platform.size(unit * 1000) * 1000 * 0.999)
        assert LIMIT * 0.99 < platform.size(text) <= LIMIT
        for sealed in (False, True):
            if sealed:
                await stage.people[stage.owner].seal(stage.room.room)
                stage.proxy.sealed.add(stage.room.room)
            receipt = await platform.send(stage.room, Outgoing(text), f"k{sealed}")
            await platform.edit(stage.room, receipt, Outgoing(text))


async def test_what_is_too_large_all_the_same_is_refused(stage: MatrixStage) -> None:
    async with connected(stage) as platform:
        with pytest.raises(SendRefused, match="M_TOO_LARGE"):
            await platform.send(stage.room, Outgoing("x" * 66_000), "k1")


async def test_a_room_we_are_not_in_is_refused(stage: MatrixStage) -> None:
    room = await stage.people[stage.stranger].make_room()
    async with connected(stage) as platform:
        with pytest.raises(SendRefused, match="M_FORBIDDEN"):
            await platform.send(Place("matrix", room), Outgoing("hello"), "k1")
        await platform.show_typing(Place("matrix", room))
        with pytest.raises(SendRefused, match="M_FORBIDDEN"):
            await platform.open_thread(Place("matrix", room), "work", "t1")


async def test_nobody_is_called_by_a_name_in_our_text(stage: MatrixStage) -> None:
    async with connected(stage) as platform:
        await platform.send(stage.room, Outgoing(f"@room {stage.owner.removeprefix('matrix:')}"), "k1")
    events = await stage.people[stage.owner].events(stage.room.room)
    assert events[-1]["content"]["m.mentions"] == {}
