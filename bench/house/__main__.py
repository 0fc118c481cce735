"""The source tree in figures, beside what it was before and beside other projects. They describe, they do not judge.

    python -m bench.house                           # now, and the newest wheels of five projects
    python -m bench.house --before HEAD~50          # and a revision of this checkout, or a directory with another
    python -m bench.house --no-peers --names        # without a network; each place that was counted, file:line

Everything is read as data: no revision and no wheel is installed or imported. `rows.py` says what each row counts.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.house import wheels
from bench.house.rows import ROWS, shown
from bench.house.tree import Tree, read_tree
from bench.peers.environment import PeerUnavailable
from bench.progress import say
from bench.report import table

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path("src") / "baton"


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m bench.house", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--before", metavar="REV|DIR", help="a column for a git revision, or for a directory's checkout")
    made.add_argument("--no-peers", action="store_true", help="only Baton's columns")
    made.add_argument("--names", action="store_true", help="list what was counted in this checkout, file:line")
    made.add_argument("--json", type=Path, metavar="OUT", help="write the figures there")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    now = read_tree("Baton now", ROOT / PACKAGE, is_baton=True)
    with _before(options.before) as before:
        trees = [*before, now, *([] if options.no_peers else _peers())]
        figures = {row.key: [row.figure(tree) for tree in trees] for row in ROWS}
    print(_table(trees, figures))
    if options.names:
        print(_places(now))
    if options.json:
        _write(options.json, {"columns": [tree.title for tree in trees], "rows": figures})
    return 0


@contextmanager
def _before(given: str | None) -> Iterator[list[Tree]]:
    if given is None:
        yield []
        return
    with checkout(given) as folder:
        yield [read_tree("Baton before", folder / PACKAGE, is_baton=True)]


@contextmanager
def checkout(given: str) -> Iterator[Path]:
    """The root of a checkout: the directory itself, or the revision of this one exported for as long as it is used."""
    if Path(given).is_dir():
        yield Path(given).resolve()
        return
    archive = subprocess.run(["git", "archive", given, "src"], cwd=ROOT, capture_output=True, check=False)
    if archive.returncode:
        raise SystemExit(f"{given} is neither a directory nor a revision: {archive.stderr.decode().strip()}")
    with tempfile.TemporaryDirectory(prefix="baton-before-") as name:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(name, filter="data")
        yield Path(name)


def _peers() -> list[Tree]:
    """The other projects' trees; none, after saying why, if they cannot be had."""
    try:
        return wheels.peers(say)
    except PeerUnavailable as reason:
        say(f"without other projects: {reason}")
        return []


def _table(trees: Sequence[Tree], figures: dict[str, list[Any]]) -> str:
    head = ("", *(tree.title for tree in trees))
    return table(head, [(row.title, *(shown(each, row.unit) for each in figures[row.key])) for row in ROWS])


def _places(tree: Tree) -> str:
    """What each row counted, under its title."""
    listed = [(row.title, row.places(tree)) for row in ROWS if row.places is not None]
    return "\n".join(f"\n{title}: {len(found)}\n" + "\n".join(f"  {each}" for each in found) for title, found in listed)


def _write(path: Path, result: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    say(f"wrote {path}")


if __name__ == "__main__":
    sys.exit(main())
