"""What platforms deliver again, late or out of order is heard once, in order, whatever happens to the gateway."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.repeated_updates import repeat_updates


@pytest.mark.timeout(300)
def test_repeated_updates_are_heard_once_and_in_order_across_restarts(location: str, tmp_path: Path) -> None:
    repeat_updates(location, tmp_path, 1_000)
