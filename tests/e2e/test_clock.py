"""Leases live on a clock that cannot be set: whatever happens to the wall clock, none is stolen and none sticks."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from baton.core.errors import OwnedElsewhere, StaleEpoch
from baton.core.log.lease import Ownership
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from tests.support.workers.picture import Lane
from tests.support.workers.stores import opened

HOUR = 3600.0
JUMPS = {"an hour ahead": HOUR, "an hour back": -HOUR, "ten years ahead": 10 * 365.25 * 24 * HOUR}
LEASE = 30.0
ROOT = Path(__file__).resolve().parents[2]


def hold_everything(store: Store, platform: str) -> tuple[Lane, Ownership]:
    """A conversation, a transfer and a message, all held by one owner."""
    conversation, _ = store.conversations.start(platform)
    lane = Lane(conversation.id, platform)
    store.transfers.request(conversation.id, "cli:here", lane.place.key)
    store.inbox.put(lane.key(0), lane.place, {"text": "hello"})
    proof = store.conversations.claim(conversation.id, "owner", LEASE)
    assert store.transfers.claim_next([platform], "owner", LEASE) is not None
    assert store.inbox.take([platform], "owner", LEASE) is not None
    return lane, proof


def assert_held(store: Store, lane: Lane) -> None:
    with pytest.raises(OwnedElsewhere):
        store.conversations.claim(lane.conversation_id, "thief", LEASE)
    assert store.transfers.claim_next([lane.platform], "thief", LEASE) is None
    assert store.inbox.take([lane.platform], "thief", LEASE) is None


def assert_free(store: Store, lane: Lane, lost: Ownership) -> None:
    store.conversations.claim(lane.conversation_id, "heir", LEASE)
    assert store.transfers.claim_next([lane.platform], "heir", LEASE) is not None
    assert store.inbox.take([lane.platform], "heir", LEASE) is not None
    with pytest.raises(StaleEpoch):
        store.conversations.renew(lost, LEASE)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_set_wall_clock_steals_no_lease_and_keeps_none(location: str, jump: str) -> None:
    clock = FrozenClock()
    with opened(location, clock) as store:
        lane, proof = hold_everything(store, "telegram")
        clock.jump(JUMPS[jump])
        assert_held(store, lane)
        clock.advance(LEASE - 1)
        assert_held(store, lane)
        clock.advance(1)
        assert_free(store, lane, proof)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_lease_taken_while_the_wall_clock_is_wrong_ends_when_it_should(location: str, jump: str) -> None:
    clock = FrozenClock()
    clock.jump(JUMPS[jump])
    with opened(location, clock) as store:
        lane, proof = hold_everything(store, "telegram")
        clock.jump(-JUMPS[jump])
        clock.advance(LEASE - 1)
        assert_held(store, lane)
        clock.advance(1)
        assert_free(store, lane, proof)


@pytest.mark.parametrize("jump", JUMPS)
def test_processes_whose_wall_clocks_differ_agree_on_leases(location: str, jump: str) -> None:
    clock, other = FrozenClock(), FrozenClock()
    other.jump(JUMPS[jump])
    with opened(location, clock) as store, opened(location, other) as elsewhere:
        lane, proof = hold_everything(store, "telegram")
        assert_held(elsewhere, lane)
        other.advance(LEASE)
        assert_free(elsewhere, lane, proof)


@pytest.mark.parametrize("ahead", [2 * HOUR, 365 * 24 * HOUR])
def test_a_lease_further_ahead_than_any_lease_can_be_is_over(location: str, ahead: float) -> None:
    """The clock that measured it has begun anew since."""
    before = FrozenClock(ticks=int(ahead * 1_000_000) + 1_000_000_000)
    with opened(location, before) as store:
        lane, proof = hold_everything(store, "telegram")
    with opened(location, FrozenClock()) as store:
        assert_free(store, lane, proof)


class TestAnotherBoot:
    """SQLite only: a server measures leases on its own clock, which goes on."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> str:
        return str(tmp_path / "store" / "baton.db")

    def set_boot(self, path: str, value: str) -> None:
        with closing(sqlite3.connect(path)) as database, database:
            assert database.execute("UPDATE meta SET value = ? WHERE key = 'boot'", (value,)).rowcount == 1

    def test_leases_of_the_same_boot_outlive_their_process(self, path: str) -> None:
        with opened(path) as store:
            lane, _ = hold_everything(store, "telegram")
        with opened(path) as store:
            assert_held(store, lane)

    def test_leases_of_another_boot_are_void_at_once(self, path: str) -> None:
        with opened(path) as store:
            lane, proof = hold_everything(store, "telegram")
        self.set_boot(path, "another boot")
        with opened(path) as store:
            assert_free(store, lane, proof)

    def test_they_are_voided_once_and_not_at_every_opening(self, path: str) -> None:
        with opened(path):
            pass
        self.set_boot(path, "another boot")
        with opened(path) as store:
            lane, _ = hold_everything(store, "telegram")
        with opened(path) as store:
            assert_held(store, lane)


CLAIM = """
import sys
from baton.core.errors import OwnedElsewhere
from tests.support.workers.stores import opened

with opened(sys.argv[1]) as store:
    try:
        store.conversations.claim(sys.argv[2], "thief", 1)
    except OwnedElsewhere as refused:
        print(refused.code)
"""


@pytest.mark.parametrize("shift", ["+1h", "-1h", "+10y"])
def test_a_process_that_lives_in_another_time_cannot_steal_a_lease(location: str, shift: str) -> None:
    """Only its wall clock: faketime would set the monotonic clock to wall time, which nothing real does."""
    if shutil.which("faketime") is None:
        reason = "the program `faketime` is not installed; the jumps above are made with a clock of our own"
        print(reason)
        pytest.skip(reason)
    with opened(location) as store:
        lane, _ = hold_everything(store, "telegram")
        environment = {**os.environ, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "PYTHONPATH": str(ROOT)}
        command = ["faketime", "-f", shift, sys.executable, "-c", CLAIM, location, lane.conversation_id]
        said = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    assert said == "owned-elsewhere\n"
