"""Size: the bytes a closed store takes, search index included, beside the bytes of text put into it."""

from __future__ import annotations

from bench.bed import Bed
from bench.figure import Figure


def measure(bed: Bed) -> Figure:
    facts = {
        "text_bytes": bed.corpus.text_bytes,
        "stored_bytes": bed.stored_bytes,
        "times_text": bed.stored_bytes / bed.corpus.text_bytes,
        "fill_seconds": round(bed.corpus.fill_seconds, 2),
        "index_seconds": round(bed.corpus.index_seconds, 2),
    }
    return Figure("size", bed.backend, bed.size, facts=facts)
