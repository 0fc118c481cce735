"""The suite has teeth: an adapter with a defect does not pass the check that is about it."""

from __future__ import annotations

import pytest

from baton.testing.platform import FakePlatform
from tests.contract.platform import kit, membership, receiving, sending, trouble, untrusted
from tests.contract.platform.broken import DEFECTS, PROBING_DEFECTS, stage_with
from tests.contract.platform.fake_stage import FakeStage, ProbingStage
from tests.contract.platform.perform import checked
from tests.contract.platform.test_teeth_of_real_adapters import DEFECTS as REAL

CHECKS = {**receiving.CHECKS, **sending.CHECKS, **trouble.CHECKS, **untrusted.CHECKS, **membership.CHECKS}
CASES = [(broken, check, FakeStage) for broken, check in DEFECTS]
CASES += [(broken, check, ProbingStage) for broken, check in PROBING_DEFECTS]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """In memory, what has not come after a moment never does; a slow machine can only make a defect look worse."""
    monkeypatch.setattr(kit, "PATIENCE", 0.5)


@pytest.mark.anyio
@pytest.mark.parametrize(("broken", "check", "stage"), CASES, ids=[f"{case[0].__name__}-{case[1]}" for case in CASES])
async def test_a_defect_is_noticed(
    broken: type[FakePlatform], check: str, stage: type[FakeStage], caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises((Exception, pytest.fail.Exception)) as noticed:
        await checked(stage_with(broken, stage), CHECKS[check], caplog)
    assert not isinstance(noticed.value, kit.CannotBeChecked)


def test_there_is_a_defect_for_nearly_every_check() -> None:
    """What a platform in memory does not have is broken in real adapters: rendering, signatures, quotes, mentions."""
    in_real_adapters = {check for _, check, _, _ in REAL.values()}
    assert set(CHECKS) - {check for _, check, _ in CASES} - in_real_adapters == {"files_out"}
    assert in_real_adapters >= set(untrusted.CHECKS)
