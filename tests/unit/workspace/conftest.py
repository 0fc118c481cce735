from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from baton.adapters.workspace.directory import DirectoryWorkspace
from tests.support.repos import SITUATIONS, Repo

SESSION = "20260527_123456_abcdef"


class Clock:
    """Each look is a second later."""

    def __init__(self) -> None:
        self.at = 1_800_000_000

    def __call__(self) -> float:
        self.at += 1
        return self.at


@pytest.fixture
def open_(tmp_path: Path) -> Callable[[Path], DirectoryWorkspace]:
    clock = Clock()
    return lambda root: DirectoryWorkspace(str(root), str(tmp_path / "home" / "baton"), clock)


@pytest.fixture(params=SITUATIONS)
def situation(request: pytest.FixtureRequest, tmp_path: Path) -> Repo:
    """A repository in each of the situations, whose hooks are armed."""
    repo = SITUATIONS[request.param](tmp_path / "repo")
    repo.trap()
    return repo
