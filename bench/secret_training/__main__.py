"""`python -m bench.secret_training`: learns the weights of `adapters/redaction/prose.py` from marked texts.

python -m bench.secret_training                        # how well it does on texts it has not seen
python -m bench.secret_training --write --innocent DIR # learn from all of them, and from documents without secrets

Logistic regression over what each word of a passage is like, in plain Python: the same texts give the same bytes.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from baton.adapters.redaction.known_values import KnownValues
from baton.adapters.redaction.prefilter import Cache, Prefilter, open_prefilter
from baton.adapters.redaction.prose import BUCKETS, SCALE, ProseLayer, bucket, is_prose, passage, passages_of
from baton.adapters.redaction.redactor import LayeredRedactor, layers
from baton.adapters.redaction.scanner import Scanner
from baton.adapters.redaction.thresholds import CODE_AROUND
from bench.secret_training.texts import Marked, read, varied, written_in

HERE = Path(__file__).parent
WEIGHTS = Path(sys.modules["baton.adapters.redaction.prose"].__file__ or "").parent / "rules" / "prose.bin"
ROOT = HERE.parent.parent
TESTS, SECRETS, TABLES = ROOT / "tests" / "unit" / "redaction", HERE.parent / "secrets", WEIGHTS.parent.parent
EPOCHS, STEP, SHRINK = 10, 0.05, 1e-5
PARTS = 5
VARIANTS = 4
TIMES = 3
"""How much more a word of a test counts than one of a document."""
LONGEST = 100_000
MOST_INNOCENT, MOST_HARD = 100_000, 60_000
DOCUMENTS = 1_500
HARD = -3.0
EDGES = (-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0)

Sample = tuple[list[int], int]


def samples_of(texts: Iterable[Marked], prefilter: Prefilter) -> Iterator[Sample]:
    """What each word of the passages is like, and whether it is a secret."""
    for text, secrets in texts:
        data = text.encode("utf-8", "surrogatepass")
        ends = sorted({end for places in prefilter.ends(data).values() for end in places})
        for start, end, cues in passages_of(data, ends):
            around = data[start:end]
            whole = passage(around, [cue - start for cue in cues])
            if not is_prose(around, data[max(0, start - CODE_AROUND) : end + CODE_AROUND], whole.kinds):
                continue
            first = len(data[:start].decode("utf-8", "surrogateescape"))
            last = -2
            for at, (begin, end_) in enumerate(whole.words):
                label = any(begin + first < stop and end_ + first > begun for begun, stop in secrets)
                if whole.may_be(at, last == at - 1):
                    yield sorted({bucket(each) for each in whole.features(at, last)}), int(label)
                last = at if label else last


def learn(samples: Sequence[Sample]) -> list[float]:
    """Averaged over the later epochs, so that the order of the texts hardly matters."""
    weights, summed = [0.0] * BUCKETS, [0.0] * BUCKETS
    order = list(range(len(samples)))
    chance = random.Random(7)
    for epoch in range(EPOCHS):
        chance.shuffle(order)
        step = STEP / (1 + epoch / 3)
        for at in order:
            found, label = samples[at]
            score = sum([weights[each] for each in found])
            change = step * (label - 1 / (1 + math.exp(-max(-30.0, min(30.0, score)))))
            if abs(change) < step * 1e-3:
                continue
            for each in found:
                weights[each] += change - SHRINK * weights[each]
        if epoch >= EPOCHS // 2:
            summed = [total + weight for total, weight in zip(summed, weights, strict=True)]
        print(f"epoch {epoch + 1} of {EPOCHS}", file=sys.stderr)
    return [total / (EPOCHS - EPOCHS // 2) for total in summed]


def pack(weights: Sequence[float]) -> bytes:
    return bytes(max(-127, min(127, round(weight * SCALE))) & 0xFF for weight in weights)


def left_whole() -> list[Marked]:
    """What the tests and tables of the redactor say is no secret: texts that its other layers leave as they are."""
    others = [layer for layer in layers() if not isinstance(layer, ProseLayer)]
    scanner = Scanner(others, lambda anchors: open_prefilter(anchors, Cache(tempfile.mkdtemp())))
    redactor = LayeredRedactor(scanner, KnownValues({}))
    paths = [*sorted(TESTS.glob("*.py")), *sorted(TABLES.glob("*_rules.py")), SECRETS / "negatives.py"]
    texts = sorted({text for path in paths for text in written_in(path)})
    return [(text, []) for text in texts if redactor.redact(text).text == text]


def documents(roots: Sequence[str]) -> Iterator[Marked]:
    """Texts without secrets, in an order drawn by a seed."""
    paths = sorted(path for root in roots for path in Path(root).rglob("*") if path.is_file())
    random.Random(7).shuffle(paths)
    return ((path.read_bytes()[:LONGEST].decode("utf-8", "replace"), []) for path in paths)


def hard(weights: Sequence[float], texts: Iterable[Marked], prefilter: Prefilter) -> list[Sample]:
    """Words of documents that sound like secrets."""
    found = samples_of(texts, prefilter)
    return list(islice((each for each in found if sum(weights[at] for at in each[0]) > HARD), MOST_HARD))


def taught(texts: Sequence[Marked], more: Sequence[Sample], roots: Sequence[str], prefilter: Prefilter) -> list[float]:
    """Learns twice: then with the words of documents that it took for secrets the first time."""
    known = list(samples_of((each for at, text in enumerate(texts) for each in varied(text, at, VARIANTS)), prefilter))
    weights = learn([*known, *more])
    wrong = hard(weights, islice(documents(roots), DOCUMENTS, 3 * DOCUMENTS), prefilter)
    print(f"{len(known):,} words of texts, {len(more):,} of documents, {len(wrong):,} hard ones", file=sys.stderr)
    return learn([*known, *more, *wrong])


def _check(texts: Sequence[Marked], weights: Sequence[float], roots: Sequence[str], prefilter: Prefilter) -> None:
    scored = [(sum(weights[each] for each in found), label) for found, label in samples_of(texts, prefilter)]
    words = sum(label for _, label in scored)
    unseen = list(islice(documents(roots), 3 * DOCUMENTS, 4 * DOCUMENTS))
    size = sum(len(text) for text, _ in unseen) / 1e6
    heard = [sum(weights[each] for each in found) for found, _ in samples_of(unseen, prefilter)]
    print(f"{len(texts):,} texts that it has not seen, {words} words of secrets in them; {size:.1f} MB of documents:")
    for edge in EDGES:
        taken = [label for score, label in scored if score > edge]
        print(
            f"above {edge:4.1f}: recall {sum(taken) / words:.1%}, precision {sum(taken) / max(1, len(taken)):.1%},"
            f" {sum(score > edge for score in heard) / max(size, 1e-9):.2f} words a MB of documents"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.secret_training", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the weights of all texts")
    parser.add_argument("--innocent", nargs="*", default=[], metavar="DIR", help="documents that hold no secret")
    parser.add_argument("--texts", nargs="*", default=[], metavar="FILE", help="more marked texts")
    options = parser.parse_args(arguments)
    prefilter = open_prefilter(ProseLayer().anchors(), Cache(tempfile.mkdtemp()))
    texts = [text for path in [*sorted(HERE.glob("*.txt")), *map(Path, options.texts)] for text in read(path)]
    told = list(samples_of(left_whole(), prefilter)) * TIMES
    print(f"{len(told) // TIMES:,} words of tests and tables", file=sys.stderr)
    more = [*told, *islice(samples_of(documents(options.innocent), prefilter), MOST_INNOCENT)]
    if options.write:
        WEIGHTS.write_bytes(pack(taught(texts, more, options.innocent, prefilter)))
        return 0
    known = [text for at, text in enumerate(texts) if at % PARTS]
    _check(texts[::PARTS], taught(known, more, options.innocent, prefilter), options.innocent, prefilter)
    return 0


if __name__ == "__main__":
    sys.exit(main())
