"""Gateways killed with SIGKILL, at every step in turn and at random moments: nothing lost, nobody stuck, heard once.

    python -m bench.transfer_kills --runs 1000 --store sqlite
    python -m bench.transfer_kills --runs 1000 --store postgres
    python -m bench.transfer_kills --mode inbound           # a message, from its arrival to its answer
    python -m bench.transfer_kills --platform discord --runs 250    # its real adapter; also slack, matrix, telegram
    python -m bench.transfer_kills --mode delivery --runs 500   # sends that are turned away, fail, or are swallowed
    python -m bench.transfer_kills --mode updates --runs 10000  # updates repeated and out of order, across restarts
    python -m bench.transfer_kills --mode outages --runs 200    # the store goes away in the middle of writes

Each run is a gateway process of its own on a real store, with a platform that outlives it: a little messaging service,
or with `--platform` the server that the contract suite holds the real adapter to (for Matrix a real Synapse). After its
death another one goes on (`tests/support/killed_transfers.py` says what is looked at then). Prints the counts and how
long it took from the death to the end of what was begun; fails loudly at the first run that left anything behind.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.progress import say

PLATFORMS = ("discord", "matrix", "slack", "telegram")
_BATCH = 50


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.transfer_kills", description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--store", choices=["postgres", "sqlite"], default="sqlite")
    parser.add_argument("--mode", choices=["transfer", "inbound", "delivery", "updates", "outages"], default="transfer")
    parser.add_argument("--platform", choices=PLATFORMS, help="with its real adapter; modes transfer and inbound")
    options = parser.parse_args(arguments)
    if options.platform and options.mode in _MODES:
        parser.error("--platform goes with the modes transfer and inbound")
    began = time.monotonic()
    from tests.support.workers.stores import LOCATIONS

    with tempfile.TemporaryDirectory(prefix="baton-kills-") as name:
        directory = Path(name)
        if options.platform:
            told = _platform_kills(options.platform, options.store, directory, options.mode, options.runs)
        else:
            with LOCATIONS[options.store](directory) as location:
                told = _MODES.get(options.mode, _kills)(location, directory, options.mode, options.runs)
    print(f"{options.store}: {told} in {time.monotonic() - began:.0f} s")
    return 0


def _kills(location: str, directory: Path, mode: str, runs: int) -> str:
    from tests.support.killed_transfers import Field

    with Field(location, directory) as field:
        field.run(mode, runs, told=lambda number: _tell(number, runs))
        return _told(mode, runs, field.outcomes, field.recoveries)


def _platform_kills(platform: str, store: str, directory: Path, mode: str, runs: int) -> str:
    """A new server and new stores for each batch: what people see is read whole again and again."""
    from tests.support.killed_transfers import StagedField
    from tests.support.workers.stores import LOCATIONS

    counts, recoveries = Counter[str](), list[float]()
    for first in range(0, runs, _BATCH):
        count = min(_BATCH, runs - first)
        with StagedField(platform, LOCATIONS[store], directory / f"from{first}") as field:
            field.run(mode, count, first)
            counts += field.outcomes
            recoveries += field.recoveries
        _tell(first + count, runs)
    return f"{platform}: {_told(mode, runs, counts, sorted(recoveries))}"


def _tell(number: int, runs: int) -> None:
    if number % 50 == 0:
        say(f"{number} of {runs} killed")


def _told(mode: str, runs: int, counts: Counter[str], recoveries: Sequence[float]) -> str:
    from tests.support.killed_transfers import LEASE

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
