"""Gateways killed with SIGKILL, at every step in turn and at random moments: nothing lost, nobody stuck, heard once.

    python -m bench.transfer_kills --runs 1000 --store sqlite
    python -m bench.transfer_kills --runs 1000 --store postgres
    python -m bench.transfer_kills --mode inbound           # a message, from its arrival to its answer
    python -m bench.transfer_kills --mode delivery --runs 500   # sends that are turned away, fail, or are swallowed
    python -m bench.transfer_kills --mode updates --runs 10000  # updates repeated and out of order, across restarts
    python -m bench.transfer_kills --mode outages --runs 200    # the store goes away in the middle of writes

Each run is a gateway process of its own on a real store, with a platform that outlives it. After its death another one
goes on (`tests/support/killed_transfers.py` says what is looked at then). Prints the counts and how long it took from
the death to the end of what was begun; fails loudly at the first run that left anything behind.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.progress import say


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.transfer_kills", description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--store", choices=["postgres", "sqlite"], default="sqlite")
    parser.add_argument("--mode", choices=["transfer", "inbound", "delivery", "updates", "outages"], default="transfer")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    from tests.support.workers.stores import LOCATIONS

    with tempfile.TemporaryDirectory(prefix="baton-kills-") as name:
        directory = Path(name)
        with LOCATIONS[options.store](directory) as location:
            told = _MODES.get(options.mode, _kills)(location, directory, options.mode, options.runs)
    print(f"{options.store}: {told} in {time.monotonic() - began:.0f} s")
    return 0


def _kills(location: str, directory: Path, mode: str, runs: int) -> str:
    from tests.support.gateway_crew import LEASE
    from tests.support.killed_transfers import Field

    def told(number: int) -> None:
        if number % 50 == 0:
            say(f"{number} of {runs} killed")

    with Field(location, directory) as field:
        field.run(mode, runs, told=told)
        counts, recoveries = field.outcomes, field.recoveries
    p50, p99 = (recoveries[int(len(recoveries) * part)] for part in (0.5, 0.99))
    recovery = f"recovery p50 {p50:.2f}, p99 {p99:.2f}, max {recoveries[-1]:.2f} s with a lease of {LEASE:.0f} s"
    return f"{runs} kills ({mode}): {_shown(counts)}; 0 violations; {recovery}"


def _delivery(location: str, directory: Path, _: str, runs: int) -> str:
    from tests.support.troubled_delivery import Trouble

    with Trouble(location, directory) as trouble:
        trouble.run(runs, kills=10)
        return f"{runs} sends with trouble: {_shown(trouble.outcomes)}; 0 violations"


def _updates(location: str, directory: Path, _: str, runs: int) -> str:
    from tests.support.repeated_updates import repeat_updates

    return repeat_updates(location, directory, runs)


def _outages(location: str, directory: Path, _: str, runs: int) -> str:
    from tests.support.outages import go_through

    logging.getLogger("baton").setLevel(logging.CRITICAL)  # that it is away is no news here
    store = "postgres" if location.startswith("postgresql:") else "sqlite"
    outages = asyncio.run(go_through(store, directory / "outages", 0, runs))
    return f"{runs} runs with {outages} outages: each message answered once and in order, each transfer arrived once"


def _shown(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))


_MODES = {"delivery": _delivery, "updates": _updates, "outages": _outages}


if __name__ == "__main__":
    sys.exit(main())
