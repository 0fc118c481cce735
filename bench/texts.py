"""The text every store in the benchmark is filled with: made up, seeded, the same bytes on every machine.

Standard library only, because peers import this file inside their own environments.
"""

from __future__ import annotations

import functools
import itertools
import random

SEED = 20260527
VOCABULARY = 4000
SENTENCE = 11

RARE_WORD = "kestrelquartz"
"""A word no vocabulary word contains; `message(i)` has it, once, exactly when `i` is a multiple of `RARE_EVERY`."""
RARE_EVERY = 250

COMMON = """
the of to and a in is it that for on with as this be are not or we can if file test from by have an will add line was
but all run use code one set new now so value name function error call path when then store check read write first
list after make time type return same session message model should only class build server data still commit key
branch fix because before user works there each change output state config request case command next into done
no process keep start found log open find which question result field default module table index query cache
where does while more some without between than both until other under again already never always instead
database migration deploy version package import method argument string number response token header
parser schema column thread queue worker retry timeout socket client review release failing passes
"""

ONSETS = "b br c cl d f g gr h k l m n p pr qu r s sh st t tr v w"
VOWELS = "a a e e i i o o u ea ou"
CODAS = ("", "", "", "", "n", "r", "s", "t", "l", "nd")


def message(i: int, size: int = 500) -> str:
    """The text of message number `i`: sentences of ASCII words, at most `size` bytes and less than a word short of it.

    The same `i` and `size` always give the same text, whatever was asked for before. Word frequencies fall with rank,
    as in prose. A `size` under 20 leaves no room for the rare word.
    """
    words, weights = _vocabulary()
    dice = random.Random(SEED * 1_000_003 + i)
    chosen = dice.choices(words, cum_weights=weights, k=size // 4 + 1)
    if i % RARE_EVERY == 0:
        chosen[min(3, size // 40)] = RARE_WORD
    return _sentences(chosen, size)


def rare_hits(count: int) -> int:
    """How many of `message(0)` … `message(count - 1)` hold `RARE_WORD`."""
    return -(-count // RARE_EVERY)


def _sentences(words: list[str], size: int) -> str:
    """As many of `words` as fit into `size` bytes, with a capital and a full stop every `SENTENCE` words."""
    written: list[str] = []
    left = size
    for position, word in enumerate(words):
        ending = position % SENTENCE == SENTENCE - 1
        piece = f"{word}." if ending else word
        left -= len(piece) + 1
        if left < 0:
            break
        written.append(piece.capitalize() if position % SENTENCE == 0 else piece)
    return " ".join(written)


@functools.cache
def _vocabulary() -> tuple[list[str], list[float]]:
    """The words, most frequent first, and their cumulated weights."""
    dice = random.Random(SEED)
    words = dict.fromkeys(COMMON.split())
    while len(words) < VOCABULARY:
        words[_made_up(dice)] = None
    weights = (1 / (rank + 3) for rank in range(VOCABULARY))
    return list(words), list(itertools.accumulate(weights))


def _made_up(dice: random.Random) -> str:
    onsets, vowels = ONSETS.split(), VOWELS.split()
    syllables = dice.choice((2, 2, 2, 3, 3))
    return "".join(dice.choice(onsets) + dice.choice(vowels) + dice.choice(CODAS) for _ in range(syllables))
