"""Handoffs killed with SIGKILL, at every step in turn and at random moments: what is left must always be whole.

    python -m bench.handoff_kills --runs 500 --store sqlite
    python -m bench.handoff_kills --runs 500 --store postgres

Each run is a process of its own on a real store and a real repository. After its death the store is opened anew and
looked at (`tests/support/killed_handoffs.py` says for what), and another handoff goes on from there. Prints the counts;
fails loudly at the first run that left something else than the old session live or the new one ready.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.progress import say


def main(arguments: Sequence[str] | None = None) -> int:
    from tests.support.killed_handoffs import Ground, plan
    from tests.support.workers.crew import Crew
    from tests.support.workers.stores import LOCATIONS

    parser = argparse.ArgumentParser(prog="python -m bench.handoff_kills", description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--store", choices=sorted(LOCATIONS), default="sqlite")
    parser.add_argument("--seed", type=int, default=4)
    options = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="baton-kills-") as name, Crew() as crew:
        directory = Path(name)
        with LOCATIONS[options.store](directory) as location:
            ground = Ground(location, directory / "ground", crew, options.seed)
            for number, (way, point) in enumerate(plan(options.runs), 1):
                ground.run(way, point)
                if number % 50 == 0:
                    say(f"{number} of {options.runs} killed on {options.store}")
            ground.close()
    counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(ground.outcomes.items()))
    print(f"{options.store}: {options.runs} kills in {time.monotonic() - began:.0f} s: {counts}; 0 violations")
    return 0


if __name__ == "__main__":
    sys.exit(main())
