"""How much a sentence sounds like a rule, by weights learnt from sentences that were labelled by reading.

The cue tables know what languages say rules with; this knows the rest: how requests, reports and rules sound. A
sentence becomes hashed pieces of its words, each piece has a weight, the sum is the score. `python -m
bench.rule_training` makes the weights from the sentences beside it, the same bytes each time.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from zlib import crc32

from baton.core.handoff.rules.folding import fold

BUCKETS = 1 << 16
SCALE = 32.0
"""A stored weight of 32 is 1.0."""
_FILE = Path(__file__).with_name("weights.bin")
_DENSE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Scripts whose words are not set apart by spaces."""
_WORD = re.compile(rf"[^\W\d_{_DENSE}]+|\d+|[{_DENSE}]+|[?!:;,/%$€]")
_IS_DENSE = re.compile(f"[{_DENSE}]")
_LOOK = 400
_STEM = 5


def sound_like_rule(sentence: str) -> float:
    """Log-odds: above 0 it sounds like a rule."""
    return sum(map(_weights().__getitem__, pieces(sentence))) / SCALE


def pieces(sentence: str) -> list[int]:
    """The buckets of a sentence, each once."""
    words = ["#" if word.isdigit() else word for word in _WORD.findall(fold(sentence)[:_LOOK])]
    stems = [word[:_STEM] for word in words]
    found = {"bias", f"long {min(len(words), 24) // 4}", f"ends {sentence.strip()[-1:]}"}
    found |= {f"b {one} {two}" for one, two in pairwise(stems)}
    found |= {f"k {one} {two}" for one, two in zip(stems, stems[2:], strict=False)}
    found |= {f"f{at} {stem}" for at, stem in enumerate(stems[:3])} | {f"l {stem}" for stem in stems[-2:]}
    found.add(f"first {' '.join(stems[:2])}")
    return sorted(_buckets(found).union(*map(_of_word, words)))


@lru_cache(maxsize=8192)
def _of_word(word: str) -> frozenset[int]:
    """The buckets of a word by itself, wherever it stands."""
    return frozenset(_buckets([f"w {word}", f"s {word[:_STEM]}", *_parts(word)]))


def _buckets(found: Iterable[str]) -> set[int]:
    return {crc32(each.encode("utf-8", "replace")) % BUCKETS for each in found}


def _parts(word: str) -> Sequence[str]:
    """Pieces of a word; where words are not set apart by spaces, also how it ends."""
    if _IS_DENSE.match(word):
        inside = [f"c {word[at : at + size]}" for size in (1, 2, 3) for at in range(len(word) - size + 1)]
        return [*inside, *(f"e {word[-size:]}" for size in (1, 2, 3, 4))]
    whole = f"^{word}$"
    return [f"g {whole[at : at + size]}" for size in (3, 4) for at in range(max(0, len(whole) - size + 1))]


@cache
def _weights() -> array[int]:
    return array("b", _FILE.read_bytes())
