"""Matrix alone: what the shared suite does not ask of every platform."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.platforms.matrix.stage import MatrixStage


@pytest.fixture
async def stage(anyio_backend: str) -> AsyncIterator[MatrixStage]:
    async with MatrixStage() as stage:
        yield stage
        assert stage.violations() == []
