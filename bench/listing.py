"""List: the newest fifty conversations."""

from __future__ import annotations

from bench import floor
from bench.bed import Bed
from bench.figure import Figure, against_floor
from bench.plan import LISTED, Plan
from bench.timing import interleaved

FLOOR_IS = "one SELECT of the same fifty rows"


def measure(bed: Bed, plan: Plan) -> list[Figure]:
    page = bed.store.conversations.page
    wanted = min(LISTED, bed.size.sessions)
    assert len(page(LISTED).rows) == wanted == len(bed.raw.read(floor.CONVERSATION_PAGE, (LISTED,)))
    pair = interleaved(
        lambda: page(LISTED), lambda: bed.raw.read(floor.CONVERSATION_PAGE, (LISTED,)), plan.lists, batch=10
    )
    return [against_floor("list", bed.backend, bed.size, pair, FLOOR_IS)]
