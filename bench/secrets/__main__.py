# ruff: noqa: A005
"""`python -m bench.secrets`: tables of what is gone and what is damaged.

python -m bench.secrets                        # what rules are tuned on
python -m bench.secrets --held-out             # what is only counted
python -m bench.secrets --show place prose     # the texts of one row, column or class that still hold their secret
python -m bench.secrets --sources DIR .go .rs  # cuts in source files below DIR, each with what it cut
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from baton.adapters.redaction.redactor import open_redactor
from baton.ports.redactor import Redactor
from bench.secrets import measure, places, styles


def main() -> None:
    given = _arguments()
    rules = str(Path(tempfile.gettempdir()) / "baton-bench-rules")
    redactor = open_redactor(tempfile.mkdtemp(), {}, [], rules)  # a workspace of nothing: others leave files about
    seed = str(given.seed)
    if given.sources:
        _print_sources(redactor, Path(given.sources[0]), given.sources[1:] or [".py"], given.seed)
        return
    held = given.held_out
    where, what = (places.HELD_OUT, styles.HELD_OUT) if held else (places.PLACES, styles.STYLES)
    grid = measure.grid(redactor, where, what, given.runs, seed)
    speech = measure.grid(redactor, measure.spoken(held), what, given.runs, seed)
    tables = {
        "place": measure.by(grid, 1),
        "style": measure.by({**grid, **speech}, 0),
        "language": measure.by(speech, 1),
        "class": measure.classes(redactor, held, given.runs, seed),
        "invented": measure.by_text(redactor, held, given.runs, seed),
        "programs": measure.in_programs(redactor, seed),
        "typed token": measure.by(measure.typed_tokens(redactor, held, given.runs, seed), 1),
    }
    changed = list(measure.altered(redactor, held, 2, seed))
    if given.show:
        _show(tables, changed, given.show)
        return
    for name, tallies in tables.items():
        _print_table(name, tallies)
    print(f"\nhard negatives altered: {len(changed)}")
    if not held:
        print("\n".join(f"cuts in {name}: {count}" for name, count in measure.cuts(redactor, seed).items()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.secrets")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--show", nargs=2, metavar=("TABLE", "NAME"))
    parser.add_argument("--sources", nargs="+", metavar=("DIR", ".END"))
    return parser.parse_args()


def _print_table(name: str, tallies: Mapping[str, measure.Tally]) -> None:
    gone, all_of_them = sum(each.gone for each in tallies.values()), sum(each.all for each in tallies.values())
    print(f"\n{name}: {100 * gone / all_of_them:.1f} % of {all_of_them}")
    for each, tally in sorted(tallies.items(), key=lambda item: item[1].share):
        print(f"  {tally.share:6.1f} %  {each}")


def _show(tables: Mapping[str, Mapping[str, measure.Tally]], changed: list[tuple[str, str]], show: list[str]) -> None:
    table, name = show
    if table == "negatives":
        print("\n".join(f"- {before!r}\n+ {after!r}" for before, after in changed))
        return
    print("\n".join(map(repr, tables[table][name].standing)))


def _print_sources(redactor: Redactor, root: Path, ends: list[str], seed: int) -> None:
    """Every cut with what it took, so that one can see whether a person would want it gone; then how many there are."""
    size, lines = measure.sources(redactor, root, ends, _MOST_OF_SOURCES, seed)
    print("\n".join(lines))
    print(f"{len(lines)} cuts in {size / 1e6:.1f} MB: {len(lines) / max(1, size) * 1e6:.2f} per MB", file=sys.stderr)


_MOST_OF_SOURCES = 40_000_000
"""Bytes; of a larger folder the files are drawn by the seed."""


if __name__ == "__main__":
    main()
