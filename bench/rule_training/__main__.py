"""`python -m bench.rule_training`: learns the weights of `core/handoff/rules/learned.py` from labelled sentences.

Logistic regression over hashed pieces of words, in plain Python: the same sentences give the same bytes. Without
--write it only says how well it does on sentences it has not seen (five parts, each left out once).
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from baton.core.handoff.rules.learned import BUCKETS, SCALE, pieces

HERE = Path(__file__).parent
WEIGHTS = Path(sys.modules["baton.core.handoff.rules.learned"].__file__ or "").with_name("weights.bin")
TAUGHT = HERE.parent.parent / "tests" / "unit" / "core" / "handoff" / "rules"
EPOCHS, STEP, SHRINK = 16, 0.06, 2e-5
PARTS = 5

Sample = tuple[list[int], int, str, str]


def load() -> list[Sample]:
    """Every sentence once, in a fixed order."""
    rows: dict[str, tuple[int, str]] = {}
    for path in sorted(HERE.glob("*.tsv")):
        for line in path.read_text().splitlines():
            label, language, text = line.split("\t", 2)
            rows[text.strip()] = (int(label == "rule"), language)
    for path in sorted(TAUGHT.glob("sentences*.txt")):
        for line in path.read_text().splitlines():
            if line and not line.startswith("#"):
                label, language, text = line.split(" ", 2)
                rows[text.strip()] = (int(label in "ST"), language)
    return [(pieces(text), label, language, text) for text, (label, language) in sorted(rows.items())]


def learn(samples: Sequence[Sample]) -> list[float]:
    """Averaged over the later epochs, so that the order of the sentences hardly matters."""
    weights, summed = [0.0] * BUCKETS, [0.0] * BUCKETS
    order = list(range(len(samples)))
    chance = random.Random(7)
    for epoch in range(EPOCHS):
        chance.shuffle(order)
        step = STEP / (1 + epoch / 4)
        for at in order:
            found, label, _, _ = samples[at]
            score = sum(weights[bucket] for bucket in found)
            change = step * (label - 1 / (1 + math.exp(-max(-30.0, min(30.0, score)))))
            for bucket in found:
                weights[bucket] += change - SHRINK * weights[bucket]
        if epoch >= EPOCHS // 2:
            summed = [total + weight for total, weight in zip(summed, weights, strict=True)]
    return [total / (EPOCHS - EPOCHS // 2) for total in summed]


def pack(weights: Iterable[float]) -> bytes:
    return bytes(max(-127, min(127, round(weight * SCALE))) & 0xFF for weight in weights)


def _check(samples: Sequence[Sample]) -> None:
    scored: list[tuple[float, int, str]] = []
    for part in range(PARTS):
        known = [sample for at, sample in enumerate(samples) if at % PARTS != part]
        weights = learn(known)
        for at, (found, label, language, _) in enumerate(samples):
            if at % PARTS == part:
                scored.append((sum(weights[bucket] for bucket in found), label, language))
    rules = sum(label for _, label, _ in scored)
    print(f"{len(samples):,} sentences, {rules:,} of them rules; on those it has not seen:")
    for edge in (-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0):
        taken = [label for score, label, _ in scored if score > edge]
        print(f"above {edge:4.1f}: recall {sum(taken) / rules:.1%}, precision {sum(taken) / max(1, len(taken)):.1%}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.rule_training", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the weights of all sentences")
    options = parser.parse_args(arguments)
    samples = load()
    _check(samples)
    if options.write:
        WEIGHTS.write_bytes(pack(learn(samples)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
