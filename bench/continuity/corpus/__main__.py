"""`python -m bench.continuity.corpus OUT`: writes the corpus."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.continuity.corpus.author import Author
from bench.continuity.corpus.claude import claude_lines
from bench.continuity.corpus.codex import codex_lines
from bench.continuity.corpus.export import baton_lines
from bench.continuity.corpus.fixture import fixture
from bench.continuity.corpus.opencode import opencode_lines
from bench.continuity.corpus.story import Story
from bench.continuity.sources import SIDECAR
from bench.progress import say

Write = Callable[[Story, int], Iterator[str]]
FORMATS: dict[str, Write] = {"claude-code": claude_lines, "baton": baton_lines}
WRITERS: dict[str, Write] = {**FORMATS, "codex": codex_lines, "opencode": opencode_lines}
"""The last two have no dead branches and no compactions: they write the situations, not the long stories."""


def stories(count: int, seed: int) -> Iterator[Story]:
    """The same for the same seed, on every machine; the last one is the small planted fixture."""
    for number in range(count - 1):
        yield Author(seed, number).write()
    if count:
        yield fixture()


def write(out: Path, count: int, seed: int, formats: Sequence[str] = tuple(FORMATS)) -> list[Path]:
    """The transcripts, `OUT/<format>/<name>.jsonl`; what is true of each lies in `OUT/<format>.truth/`."""
    made: list[Path] = []
    for number, story in enumerate(stories(count, seed)):
        for name in formats:
            target = out / name / f"{story.name}.jsonl"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("".join(f"{line}\n" for line in FORMATS[name](story, seed + number)))
            beside = out / f"{name}.truth" / f"{story.name}{SIDECAR}"
            beside.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(json.dumps(story.truth(), indent=1, ensure_ascii=False) + "\n")
            made.append(target)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    made = argparse.ArgumentParser(prog="python -m bench.continuity.corpus", description=__doc__)
    made.add_argument("out", type=Path, metavar="OUT")
    made.add_argument("--count", type=int, default=40, metavar="N", help="conversations; default: 40")
    made.add_argument("--seed", type=int, default=1, metavar="N", help="default: 1")
    made.add_argument("--format", nargs="+", choices=list(FORMATS), default=list(FORMATS))
    options = made.parse_args(arguments)
    paths = write(options.out, options.count, options.seed, options.format)
    size = sum(path.stat().st_size for path in paths)
    say(f"wrote {len(paths)} transcripts, {size / 1e6:.1f} MB, below {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
