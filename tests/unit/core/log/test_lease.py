from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.core.errors import BadInput, BadText, OwnedElsewhere, StaleEpoch
from baton.core.log.lease import LONGEST, Lease, Ownership, check, claim, micros, release, renew
from tests.unit.core.steady import STEADY

NOW = 10_000_000


def held(owner: str = "ann", epoch: int = 3, until: int = NOW + 5_000_000) -> Lease:
    return Lease(owner, epoch, until)


def test_a_lease_is_live_until_its_last_microsecond() -> None:
    lease = held(until=NOW + 10)
    assert [lease.live(NOW + offset) for offset in (0, 9, 10, 11)] == [True, True, False, False]
    assert not Lease(None, 3, NOW + 10).live(NOW)


def test_a_lease_further_ahead_than_any_can_be_is_from_a_clock_that_restarted() -> None:
    assert held(until=NOW + LONGEST).live(NOW)
    assert not held(until=NOW + LONGEST + 1).live(NOW)


def test_a_claim_raises_the_epoch_and_gives_a_proof() -> None:
    assert claim(Lease(), "conversation", "c1", "ann", NOW, 5_000_000) == (
        Lease("ann", 1, NOW + 5_000_000),
        Ownership("conversation", "c1", "ann", 1),
    )


def test_only_another_owners_live_lease_refuses_a_claim() -> None:
    with pytest.raises(OwnedElsewhere) as caught:
        claim(held("ann"), "transfer", "t1", "bob", NOW, 1)
    told = {"noun": "transfer", "id": "t1", "who": "Another process", "owner": "ann", "seconds": 5.0}
    assert caught.value.facts == told
    assert claim(held("ann"), "transfer", "t1", "ann", NOW, 1)[1].epoch == 4
    assert claim(held("ann", until=NOW), "transfer", "t1", "bob", NOW, 1)[1].epoch == 4
    assert claim(Lease(None, 3, 0), "transfer", "t1", "bob", NOW, 1)[1].epoch == 4


def test_no_lease_is_longer_than_the_longest() -> None:
    lease, proof = claim(Lease(), "x", "1", "ann", NOW, LONGEST * 9)
    assert lease.until == NOW + LONGEST
    assert renew(lease, proof, NOW, LONGEST * 9).until == NOW + LONGEST


@pytest.mark.parametrize(
    "proof", [Ownership("x", "1", "bob", 3), Ownership("x", "1", "ann", 2), Ownership("x", "1", "ann", 4)]
)
def test_every_other_proof_is_stale(proof: Ownership) -> None:
    for act in (check, release, lambda lease, proof: renew(lease, proof, NOW, 1)):
        with pytest.raises(StaleEpoch) as caught:
            act(held(), proof)
        assert caught.value.facts["current"] == 3


def test_a_released_lease_keeps_its_epoch_and_takes_no_proof() -> None:
    proof = Ownership("x", "1", "ann", 3)
    free = release(held(), proof)
    assert free == Lease(None, 3, 0)
    with pytest.raises(StaleEpoch):
        check(free, proof)


def test_an_expired_lease_still_holds_for_its_owner() -> None:
    proof = Ownership("x", "1", "ann", 3)
    check(held(until=0), proof)
    assert renew(held(until=0), proof, NOW, 7) == Lease("ann", 3, NOW + 7)


@STEADY
@given(st.lists(st.tuples(st.sampled_from(["ann", "bob"]), st.integers(0, 20), st.integers(0, 10)), max_size=30))
def test_of_all_proofs_ever_given_only_the_last_holds(steps: list[tuple[str, int, int]]) -> None:
    lease, proofs, now = Lease(), list[Ownership](), 0
    for owner, ttl, passed in steps:
        now += passed
        try:
            lease, proof = claim(lease, "x", "1", owner, now, ttl)
        except OwnedElsewhere:
            continue
        proofs.append(proof)
    assert [proof.epoch for proof in proofs] == list(range(1, len(proofs) + 1))
    for proof in proofs[:-1]:
        with pytest.raises(StaleEpoch):
            check(lease, proof)
    if proofs:
        check(lease, proofs[-1])


@pytest.mark.parametrize(("seconds", "expected"), [(0, 0), (0.5, 500_000), (1, 1_000_000), (1e9, 10**15), (1e-7, 0)])
def test_seconds_become_microseconds(seconds: float, expected: int) -> None:
    assert micros(seconds) == expected


@pytest.mark.parametrize("seconds", [-0.1, float("nan"), float("inf"), -float("inf"), 1e9 + 1])
def test_a_time_that_is_none_is_refused(seconds: float) -> None:
    with pytest.raises(BadInput, match="not a number of seconds"):
        micros(seconds)


@pytest.mark.parametrize("owner", ["\0", "\ud800", "x" * 201])
def test_an_owner_has_a_name_that_can_be_stored(owner: str) -> None:
    with pytest.raises(BadText):
        claim(Lease(), "x", "1", owner, NOW, 1)
