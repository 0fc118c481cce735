"""The rows of the table: what is counted, in words, and how. They describe, they do not judge."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from bench.house import imports, shapes, words
from bench.house.tree import Definition, Function, Source, Tree, first_line

Figure = float | int

LIMITS = {
    "C901": "lint.mccabe.max-complexity=8",
    "PLR0912": "lint.pylint.max-branches=8",
    "PLR0915": "lint.pylint.max-statements=30",
    "PLR0913": "lint.pylint.max-args=6",
    "BLE001": "",
}
"""What ruff is asked to find, and how the limit of each is set: the same for every tree."""


@dataclass(frozen=True)
class Row:
    """A figure of a tree. With `only_baton` it means nothing elsewhere. `places` lists what was counted, if it can."""

    key: str
    title: str
    count: Callable[[Tree], Figure]
    unit: str = ""
    only_baton: bool = False
    places: Callable[[Tree], Sequence[str]] | None = None

    def figure(self, tree: Tree) -> Figure | None:
        return None if self.only_baton and not tree.is_baton else self.count(tree)


def shown(figure: Figure | None, unit: str = "") -> str:
    """As a cell: nothing for None, two decimals at most."""
    if figure is None:
        return ""
    number = f"{figure:,}" if isinstance(figure, int) else f"{figure:,.2f}" if figure < 10 else f"{figure:,.1f}"
    return f"{number} {unit}".rstrip()


def sizes(tree: Tree) -> list[int]:
    """Lines of each file but `__init__.py`, which is short for other reasons."""
    return sorted(source.lines for source in tree.sources if not source.is_init)


def quartile(tree: Tree, number: int) -> Figure:
    found = sizes(tree)
    return round(statistics.quantiles(found, method="inclusive")[number - 1]) if len(found) > 1 else sum(found)


def under(tree: Tree, limit: int) -> int:
    return sum(size < limit for size in sizes(tree))


def over(tree: Tree, limit: int) -> int:
    return sum(size > limit for size in sizes(tree))


def hits_per_thousand(tree: Tree) -> float:
    """How often `LIMITS` are broken, comments that silence a rule disregarded."""
    hits = [each for each in json.loads(_ruff(tree)) if each["code"] in LIMITS]
    return 1000 * len(hits) / (tree.lines or 1)


def _ruff(tree: Tree) -> str:
    """Its answer as JSON. No settings, no cache and no list of ignored files has a say."""
    overrides = [part for limit in LIMITS.values() if limit for part in ("--config", limit)]
    same = ["--isolated", "--no-cache", "--no-respect-gitignore", "--ignore-noqa", "--target-version", "py314"]
    command = [sys.executable, "-m", "ruff", "check", *same, "--config", "exclude=[]", *overrides]
    asked = [*command, "--select", ",".join(LIMITS), "--output-format", "json", str(tree.folder)]
    result = subprocess.run(asked, capture_output=True, text=True, check=False)
    if result.returncode not in (0, 1):
        raise RuntimeError(f"ruff ended with code {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def longest_function(tree: Tree) -> int:
    """Lines from `def` to its end, decorators aside."""
    return max((_length(each) for source in tree.sources for each in source.functions), default=0)


def head_share(tree: Tree) -> float:
    """Of a hundred lines, how many stand before their file's first class or function; all, where it has none."""
    read = [source for source in tree.sources if source.syntax]
    return 100 * sum(map(_head, read)) / (sum(source.lines for source in read) or 1)


def _head(source: Source) -> int:
    top = source.syntax.body if source.syntax else ()
    return next((first_line(each) - 1 for each in top if isinstance(each, Definition)), source.lines)


def _length(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def _listed(key: str, title: str, places: Callable[[Tree], Sequence[str]], *, only_baton: bool = False) -> Row:
    return Row(key, title, lambda tree: len(places(tree)), "", only_baton, places)


ROWS = (
    Row("files", "files", lambda tree: len(tree.sources)),
    Row("lines", "lines", lambda tree: tree.lines),
    Row("lower_quartile", "lines of a file: lower quartile", partial(quartile, number=1)),
    Row("median", "lines of a file: median", partial(quartile, number=2)),
    Row("upper_quartile", "lines of a file: upper quartile", partial(quartile, number=3)),
    Row("under_40", "files under 40 lines", partial(under, limit=40)),
    Row("under_60", "files under 60 lines", partial(under, limit=60)),
    Row("over_300", "files over 300 lines", partial(over, limit=300)),
    Row("over_450", "files over 450 lines", partial(over, limit=450)),
    Row("ruff", "ruff, strict selection, per 1,000 lines", hits_per_thousand),
    Row("longest", "longest function in lines", longest_function),
    Row("head", "lines before the first definition", head_share, "%"),
    Row("past", "functions named by a past participle", words.past_share, "%", places=words.past_names),
    Row("present", "functions named by a word in -ing", words.present_share, "%", places=words.present_names),
    _listed("wide", "constructors with over 6 parameters", shapes.wide_constructors),
    _listed("cycles", "import cycles", partial(imports.cycles, late=False)),
    _listed("late_cycles", "import cycles, with imports inside functions", partial(imports.cycles, late=True)),
    _listed("bags", "str → Any in signatures of core, engine, surfaces", shapes.bags_in_signatures, only_baton=True),
    _listed("bag_fields", "str → Any in fields of core, engine, surfaces", shapes.bags_in_fields, only_baton=True),
    _listed("surfaces", "imports between surfaces", partial(imports.siblings, layer="surfaces"), only_baton=True),
    _listed("adapters", "imports between adapters", partial(imports.siblings, layer="adapters"), only_baton=True),
    _listed("json_text", "JSON searched as text", shapes.json_searched_as_text, only_baton=True),
    Row("unread", "files this Python cannot read", lambda tree: tree.unread),
)
