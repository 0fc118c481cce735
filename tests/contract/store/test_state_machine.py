"""Random histories, compared with a model: `BATON_TEST_EXAMPLES=10000 pytest …` looks further than the default run."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from baton.testing.clock import FrozenClock
from tests.contract.store.machines import EXAMPLES, PROFILE, OwnershipMachine, StoreMachine, TransferMachine
from tests.support.backends import Backend


@pytest.mark.timeout(0 if EXAMPLES else 60)
@pytest.mark.parametrize("machine", [OwnershipMachine, TransferMachine])
def test_no_history_breaks_a_promise(backend: Backend, clock: FrozenClock, machine: type[StoreMachine]) -> None:
    stores = [backend.open(clock) for _ in range(2)]
    slow = backend.name == "postgres" and not EXAMPLES
    profile = settings(PROFILE, max_examples=PROFILE.max_examples // 3) if slow else PROFILE
    run_state_machine_as_test(lambda: machine(stores, clock), settings=profile)
    assert [finding.level for finding in stores[0].upkeep.check()] == ["ok"]
