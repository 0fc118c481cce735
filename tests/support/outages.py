"""Two gateways on one store that goes away under either of them, several times, whatever they are writing just then.

Messages are said and a conversation is moved meanwhile. In the end each is answered once and in order, and the
conversation has arrived once.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import ExitStack, closing
from pathlib import Path

from baton.core.transfer import transfer as rules
from baton.core.transfer.place import parse_place
from baton.surfaces.words.channel import CUT_OFF
from tests.support.doubtful import Outage, away
from tests.support.small_gateway import HOME, SmallGateway, heard, quiet, soon
from tests.support.workers.gatewaying import MortalModel, answer, arrived
from tests.support.workers.mortal import Fuse, mortal_store
from tests.support.workers.stores import LOCATIONS, open_at

WORDS = [f"word {number}" for number in range(4)]
NEXT = "and now?"
MOST = 2
"""A turn that is interrupted more often waits for a person's word."""

_WRITES = 90
_AT_ONCE = {"sqlite": 5, "postgres": 4}
"""A server has so many connections, and a process so many threads."""


class _Dice(Fuse):
    """Burns at some of the writes."""

    def __init__(self, dice: random.Random, times: int, outage: Outage) -> None:
        super().__init__("")
        self._marks = set(dice.sample(range(1, _WRITES), times))
        self._count = 0
        self._outage = outage
        self.burnt: list[str] = []

    def at(self, point: str) -> None:
        self._count += 1
        if self._count in self._marks:
            self.burnt.append(f"{point} ({self._count})")
            self._outage.begin()


async def go_through(store: str, directory: Path, first: int, runs: int) -> int:
    """So many runs, some at a time; how many outages there were."""
    outages = 0
    for begin in range(first, first + runs, _AT_ONCE[store]):
        seeds = range(begin, min(begin + _AT_ONCE[store], first + runs))
        outages += sum(await asyncio.gather(*(_one(store, directory / str(seed), seed) for seed in seeds)))
    return outages


async def _one(store: str, directory: Path, seed: int) -> int:
    dice = random.Random(seed)
    with ExitStack() as stack:
        location = stack.enter_context(LOCATIONS[store](directory))
        watch = stack.enter_context(closing(open_at(location)))
        gateways: list[SmallGateway] = []
        fuses: list[_Dice] = []
        delay, often = dice.choice([0, 0.02, 0.05]), dice.choice([0, 1, 2])
        for times in (often, MOST - often):
            flaky, outage = stack.enter_context(closing(open_at(location))), Outage()
            fuses.append(_Dice(dice, times, outage))
            away(flaky, outage)
            services = gateways[0].services if gateways else None
            model = MortalModel(Fuse(""), delay)
            gateways.append(SmallGateway(mortal_store(flaky, fuses[-1]), directory, model, services=services))
        try:
            async with gateways[0], gateways[1]:
                gateways[0].store = watch
                await _scene(gateways[0], dice)
        except Exception as error:
            burnt, told = [fuse.burnt for fuse in fuses], "\n".join(_transcript(gateways[0]))
            raise AssertionError(f"seed {seed}, away at {burnt}: {error}\n{told}") from error
        return sum(len(fuse.burnt) for fuse in fuses)


def _transcript(small: SmallGateway) -> list[str]:
    return [f"{entry.seq} {entry.kind} {entry.body[:200]}" for entry in small.entries(small.conversation())]


async def _scene(small: SmallGateway, dice: random.Random) -> None:
    conversation, transfers, texts = small.terminal("The code word"), small.store.transfers, small.telegram.texts
    transfer = transfers.request(conversation.id, "terminal:local", "telegram")
    for text in WORDS:
        small.telegram.says(HOME, text)
        await asyncio.sleep(dice.choice([0, 0, 0.01, 0.05]))
    await soon(lambda: answer(WORDS[-1]) in texts(HOME) and quiet(small), f"{WORDS} to be answered")
    seen = [text for text in texts(HOME) if text != CUT_OFF]
    assert seen == [answer(text) for text in WORDS], f"people see {texts(HOME)}"
    assert heard(small) == WORDS, f"the transcript has {heard(small)}"
    await soon(lambda: transfers.get(transfer.id).state not in rules.ACTIVE, "the transfer's end")
    ended = transfers.get(transfer.id)
    assert ended.state == rules.COMPLETED, f"it {ended.state}: {ended.error}"
    place = parse_place(str(ended.notes["bound"]["place"]))
    small.telegram.says(place, NEXT)
    await soon(lambda: answer(NEXT) in texts(place) and quiet(small), "the next answer")
    assert texts(place) == [arrived(1), answer(NEXT)], f"people see {texts(place)}"
