"""Every platform, every check of text that must not act."""

from __future__ import annotations

import pytest

from tests.contract.platform.perform import perform
from tests.contract.platform.stages import STAGES
from tests.contract.platform.untrusted import CHECKS


@pytest.mark.anyio
@pytest.mark.parametrize("name", sorted(STAGES))
@pytest.mark.parametrize("check", CHECKS)
async def test_untrusted(name: str, check: str, caplog: pytest.LogCaptureFixture) -> None:
    await perform(name, CHECKS[check], caplog)
