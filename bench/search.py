"""Search: one word, the newest twenty hits shown; a word of every 250th entry and the most common one of all."""

from __future__ import annotations

from baton.core.log.entry import SEQ_BITS
from bench import floor, texts
from bench.bed import Bed
from bench.figure import Figure, against_floor
from bench.floor import Raw, Row
from bench.plan import SHOWN, Plan
from bench.timing import interleaved

FLOOR_IS = "one SELECT from the index and one per hit from the log"
COMMON_WORD = texts.COMMON.split()[0]


def measure(bed: Bed, plan: Plan) -> list[Figure]:
    rare = min(SHOWN, texts.rare_hits(bed.size.entries))
    return [
        _search(bed, plan, "search_rare", texts.RARE_WORD, rare),
        _search(bed, plan, "search_common", COMMON_WORD, SHOWN),
    ]


def _search(bed: Bed, plan: Plan, name: str, word: str, hits: int) -> Figure:
    find = bed.store.search.find
    assert len(find(word, SHOWN)) == hits == len(by_hand(bed.raw, word))
    pair = interleaved(lambda: find(word, SHOWN), lambda: by_hand(bed.raw, word), plan.searches, batch=5)
    return against_floor(name, bed.backend, bed.size, pair, FLOOR_IS, {"word": word, "hits": hits})


def by_hand(raw: Raw, word: str) -> list[Row]:
    return [raw.read(floor.HIT, (key >> SEQ_BITS, key))[0] for key in raw.matches(word, SHOWN)]
