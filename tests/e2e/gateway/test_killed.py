"""A gateway that is killed anywhere loses nothing, leaves nobody stuck, and is heard once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.gateway_crew import LEASE
from tests.support.killed_transfers import Field
from tests.support.troubled_delivery import Trouble

RUNS = {"transfer": 30, "inbound": 12}
CASES = 60


@pytest.mark.timeout(120)
def test_a_gateway_killed_anywhere_is_replaced_by_another(location: str, tmp_path: Path) -> None:
    first = location.startswith("postgresql:")
    with Field(location, tmp_path) as field:
        for mode, runs in RUNS.items():
            field.run(mode, runs, runs * first)
        assert field.recoveries[-1] <= LEASE + 4, "the target is 2 s, on a machine that does nothing else"
        assert field.outcomes["once"] > sum(RUNS.values()) / 2


@pytest.mark.timeout(120)
def test_what_a_platform_turns_away_or_swallows_is_seen_once_and_in_order(location: str, tmp_path: Path) -> None:
    with Trouble(location, tmp_path) as trouble:
        trouble.run(CASES)
