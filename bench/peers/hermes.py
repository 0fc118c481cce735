"""Hermes Agent, the incumbent, as a peer: installed from the package index, driven through its own Python interface."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.peers.environment import Log, PeerUnavailable, clean_environment, prepare, stream
from bench.peers.hermes_probe import Sizes

VERSION = "0.19.0"
NAME = f"hermes-{VERSION}"
REQUIREMENT = f"hermes-agent=={VERSION}"

FULL: Mapping[str, int] = dataclasses.asdict(Sizes())
QUICK: Mapping[str, int] = {
    **FULL,
    "messages": 10_000,
    "sessions": 1_000,
    "long_session": 1_000,
    "appends": 200,
    "writer_appends": 50,
}

PROBE_SECONDS = 1800
ROOT = Path(__file__).resolve().parents[2]


def measure(work: Path, sizes: Mapping[str, int], log: Log) -> dict[str, Any]:
    """Hermes's figures, as `hermes_probe` describes them.

    Installs Hermes on first use, then works only below `work`, in a home of its own which is removed afterwards.
    `sizes` may name any field of `Sizes`: a field it does not name keeps its default, other names are ignored, and
    sizes that contradict each other are a `ValueError`.
    Raises `PeerUnavailable` when Hermes cannot be installed or does not answer as its version should.
    """
    wanted = Sizes.known(sizes)
    python = prepare(NAME, REQUIREMENT, log)
    home = work / NAME
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    try:
        return _probe(python, home.resolve(), wanted, log)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _probe(python: Path, home: Path, sizes: Sizes, log: Log) -> dict[str, Any]:
    command = [str(python), "-m", "bench.peers.hermes_probe", "--home", str(home), *sizes.as_arguments()]
    answer = home / "figures.json"
    with answer.open("w") as out:
        variables = clean_environment({"HOME": str(home)}, without=("HERMES_",))
        code, lines = stream(command, log, seconds=PROBE_SECONDS, env=variables, cwd=ROOT, out=out)
    if code:
        raise PeerUnavailable(f"the Hermes probe ended with code {code}: {' | '.join(lines[-3:])}")
    try:
        return json.loads(answer.read_text())
    except ValueError as unreadable:
        raise PeerUnavailable(f"the Hermes probe printed no JSON: {unreadable}") from unreadable
