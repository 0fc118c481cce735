from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from tests.support.warm import warm
from tests.support.workers.crew import Crew
from tests.support.workers.stores import LOCATIONS


@pytest.fixture(params=sorted(LOCATIONS))
def new_location(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Each call says where another empty store can be opened, by this and any other process."""
    numbers = count()
    with ExitStack() as stack:
        yield lambda: stack.enter_context(LOCATIONS[request.param](tmp_path / f"stores-{next(numbers)}"))


@pytest.fixture
def location(new_location: Callable[[], str]) -> str:
    return new_location()


@pytest.fixture(scope="module")
def spawned() -> Iterator[Crew]:
    with Crew() as crew:
        yield crew


@pytest.fixture
def crew(spawned: Crew) -> Iterator[Crew]:
    """Starts workers; those that still live at the end of the test are ended."""
    yield spawned
    spawned.dismiss()


@pytest.fixture
def warm_home() -> Path:
    """BATON_HOME, with the redactor's rules compiled."""
    return warm(Path(os.environ["BATON_HOME"]))
