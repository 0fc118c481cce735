"""Every platform, every check of who is in a room."""

from __future__ import annotations

import pytest

from tests.contract.platform.membership import CHECKS
from tests.contract.platform.perform import perform
from tests.contract.platform.stages import STAGES


@pytest.mark.anyio
@pytest.mark.parametrize("name", sorted(STAGES))
@pytest.mark.parametrize("check", CHECKS)
async def test_membership(name: str, check: str, caplog: pytest.LogCaptureFixture) -> None:
    await perform(name, CHECKS[check], caplog)
