from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.workers.crew import Crew
from tests.support.workers.stores import LOCATIONS


@pytest.fixture(params=sorted(LOCATIONS))
def location(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where an empty store can be opened, by this and any other process."""
    with LOCATIONS[request.param](tmp_path) as location:
        yield location


@pytest.fixture
def crew() -> Iterator[Crew]:
    with Crew() as crew:
        yield crew
