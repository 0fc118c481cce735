"""Handoffs killed with SIGKILL, at every step in turn and at random moments: what is left must always be whole.

    python -m bench.handoff_kills --runs 500 --store sqlite
    python -m bench.handoff_kills --runs 500 --store postgres
    python -m bench.handoff_kills --chain 1000              # that many handoffs of one conversation
    python -m bench.handoff_kills --canaries 10000          # packets full of secrets, each looked through

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
    parser = argparse.ArgumentParser(prog="python -m bench.handoff_kills", description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--store", choices=["postgres", "sqlite"], default="sqlite")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--chain", type=int, metavar="N")
    parser.add_argument("--canaries", type=int, metavar="N")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    if options.canaries:
        told = _canaries(options.canaries, options.seed)
    elif options.chain:
        told = _chain(options.chain)
    else:
        told = _kills(options.runs, options.store, options.seed)
    print(f"{told} in {time.monotonic() - began:.0f} s")
    return 0


def _kills(runs: int, store: str, seed: int) -> str:
    from tests.support.killed_handoffs import Ground, plan
    from tests.support.workers.crew import Crew
    from tests.support.workers.stores import LOCATIONS

    with tempfile.TemporaryDirectory(prefix="baton-kills-") as name, Crew() as crew:
        directory = Path(name)
        with LOCATIONS[store](directory) as location:
            ground = Ground(location, directory / "ground", crew, seed)
            for number, (way, point) in enumerate(plan(runs), 1):
                ground.run(way, point)
                if number % 50 == 0:
                    say(f"{number} of {runs} killed on {store}")
            ground.close()
    counts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(ground.outcomes.items()))
    return f"{store}: {runs} kills: {counts}; 0 violations"


def _chain(count: int) -> str:
    from tests.support.long_chains import Chain

    with tempfile.TemporaryDirectory(prefix="baton-chain-") as name:
        chain = Chain(Path(name))
        chain.grow(count, say)
        early, late = chain.costs()
        chain.close()
    return f"{count} handoffs: {early:.1f} ms each at the beginning, {late:.1f} ms at the end"


def _canaries(count: int, seed: int) -> str:
    from tests.support.packet_canaries import Hoard, leaks

    planted = 0
    with tempfile.TemporaryDirectory(prefix="baton-canaries-") as name:
        for batch in range(0, count, 100):
            hoard = Hoard(seed + batch, f"{name}/cache", name)
            for _ in range(min(100, count - batch)):
                found = leaks(hoard)
                planted += len(hoard.planted)
                if found:
                    raise SystemExit("\n".join(found))
            if batch % 1000 == 900:
                say(f"{batch + 100} of {count} packets, nothing found")
    return f"{count} conversations with {planted} secrets handed off: 0 came out"


if __name__ == "__main__":
    sys.exit(main())
