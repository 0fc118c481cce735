"""Claims: a conversation's lease, taken and given back; a transfer, requested and then claimed by a worker."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

from baton.core.ids import new_id
from baton.core.log.lease import Ownership
from bench import floor
from bench.bed import Bed
from bench.figure import Figure, against_floor
from bench.plan import Plan
from bench.timing import BATCH, Laps, Pair, interleaved

CLAIM_FLOOR = "two UPDATEs, each in a synced transaction"
REQUEST_FLOOR = "one INSERT in a synced transaction"
TAKE_FLOOR = "one UPDATE in a synced transaction"
PLATFORM = "telegram"
PLACES = ("terminal:bench", "telegram:home")
TTL = 60.0
AT = 1_790_000_000_000_000


def measure(bed: Bed, plan: Plan) -> list[Figure]:
    return [_conversations(bed, plan), *_transfers(bed, plan)]


def _conversations(bed: Bed, plan: Plan) -> Figure:
    conversations, raw = bed.store.conversations, bed.raw
    ours, theirs = cycle(_ids(bed)[::2]), cycle(_ids(bed)[1::2])

    def claim() -> None:
        conversations.release(conversations.claim(next(ours), "bench", TTL))

    def by_hand() -> None:
        conversation_id = next(theirs)
        raw.write((floor.CONVERSATION_HOLD, ("bench", 1, AT, conversation_id)))
        raw.write((floor.CONVERSATION_HOLD, (None, 1, 0, conversation_id)))

    return against_floor("claim", bed.backend, bed.size, interleaved(claim, by_hand, plan.claims), CLAIM_FLOOR)


def _transfers(bed: Bed, plan: Plan) -> list[Figure]:
    """Each conversation's transfer is requested, claimed and, untimed, ended before the next one's."""
    ids = _ids(bed)
    half = len(ids) // 2
    laps = tuple(Laps() for _ in range(4))
    steps = (_ours(bed, ids[:half], *laps[:2]), _by_hand(bed, ids[half:], *laps[2:]))
    for number in range(plan.claims):
        for step in steps if number % 2 else steps[::-1]:
            step()
    requested, claimed = _paired(laps[0], laps[2]), _paired(laps[1], laps[3])
    return [
        against_floor("transfer_request", bed.backend, bed.size, requested, REQUEST_FLOOR),
        against_floor("transfer_claim", bed.backend, bed.size, claimed, TAKE_FLOOR),
    ]


def _paired(baton: Laps, floor: Laps) -> Pair:
    starts = range(0, len(baton.milliseconds), BATCH)
    return Pair.of([(baton.milliseconds[i : i + BATCH], floor.milliseconds[i : i + BATCH]) for i in starts])


def _ours(bed: Bed, ids: list[str], requested: Laps, claimed: Laps) -> Callable[[], None]:
    transfers, waiting = bed.store.transfers, cycle(ids)

    def step() -> None:
        conversation_id = next(waiting)
        asked = requested.time(lambda: transfers.request(conversation_id, *PLACES))
        taken = claimed.time(lambda: transfers.claim_next([PLATFORM], "bench", TTL))
        assert taken is not None
        assert taken[0].id == asked.id
        proof: Ownership = taken[1]
        transfers.fail(proof, "benchmark")

    return step


def _by_hand(bed: Bed, ids: list[str], requested: Laps, claimed: Laps) -> Callable[[], None]:
    raw, waiting = bed.raw, cycle(ids)

    def step() -> None:
        transfer_id = new_id("transfer")
        row = (transfer_id, next(waiting), *PLACES, PLATFORM, AT, AT)
        requested.time(lambda: raw.write((floor.TRANSFER_ADD, row)))
        claimed.time(lambda: raw.write((floor.TRANSFER_CLAIM, ("bench", AT, AT, transfer_id))))
        raw.write((floor.TRANSFER_END, (transfer_id,)))

    return step


def _ids(bed: Bed) -> list[str]:
    return [conversation_id for conversation_id, _ in bed.corpus.short]
