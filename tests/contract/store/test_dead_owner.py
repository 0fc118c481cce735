"""An owner whose process died on this machine holds nothing up; every other one is waited for."""

from __future__ import annotations

import os
import signal

import pytest

from baton.core.errors import OwnedElsewhere, StaleEpoch
from baton.engine.processes import new_owner, this_process
from baton.ports.store import Store
from tests.contract.store.kit import begin
from tests.support.named_process import begin_owner

pytestmark = pytest.mark.skipif(this_process() is None, reason="the system does not tell of its processes")


def test_a_killed_owner_is_taken_over_at_once_and_cannot_write(store: Store, other: Store) -> None:
    """The clock stands still: the lease of the dead is as live as can be."""
    process, name = begin_owner()
    work = begin(store, owner=name, ttl=60)
    work.say("before")
    with pytest.raises(OwnedElsewhere) as caught:
        other.conversations.claim(work.id, new_owner("terminal"), 60)
    assert caught.value.facts["owner"] == name.partition("@")[0]
    os.kill(process.pid, signal.SIGSTOP)
    with pytest.raises(OwnedElsewhere):
        other.conversations.claim(work.id, new_owner("terminal"), 60)
    process.kill()
    process.communicate()
    assert other.conversations.claim(work.id, new_owner("terminal"), 60).epoch == work.proof.epoch + 1
    with pytest.raises(StaleEpoch):
        work.say("late")


def test_an_owner_elsewhere_is_waited_for(store: Store, other: Store) -> None:
    process, name = begin_owner()
    process.kill()
    process.communicate()
    name, _, where = name.partition("@")
    work = begin(store, owner=f"{name}@{'0' * 20}.{where.partition('.')[2]}", ttl=60)
    with pytest.raises(OwnedElsewhere):
        other.conversations.claim(work.id, new_owner("terminal"), 60)
