from __future__ import annotations

from pathlib import Path

import pytest

from baton.adapters.files.workspace import Workspace


@pytest.fixture
def root(isolated: Path) -> Path:
    return isolated


@pytest.fixture
def workspace(root: Path) -> Workspace:
    return Workspace(root)
