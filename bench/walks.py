"""Five walks through the program: how many files one thing a person does leads through, and how it crosses the layers.

    python -m bench.walks                        # this checkout
    python -m bench.walks --root DIR --files     # another one, with its own tests; each file in the order of its visit

Each walk is one test of the suite, found by its name wherever it lies, run in one process and traced from its first
line to its last. Counted are calls of functions in `src/baton`; loading modules and a test's fixtures are not. A call
goes down if it comes from a layer above the one it ends in, and up if it comes from below (a callback, or an adapter
called through its port). Counts of calls vary from run to run, since some code asks again until something is there;
files and pairs hardly do.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench import walks_trace
from bench.progress import say
from bench.report import table

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 300
LAYERS = {"core": 0, "ports": 1, "engine": 2, "config": 3, "adapters": 4, "surfaces": 4, "testing": 4, "wiring": 5}
"""How high each layer stands; files that stand in none are not counted as crossing."""

WALKS = (
    ("typed line", "terminal", "test_an_answer_in_markdown"),
    ("fresh session", "engine", "test_two_compressions_hand_off_in_the_middle_of_a_turn"),
    ("channel message", "gateway", "test_a_message_is_a_turn_and_the_place_speaks_for_one_conversation"),
    ("channel message", "telegram, a day", "test_a_day_of_talking[telegram]"),
    ("transfer", "terminal", "test_the_terminal_leaves_when_the_conversation_has_arrived"),
    ("transfer", "gateway", "test_it_arrives_in_a_thread_of_its_own_and_the_first_reply_knows_everything"),
    ("editor's prompt", "acp", "test_a_prompt_is_answered_after_everything_it_said"),
)
"""What a person does, the side of it that is seen, and the test that does it."""


@dataclass(frozen=True)
class Walked:
    """What one walk led through: calls between layers, and the distinct pairs of files that made them."""

    walk: str
    side: str
    test: str
    files: tuple[str, ...]
    down: int
    up: int
    pairs_down: int
    pairs_up: int


class NotWalked(Exception):
    """The test was not found or did not pass; the message says which."""


def main(arguments: Sequence[str] | None = None) -> int:
    """0, or 1 if a walk could not be taken."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.walks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--root", "--src", type=Path, default=ROOT, metavar="DIR", help="the checkout to walk through")
    parser.add_argument("--files", action="store_true", help="list the files of each walk by first visit")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write everything there")
    options = parser.parse_args(arguments)
    found = list(_all(options.root.resolve()))
    print(_table(found))
    if options.files:
        print(
            "\n".join(f"\n{each.walk}, {each.side}\n" + "\n".join(f"  {file}" for file in each.files) for each in found)
        )
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps([asdict(each) for each in found], indent=1) + "\n")
    return 0 if len(found) == len(WALKS) else 1


def _all(root: Path) -> Iterator[Walked]:
    with tempfile.TemporaryDirectory(prefix="baton-walks-") as work:
        for walk, side, test in WALKS:
            say(f"{walk}, {side}")
            try:
                yield judge(walk, side, trace(root, test, Path(work)))
            except NotWalked as reason:
                say(f"not walked: {reason}")


def judge(walk: str, side: str, traced: dict[str, Any]) -> Walked:
    """The figures of one trace."""
    crossing = [(_height(start), _height(end), count) for start, end, count in traced["calls"]]
    known = [(start, end, count) for start, end, count in crossing if start is not None and end is not None]
    down = [count for start, end, count in known if start > end]
    up = [count for start, end, count in known if start < end]
    return Walked(walk, side, traced["test"], tuple(traced["files"]), sum(down), sum(up), len(down), len(up))


def _height(file: str) -> int | None:
    return LAYERS.get(file.partition("/")[0])


def trace(root: Path, test: str, work: Path) -> dict[str, Any]:
    """Runs the test of a checkout with its own source; everything it leaves lies in `work`. Raises `NotWalked`."""
    plugin = Path(shutil.copy(walks_trace.__file__, work))
    out = work / "walk.json"
    out.unlink(missing_ok=True)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(root / "src"), str(work)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        walks_trace.SOURCE: str(root / "src" / "baton"),
        walks_trace.OUT: str(out),
    }
    options = ["-q", "-o", "addopts=", "-p", "no:cacheprovider", "-p", plugin.stem]
    command = [sys.executable, "-m", "pytest", *options, locate(root, test)]
    result = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    if result.returncode or not out.exists():
        raise NotWalked(f"{test} did not pass:\n{result.stdout[-2000:]}{result.stderr[-500:]}")
    return json.loads(out.read_text())


def locate(root: Path, test: str) -> str:
    """The test's id, found by the name of its function. Raises `NotWalked` if no file or more than one has it."""
    wanted = re.compile(rf"^(?:async )?def {test.partition('[')[0]}\(", re.MULTILINE)
    files = [file for file in sorted((root / "tests").rglob("test_*.py")) if wanted.search(file.read_text())]
    if len(files) != 1:
        raise NotWalked(f"{len(files)} files of {root.name}/tests have {test}")
    return f"{files[0].relative_to(root)}::{test}"


def _table(found: Sequence[Walked]) -> str:
    head = ("walk", "seen from", "files", "calls down", "calls up", "pairs down", "pairs up")
    rows = [
        (each.walk, each.side, *map(str, (len(each.files), each.down, each.up, each.pairs_down, each.pairs_up)))
        for each in found
    ]
    return table(head, rows)


if __name__ == "__main__":
    sys.exit(main())
