"""How random a value is at its most random: names and words of every kind have a grain, keys and tokens have none.

A value is read in pieces of three characters. Each piece has a weight, learnt from names in programs and from random
values: how much more often it occurs in these. The sum over the best stretch says how surely a part of the value was
drawn at random, so that a token behind the name of its project counts as one. `python -m bench.grain_training` makes
the weights.
"""

from __future__ import annotations

from array import array
from functools import cache, lru_cache
from pathlib import Path
from zlib import crc32

from baton.adapters.redaction.thresholds import (
    LEAST_SURPRISE,
    LEAST_SURPRISE_OF_SHORT,
    LONGEST_JUDGED,
    SHORTEST_SCRAMBLED,
)

BUCKETS = 1 << 14
SCALE = 16.0
"""A stored weight of 16 is 1.0, a factor of e."""
_FILE = Path(__file__).with_name("rules") / "grain.bin"
_DIGIT, _CAPITAL, _SMALL, _SIGN = range(1, 5)
_KINDS = bytes(
    _DIGIT
    if chr(byte) in "0123456789"
    else _CAPITAL
    if 0x41 <= byte <= 0x5A
    else _SMALL
    if 0x61 <= byte <= 0x7A
    else _SIGN
    for byte in range(256)
)
_FOLDED = bytes(
    0x30
    if chr(byte) in "0123456789"
    else byte | 0x20
    if 0x41 <= byte <= 0x5A
    else byte
    if 0x61 <= byte <= 0x7A or byte in b"_-./:=+$"
    else 0x3F
    for byte in range(256)
)
"""All digits are one, capitals are small, and signs that names seldom have are one."""
_EDGE, _RISES, _FALLS = 0x7C, 0x5E, 0x2C


@lru_cache(maxsize=4096)
def surprise(value: bytes) -> float:
    """How unlikely the best stretch is in a name, as the logarithm of the odds; 0 for a plain word."""
    weights = _weights()
    best = total = 0
    for bucket in pieces(value):
        total += weights[bucket]
        if total < 0:
            total = 0
        elif total > best:
            best = total
    return best / SCALE


def has_grain(value: bytes) -> bool:
    """Whether it is a name or words, with whatever numbers, rather than drawn at random."""
    return surprise(value) < (LEAST_SURPRISE if len(value) >= SHORTEST_SCRAMBLED else LEAST_SURPRISE_OF_SHORT)


def pieces(value: bytes) -> list[int]:
    """The bucket of each piece, in their order."""
    folded = _fold(value[:LONGEST_JUDGED])
    return [crc32(folded[at : at + 3]) % BUCKETS for at in range(len(folded) - 2)]


def _fold(value: bytes) -> bytes:
    """With edges, and with marks where capitals begin and where several of them end."""
    folded = bytearray((_EDGE,))
    before = 0
    for kind, byte in zip(value.translate(_KINDS), value.translate(_FOLDED), strict=True):
        if kind == _CAPITAL and before != _CAPITAL:
            folded.append(_RISES)
        elif kind == _SMALL and before == _CAPITAL and folded[-2] != _RISES:
            folded.append(_FALLS)
        folded.append(byte)
        before = kind
    folded.append(_EDGE)
    return bytes(folded)


@cache
def _weights() -> array[int]:
    return array("b", _FILE.read_bytes())
