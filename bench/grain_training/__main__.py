"""`python -m bench.grain_training DIR…`: learns the weights of `adapters/redaction/grain.py` from programs below DIR.

The names, words and numbers of programs are one side, values drawn from the alphabets of keys the other. What the first
weights find random among the names (tables in base64, hashes) is left out of the second. Nothing of the programs but
these weights is kept. Without --write it only says how well it tells names and random values apart it has not seen.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import string
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from baton.adapters.redaction import grain

WEIGHTS = Path(grain.__file__).with_name("rules") / "grain.bin"
ENDS = (".go", ".rs", ".js", ".mjs", ".cjs", ".ts", ".py")
NAME = re.compile(rb"[A-Za-z0-9_$][A-Za-z0-9_$.+/=:-]{6,60}[A-Za-z0-9_$=]")
HEX = re.compile(rb"(?i)[0-9a-f]{16}")
MOST_OF_FILE, MOST_OF_FOLDER, LONGEST_LINE = 200_000, 1_500_000, 2_000
LENGTHS = (8, 10, 12, 16, 20, 22, 24, 27, 32, 32, 40, 43, 44, 48, 64)
LETTERS, HEX_DIGITS = string.ascii_letters + string.digits, "0123456789abcdef"
ALPHABETS = (
    *([LETTERS] * 6 + [LETTERS + "+/"] * 3 + [LETTERS + "-_"] * 3 + [HEX_DIGITS] * 5 + [HEX_DIGITS.upper()]),
    *([string.ascii_lowercase + string.digits] * 3 + [string.ascii_uppercase + string.digits] * 2),
    *[string.ascii_uppercase + "234567", string.ascii_letters],
    *[LETTERS + "!#%*@$^&~?.-_+"] * 2,
)
"""As often as keys are drawn from them, by hand."""
SURELY_RANDOM = 40.0
STEEPEST = 6.0


def names_below(root: Path) -> set[bytes]:
    """Names of the files below each folder of this root; a folder's share is limited, and so are packed programs."""
    found: set[bytes] = set()
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        paths = sorted(path for path in folder.rglob("*") if path.suffix in ENDS and path.is_file())
        random.Random(3).shuffle(paths)
        size = 0
        for path in paths:
            if size > MOST_OF_FOLDER:
                break
            data = path.read_bytes()[:MOST_OF_FILE]
            size += len(data)
            if max(map(len, data.split(b"\n"))) <= LONGEST_LINE:
                found.update(name for name in NAME.findall(data) if HEX.search(name) is None)
    return found


def drawn(dice: random.Random, alphabet: str = "", length: int = 0) -> bytes:
    return "".join(dice.choices(alphabet or dice.choice(ALPHABETS), k=length or dice.choice(LENGTHS))).encode()


def learn(names: Iterable[bytes], values: Iterable[bytes]) -> list[float]:
    """For each bucket the logarithm of how much oftener it occurs in random values."""
    usual, chance = (Counter(bucket for each in side for bucket in grain.pieces(each)) for side in (names, values))
    all_usual, all_chance = (sum(each.values()) + 0.5 * grain.BUCKETS for each in (usual, chance))
    odds = (((chance[at] + 0.5) / all_chance) / ((usual[at] + 0.5) / all_usual) for at in range(grain.BUCKETS))
    return [max(-STEEPEST, min(STEEPEST, math.log(each))) for each in odds]


def best_stretch(weights: Sequence[float], value: bytes) -> float:
    best = total = 0.0
    for bucket in grain.pieces(value):
        total = max(0.0, total + weights[bucket])
        best = max(best, total)
    return best


def learn_twice(names: Sequence[bytes]) -> list[float]:
    dice = random.Random(1)
    values = [drawn(dice) for _ in range(len(names) // 2)]
    first = learn(names, values)
    return learn([name for name in names if best_stretch(first, name) < SURELY_RANDOM], values)


def pack(weights: Iterable[float]) -> bytes:
    return bytes(round(weight * grain.SCALE) & 0xFF for weight in weights)


def _check(names: Sequence[bytes]) -> None:
    weights = learn_twice([name for at, name in enumerate(names) if at % 5])
    unseen = sorted(each for name in names[::5] if (each := best_stretch(weights, name)) < SURELY_RANDOM)
    shares = (0.5, 0.9, 0.95, 0.98, 0.99, 0.999)
    print(f"{len(names):,} names; of those not seen", end=" ")
    print(", ".join(f"{share:.1%} below {unseen[int(share * len(unseen))]:.1f}" for share in shares))
    dice = random.Random(2)
    for name, alphabet in (
        ("letters, digits", LETTERS),
        ("small, digits", string.ascii_lowercase + string.digits),
        ("hex", HEX_DIGITS),
    ):
        for length in (8, 12, 16, 24, 32):
            scores = sorted(best_stretch(weights, drawn(dice, alphabet, length)) for _ in range(2_000))
            print(f"{name} of {length}: 99.9 % above {scores[2]:.1f}, 99 % {scores[20]:.1f}, 95 % {scores[100]:.1f}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.grain_training")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    names = sorted(set[bytes]().union(*map(names_below, given.folders)))
    random.Random(5).shuffle(names)
    if given.write:
        WEIGHTS.write_bytes(pack(learn_twice(names)))
    else:
        _check(names)
    return 0


if __name__ == "__main__":
    sys.exit(main())
