from __future__ import annotations

from collections.abc import Callable

import pytest

from baton.core.errors import BadInput, BadText, HeadMoved, NotFound, OwnedElsewhere, StaleEpoch
from baton.core.log.lease import Ownership
from baton.core.value import replace
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from tests.contract.store.kit import HANDOFF, Work, at_once, begin, said, texts, unchanged
from tests.support.backends import Backend

TEN_YEARS = 10 * 365 * 86_400.0

WRITES: dict[str, Callable[[Work], object]] = {
    "append": lambda work: work.say("late"),
    "advance": lambda work: work.advance(),
    "renew": lambda work: work.store.conversations.renew(work.proof, 60),
    "release": lambda work: work.store.conversations.release(work.proof),
}


def test_a_claim_is_a_new_epoch_with_a_lease(store: Store, clock: FrozenClock) -> None:
    conversation, _ = store.conversations.start("work")
    proof = store.conversations.claim(conversation.id, "alice", 60)
    assert proof == Ownership("conversation", conversation.id, "alice", 1)
    owned = store.conversations.get(conversation.id)
    assert owned == replace(conversation, owner="alice", epoch=1, lease_until=owned.lease_until)
    assert owned.lease.live(clock.ticks())


def test_nobody_else_can_claim_while_the_lease_is_live(store: Store, other: Store, clock: FrozenClock) -> None:
    work = begin(store, owner="alice", ttl=60)
    clock.advance(59.999_999)
    with unchanged(store), pytest.raises(OwnedElsewhere) as caught:
        other.conversations.claim(work.id, "bob", 60)
    assert caught.value.facts["owner"] == "alice"
    clock.advance(0.000_001)
    assert other.conversations.claim(work.id, "bob", 60) == Ownership("conversation", work.id, "bob", 2)


@pytest.mark.parametrize("write", sorted(WRITES))
def test_a_late_writer_is_refused_for_ever(store: Store, other: Store, clock: FrozenClock, write: str) -> None:
    work = begin(store, owner="alice", ttl=1)
    work.say("in time")
    clock.advance(2)
    other.conversations.claim(work.id, "bob", 1)
    for _ in range(2):
        with unchanged(store), pytest.raises(StaleEpoch) as caught:
            WRITES[write](work)
        assert (caught.value.facts["epoch"], caught.value.facts["current"]) == (1, 2)
        clock.advance(3600)
    assert texts(store.entries.load(work.head.id)) == ["in time"]


@pytest.mark.parametrize("write", sorted(WRITES))
def test_an_expired_lease_nobody_else_claimed_still_holds(store: Store, clock: FrozenClock, write: str) -> None:
    work = begin(store, ttl=1)
    clock.advance(3600)
    WRITES[write](work)


@pytest.mark.parametrize("write", sorted(WRITES))
def test_a_released_proof_is_refused(store: Store, write: str) -> None:
    work = begin(store)
    store.conversations.release(work.proof)
    with unchanged(store), pytest.raises(StaleEpoch):
        WRITES[write](work)


def test_after_a_release_another_claims_at_once_with_the_next_epoch(store: Store, other: Store) -> None:
    work = begin(store, owner="alice", ttl=3600)
    store.conversations.release(work.proof)
    assert store.conversations.get(work.id).owner is None
    assert other.conversations.claim(work.id, "bob", 60).epoch == 2


@pytest.mark.parametrize("write", sorted(WRITES))
def test_claiming_again_ends_the_owners_earlier_proof(store: Store, write: str) -> None:
    work = begin(store, owner="alice")
    again = store.conversations.claim(work.id, "alice", 60)
    assert again.epoch == work.proof.epoch + 1
    with unchanged(store), pytest.raises(StaleEpoch):
        WRITES[write](work)
    work.proof = again
    WRITES[write](work)


def test_a_renewed_lease_keeps_others_out_for_longer(store: Store, clock: FrozenClock) -> None:
    work = begin(store, owner="alice", ttl=10)
    for _ in range(5):
        clock.advance(9)
        store.conversations.renew(work.proof, 10)
    with pytest.raises(OwnedElsewhere):
        store.conversations.claim(work.id, "bob", 10)
    clock.advance(10)
    store.conversations.claim(work.id, "bob", 10)


def test_an_expired_owner_that_renews_first_keeps_its_epoch(store: Store, clock: FrozenClock) -> None:
    work = begin(store, owner="alice", ttl=1)
    clock.advance(5)
    store.conversations.renew(work.proof, 10)
    with pytest.raises(OwnedElsewhere):
        store.conversations.claim(work.id, "bob", 10)
    work.say("still mine")
    assert work.now().epoch == 1


@pytest.mark.parametrize("seconds", [TEN_YEARS, -TEN_YEARS, 3600.0, -3600.0])
def test_a_jump_of_the_wall_clock_neither_ends_nor_prolongs_a_lease(
    store: Store, clock: FrozenClock, seconds: float
) -> None:
    work = begin(store, owner="alice", ttl=60)
    clock.jump(seconds)
    with pytest.raises(OwnedElsewhere):
        store.conversations.claim(work.id, "bob", 60)
    work.say("after the jump")
    clock.advance(60)
    store.conversations.claim(work.id, "bob", 60)


def test_no_lease_is_longer_than_an_hour(store: Store, clock: FrozenClock) -> None:
    work = begin(store, owner="alice", ttl=1_000_000)
    clock.advance(3600)
    store.conversations.claim(work.id, "bob", 1_000_000)


@pytest.mark.parametrize("ttl", [-1, float("nan"), float("inf"), float("-inf"), 1e300])
def test_a_lease_without_a_length_is_refused(store: Store, ttl: float) -> None:
    work = begin(store)
    with unchanged(store):
        with pytest.raises(BadInput):
            store.conversations.claim(work.id, "alice", ttl)
        with pytest.raises(BadInput):
            store.conversations.renew(work.proof, ttl)


@pytest.mark.parametrize("owner", ["a\0b", "\udcff", "x" * 201])
def test_an_owner_whose_name_cannot_be_kept_is_refused(store: Store, owner: str) -> None:
    conversation, _ = store.conversations.start("work")
    with unchanged(store), pytest.raises(BadText):
        store.conversations.claim(conversation.id, owner, 60)


def test_a_proof_that_is_not_exactly_the_current_one_is_refused(store: Store) -> None:
    work = begin(store, owner="alice")
    forged = [
        replace(work.proof, owner="mallory"),
        replace(work.proof, epoch=0),
        replace(work.proof, epoch=2),
        replace(work.proof, owner="", epoch=1),
    ]
    for proof in forged:
        with unchanged(store), pytest.raises(StaleEpoch):
            store.entries.append(proof, work.head.id, said("forged"))


def test_a_proof_of_one_conversation_does_not_write_to_another(store: Store) -> None:
    mine, theirs = begin(store, "mine"), begin(store, "theirs")
    with unchanged(store), pytest.raises(HeadMoved):
        store.entries.append(mine.proof, theirs.head.id, said("stray"))
    with unchanged(store), pytest.raises(HeadMoved):
        store.sessions.advance(mine.proof, theirs.head.id, **HANDOFF)
    with unchanged(store), pytest.raises(StaleEpoch):
        store.entries.append(replace(mine.proof, id=theirs.id, owner="bob"), theirs.head.id, said("stray"))


@pytest.mark.parametrize("conversation_id", ["c_0123456789ab", "", "\ud800", "\0"])
def test_owning_what_is_not_there_is_not_found(store: Store, conversation_id: str) -> None:
    proof = Ownership("conversation", conversation_id, "alice", 1)
    work = begin(store)
    for act in (
        lambda: store.conversations.claim(conversation_id, "alice", 60),
        lambda: store.conversations.renew(proof, 60),
        lambda: store.conversations.release(proof),
        lambda: store.entries.append(proof, work.head.id, said("x")),
        lambda: store.sessions.advance(proof, work.head.id, **HANDOFF),
    ):
        with unchanged(store), pytest.raises(NotFound):
            act()


def test_of_many_that_claim_at_once_one_wins(backend: Backend, store: Store, clock: FrozenClock) -> None:
    conversation, _ = store.conversations.start("work")
    handles = [backend.open(clock) for _ in range(6)]

    def claim(number: int) -> Callable[[], Ownership]:
        return lambda: handles[number].conversations.claim(conversation.id, f"owner {number}", 60)

    for round_number in range(1, 6):
        results = at_once(*(claim(number) for number in range(6)))
        won = [result for result in results if isinstance(result, Ownership)]
        assert len(won) == 1
        assert [type(result) for result in results if not isinstance(result, Ownership)] == [OwnedElsewhere] * 5
        assert won[0].epoch == round_number
        store.conversations.release(won[0])


def test_a_lease_from_before_the_lease_clock_restarted_is_over(backend: Backend) -> None:
    before, after = FrozenClock(ticks=10**15), FrozenClock(ticks=1_000_000)
    work = begin(backend.open(before), owner="alice", ttl=60)
    assert backend.open(after).conversations.claim(work.id, "bob", 60).epoch == 2
