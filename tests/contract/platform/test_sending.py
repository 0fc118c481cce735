"""Every platform, every check of sending."""

from __future__ import annotations

import pytest

from tests.contract.platform.perform import perform
from tests.contract.platform.sending import CHECKS
from tests.contract.platform.stages import STAGES


@pytest.mark.anyio
@pytest.mark.parametrize("name", sorted(STAGES))
@pytest.mark.parametrize("check", CHECKS)
async def test_sending(name: str, check: str, caplog: pytest.LogCaptureFixture) -> None:
    await perform(name, CHECKS[check], caplog)
