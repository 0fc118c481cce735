"""A store that goes away in the middle of a write, before or after it was kept: nobody is told, nothing is lost or done
twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.transfer import transfer as rules
from baton.core.transfer.place import parse_place
from tests.support.doubtful import Occupied, Outage, doubtful
from tests.support.outages import go_through
from tests.support.small_gateway import HOME, SmallGateway, heard, quiet, soon
from tests.support.workers.gatewaying import MortalModel, answer, arrived
from tests.support.workers.mortal import Fuse, commits

pytestmark = pytest.mark.anyio

WORDS = [f"word {number}" for number in range(4)]
INBOUND = commits(
    "heard", "taken", "start", "bind", "own", "input", "queued", "word", "end", "release", "post", "sending", "handled",
    "settled",
)  # fmt: skip
TRANSFER = commits("claim", "opened", "before", "bound", "arrival", "greeted", "complete")


Scene = Callable[[SmallGateway, Outage], Awaitable[None]]
Model = Callable[[Outage], MortalModel]


@pytest.mark.parametrize("points", [INBOUND[:10], INBOUND[10:20], INBOUND[20:]], ids=["heard", "said", "sent"])
async def test_messages_are_answered_once_and_in_order(tmp_path: Path, points: Sequence[str]) -> None:
    await at_each(points, _messages, tmp_path, Occupied)


async def test_a_transfer_arrives_once(tmp_path: Path) -> None:
    await at_each(TRANSFER, _transfer, tmp_path, lambda _: MortalModel(Fuse(""), 0.02))


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
async def test_two_gateways_go_through_several_of_them(tmp_path: Path, store: str) -> None:
    assert await go_through(store, tmp_path, 17, 8) > 8


async def at_each(points: Sequence[str], scene: Scene, directory: Path, model: Model) -> None:
    """Side by side, each on a store of its own: most of the time is spent waiting."""

    async def one(number: int) -> None:
        work = directory / str(number)
        with closing(open_sqlite(str(work / "baton.db"))) as whole:
            store, outage = doubtful(whole, points[number])
            async with SmallGateway(store, work, model(outage)) as small:
                await scene(small, outage)

    ends = await asyncio.gather(*map(one, range(len(points))), return_exceptions=True)
    assert [(point, str(end)) for point, end in zip(points, ends, strict=True) if end] == []


async def _messages(small: SmallGateway, outage: Outage) -> None:
    for text in WORDS:
        small.telegram.says(HOME, text)
    await soon(lambda: outage.over, "the outage")
    await soon(lambda: len(small.telegram.texts(HOME)) >= len(WORDS) and quiet(small), f"{WORDS} to be answered")
    assert small.telegram.texts(HOME) == [answer(text) for text in WORDS]
    assert heard(small) == WORDS


async def _transfer(small: SmallGateway, outage: Outage) -> None:
    conversation, transfers = small.terminal("The code word is kingfisher."), small.store.transfers
    transfer = transfers.request(conversation.id, "terminal:local", "telegram")
    await soon(lambda: outage.over, "the outage")
    await soon(lambda: transfers.get(transfer.id).state not in rules.ACTIVE, "its end")
    ended = transfers.get(transfer.id)
    assert (ended.state, ended.error) == (rules.COMPLETED, "")
    place = parse_place(str(ended.notes["bound"]["place"]))
    assert await small.texts(place) == [arrived(1)]
    small.telegram.says(place, "and now?")
    await soon(lambda: len(small.telegram.texts(place)) == 2 and quiet(small), "the next answer")
    assert small.telegram.texts(place) == [arrived(1), answer("and now?")]
