from __future__ import annotations

from pathlib import Path

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.output import Logs


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def root(isolated: Path) -> Path:
    return isolated


@pytest.fixture
def workspace(root: Path) -> Workspace:
    return Workspace(root)


@pytest.fixture
def logs(workspace: Workspace) -> Logs:
    return Logs(workspace)
