"""A gateway that is killed anywhere loses nothing, leaves nobody stuck, and is heard once."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.transfer_kills import PLATFORMS

from tests.support.killed_transfers import LEASE, Field, StagedField
from tests.support.troubled_delivery import Trouble
from tests.support.workers.stores import LOCATIONS

RUNS = {"transfer": 30, "inbound": 12}
CASES = 60


@pytest.mark.timeout(120)
def test_a_gateway_killed_anywhere_is_replaced_by_another(location: str, tmp_path: Path) -> None:
    first = location.startswith("postgresql:")
    with Field(location, tmp_path) as field:
        for mode, runs in RUNS.items():
            field.run(mode, runs, runs * first)
        middle = field.recoveries[len(field.recoveries) // 2]
        assert middle < LEASE, "the target is 2 s; a dead gateway's work waits for no lease"
        assert field.outcomes["once"] > sum(RUNS.values()) / 2


@pytest.mark.timeout(300)
@pytest.mark.parametrize("number", range(len(PLATFORMS)), ids=PLATFORMS)
def test_a_gateway_killed_on_a_real_platform_is_heard_once_and_leaves_no_empty_thread(
    number: int, tmp_path: Path
) -> None:
    """A few of the runs of `python -m bench.transfer_kills --platform`: each platform at other points."""
    with StagedField(PLATFORMS[number], LOCATIONS["sqlite"], tmp_path, lanes=1) as field:
        for mode, runs in {"transfer": 4, "inbound": 2}.items():
            field.run(mode, runs, runs * number)
        assert sum(field.outcomes.values()) == 6


@pytest.mark.timeout(120)
def test_what_a_platform_turns_away_or_swallows_is_seen_once_and_in_order(location: str, tmp_path: Path) -> None:
    with Trouble(location, tmp_path) as trouble:
        trouble.run(CASES)
