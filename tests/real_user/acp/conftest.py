"""A place to work, a model that follows a script, and an agent whose every frame is recorded and judged at the end."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.real_user.acp import kit
from tests.real_user.acp.bed import Bed
from tests.real_user.acp.model import ScriptedModel
from tests.support.handoffs import repository


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def bed(isolated: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bed]:
    """Fails the test if a frame was wrong, or if anything of the metadata reached the model."""
    monkeypatch.setenv("BATON_TEST_ACP_SCHEMA", str(kit.node().schema))
    async with ScriptedModel() as model:
        bed = Bed(repository(isolated), isolated.parent, model, sys.executable)
        yield bed
        assert bed.wire.faults() == []
        asked = json.dumps([request.body for request in model.requests])
        assert "sessionProvenance" not in asked
        assert "agentSessionId" not in asked
