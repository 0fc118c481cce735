"""A handoff that is killed at any step leaves the old session live or the new one ready, and nothing half-written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.killed_handoffs import Ground, plan
from tests.support.workers.crew import Crew

RUNS = 60


@pytest.fixture
def ground(location: str, tmp_path: Path, crew: Crew) -> Iterator[Ground]:
    made = Ground(location, tmp_path / "ground", crew)
    yield made
    made.close()


@pytest.mark.timeout(300)
def test_a_handoff_killed_anywhere_leaves_one_live_head_and_whole_packets(ground: Ground) -> None:
    first = RUNS if ground.location.startswith("postgresql:") else 0
    for way, point in plan(RUNS, first):
        ground.run(way, point)
    assert set(ground.outcomes) >= {"old session", "new session"}
