"""`python -m bench.continuity.figures LABEL`: every lane at its usual size, written to one file and into the page.

LABEL is `before` or `after`: docs/continuity/LABEL.json holds the figures, docs/continuity.md the tables made of both,
docs/continuity/*.svg the plots. Seeds are fixed: the same product gives the same figures.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.continuity import __main__ as handoffs
from bench.continuity import page, sessions
from bench.continuity.corpus.__main__ import write
from bench.continuity.labels import __main__ as labels
from bench.continuity.situations import __main__ as situations
from bench.progress import say

ROOT = Path(__file__).parents[2]
COUNT, SEED, HANDOFFS = 8, 1, 10
SESSIONS, CHAINS = 100, 2
SHARES = ("recall", "last_session")


def collect(folder: Path, *, small: bool = False) -> dict[str, Any]:
    """All lanes that need no model, by name."""
    return {
        "handoffs": _handoffs(folder, 3 if small else COUNT, 2 if small else HANDOFFS),
        "situations": _lane(situations.main, folder / "s.json", ["--each", "1"] if small else []),
        "labels": _lane(labels.main, folder / "l.json", ["--most", "4"] if small else []),
        "labels_nominated": _lane(
            labels.main, folder / "n.json", ["--nominations", "scripted", *(["--most", "4"] if small else [])]
        ),
        "sessions": _lane(
            sessions.main,
            folder / "c.json",
            ["--most", str(3 if small else SESSIONS), "--chains", str(1 if small else CHAINS)],
        ),
    }


def _handoffs(folder: Path, count: int, steps: int) -> dict[str, Any]:
    write(folder / "corpus", count, SEED, ("claude-code",))
    return _lane(handoffs.main, folder / "h.json", [str(folder / "corpus" / "claude-code"), "--handoffs", str(steps)])


def _lane(main: Any, out: Path, options: Sequence[str]) -> dict[str, Any]:
    say(f"running {main.__module__}")
    if main([*options, "--json", str(out)]) not in (0, 1):
        raise SystemExit(f"{main.__module__} could not be run")
    return json.loads(out.read_text())


def shrink(found: Mapping[str, Any]) -> dict[str, Any]:
    """What the page needs: shares and counts, no texts of transcripts."""
    held = found["handoffs"]
    return {
        "handoffs": {
            "n": held["handoffs"],
            "transcripts": held["sessions"],
            "entries": held["entries"],
            "classes": held["classes"],
            "arms": {arm: _shrink_arm(each) for arm, each in held["arms"].items()},
        },
        "situations": {name: each for name, each in found["situations"].items() if name != "wrong"},
        "labels": {name: _without_lists(each) for name, each in found["labels"].items()},
        "labels_nominated": {name: _without_lists(each) for name, each in found["labels_nominated"].items()},
        "sessions": {n: _shrink_step(each) for n, each in found["sessions"]["by_n"].items()},
    }


def _shrink_arm(arm: Mapping[str, Any]) -> dict[str, Any]:
    numbers = {name: each for name, each in arm.items() if isinstance(each, int | float)}
    recall = {name: [_round(row["share"]) for row in each["by_n"]] for name, each in arm["recall"].items()}
    facts = {name: _facts(each["by_n"]) for name, each in arm["recall"].items()}
    core = [_round(each) for each in arm["core"]]
    tokens = [each["max"] for each in arm["tokens"]]
    return {**numbers, "recall": recall, "facts": facts, "core": core, "tokens": tokens, "advice": arm["advice"]}


def _facts(by_n: Sequence[Mapping[str, Any]]) -> int:
    """At the last cut; of classes that look ahead, at the last that has something ahead."""
    return next((row["facts"] for row in reversed(by_n) if row["facts"]), 0)


def _shrink_step(step: Mapping[str, Any]) -> dict[str, Any]:
    arm = step["handoff"]
    shares = {
        key: {name: _round(each["share"]) for name, each in arm[key].items()} for key in ("recall", "last_session")
    }
    kept = (
        "tokens",
        "false_green",
        "shown_passed",
        "stale_blockers",
        "blockers",
        "pointers",
        "pointers_wrong",
        "leaks",
    )
    return {"chains": step["chains"], "automatic_mode": step["automatic_mode"], **{k: arm[k] for k in kept}, **shares}


def _without_lists(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in row.items() if not isinstance(each, list)}


def _round(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


def main(arguments: Sequence[str] | None = None) -> int:
    made = argparse.ArgumentParser(prog="python -m bench.continuity.figures", description=__doc__)
    made.add_argument("label", choices=page.LABELS)
    made.add_argument("--docs", type=Path, default=ROOT / "docs", metavar="DIR", help="default: the repository's")
    made.add_argument("--small", action="store_true", help="a few of everything, to see that it runs")
    options = made.parse_args(arguments)
    with TemporaryDirectory(prefix="baton-figures-") as folder:
        found = shrink(collect(Path(folder), small=options.small))
    target = options.docs / "continuity" / f"{options.label}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n")
    page.fill(options.docs)
    say(f"wrote {target} and the tables of {options.docs / 'continuity.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
