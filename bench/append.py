"""Append: one durable entry per call, to the long session."""

from __future__ import annotations

from collections.abc import Iterable

from baton.core.log.entry import SEQ_BITS, USER, NewEntry, encode_body
from bench import floor, texts
from bench.bed import Bed
from bench.figure import Figure, against_floor
from bench.floor import Raw
from bench.plan import MESSAGE_BYTES, Plan
from bench.timing import BATCH, interleaved

FLOOR_IS = "one INSERT and two UPDATEs of the same text in one synced transaction"
AT = 1_790_000_000_000_000


def measure(bed: Bed, plan: Plan) -> list[Figure]:
    """Every append is a transaction of its own, on disk when it returns, for Baton as for the floor."""
    count = plan.appends + 2 * BATCH
    written = [texts.message(bed.size.entries + i, MESSAGE_BYTES) for i in range(count)]
    conversation_id, session_id = bed.corpus.long
    entries = bed.store.entries
    proof = bed.store.conversations.claim(conversation_id, "bench", 3600)
    waiting = iter(written)
    raw = RawAppend(bed.raw, *_floor_session(bed), [encode_body({"text": text}) for text in written])
    pair = interleaved(
        lambda: entries.append(proof, session_id, [NewEntry(USER, {"text": next(waiting)})]), raw, plan.appends
    )
    bed.store.conversations.release(proof)
    return [against_floor("append", bed.backend, bed.size, pair, FLOOR_IS)]


class RawAppend:
    """Called, it appends the next of `bodies` to a session, by hand."""

    def __init__(self, raw: Raw, conversation_id: str, session_id: str, bodies: Iterable[str]) -> None:
        self._raw = raw
        self._conversation_id = conversation_id
        self._number, self._count = raw.read(floor.SESSION_NUMBER, (session_id,))[0]
        self._bodies = iter(bodies)

    def __call__(self) -> None:
        self._count += 1
        number, count, at = self._number, self._count, AT + self._count
        self._raw.write(
            (floor.ENTRY_ADD, ((number << SEQ_BITS) + count, USER, at, 0, next(self._bodies), 123_456_789)),
            (floor.SESSION_GROW, (count, 0, number)),
            (floor.CONVERSATION_TOUCH, (at, self._conversation_id)),
        )


def _floor_session(bed: Bed) -> tuple[str, str]:
    """The same session in the floor's copy, or another one where both share the tables."""
    return bed.corpus.long if bed.ground.url != bed.ground.floor_url else bed.corpus.short[0]
