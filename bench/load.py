"""Load: the whole long session, every entry checked."""

from __future__ import annotations

from baton.core.log.entry import SEQ_BITS
from bench import floor
from bench.bed import Bed
from bench.figure import Figure, against_floor
from bench.plan import Plan
from bench.timing import interleaved

FLOOR_IS = "one SELECT of the same rows, fetched whole"


def measure(bed: Bed, plan: Plan) -> list[Figure]:
    session_id = bed.corpus.long[1]
    number, count = bed.raw.read(floor.SESSION_NUMBER, (session_id,))[0]
    span = (number << SEQ_BITS, (number + 1) << SEQ_BITS)
    assert len(bed.store.entries.load(session_id)) == count == len(bed.raw.read(floor.ENTRY_RANGE, span))
    pair = interleaved(
        lambda: bed.store.entries.load(session_id),
        lambda: bed.raw.read(floor.ENTRY_RANGE, span),
        plan.loads,
        batch=1,
    )
    return [against_floor("load", bed.backend, bed.size, pair, FLOOR_IS, {"loaded": count})]
