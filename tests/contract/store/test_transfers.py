from __future__ import annotations

from collections.abc import Callable

import pytest

from baton.core.errors import (
    BadInput,
    BadText,
    BadTransition,
    NotFound,
    OwnedElsewhere,
    StaleEpoch,
    TransferActive,
)
from baton.core.ids import is_id
from baton.core.log.lease import Ownership
from baton.core.transfer.transfer import CANCELLED_ERROR, COMPLETED, FAILED, PENDING, RUNNING, STEPS, Transfer
from baton.core.value import replace
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from tests.contract.store.kit import at_once, begin, unchanged
from tests.support.backends import Backend

HERE = "terminal:tty1"
NOWHERE = ["", "nonsense", "\0", "\ud800"]


def request(store: Store, title: str = "work", target: str = "telegram") -> Transfer:
    conversation, _ = store.conversations.start(title)
    return store.transfers.request(conversation.id, HERE, target)


def walk(store: Store, proof: Ownership, last: str = STEPS[-1]) -> Transfer:
    """Reaches each step up to the last, from where the transfer stands."""
    transfer = store.transfers.get(proof.id)
    for step in STEPS[STEPS.index(transfer.step) + 1 : STEPS.index(last) + 1]:
        transfer = store.transfers.reach(proof, step, {"of": step})
    return transfer


def test_a_requested_transfer_is_pending(store: Store, other: Store, clock: FrozenClock) -> None:
    conversation, _ = store.conversations.start("work")
    transfer = store.transfers.request(conversation.id, HERE, "telegram:-100%3A5:7")
    now = clock.now() - 1
    assert transfer == Transfer(
        id=transfer.id,
        conversation_id=conversation.id,
        origin=HERE,
        target="telegram:-100%3A5:7",
        platform="telegram",
        state=PENDING,
        step="requested",
        journal="{}",
        cancel_asked=0,
        owner=None,
        epoch=0,
        lease_until=0,
        attempts=0,
        error="",
        requested_at=now,
        updated_at=now,
    )
    assert is_id("transfer", transfer.id)
    assert other.transfers.get(transfer.id) == transfer
    assert other.transfers.of(conversation.id) == other.transfers.active() == [transfer]
    assert store.conversations.get(conversation.id) == conversation


def test_a_bare_platform_is_a_target(store: Store) -> None:
    assert request(store, target="discord").platform == "discord"


def test_a_second_transfer_is_refused_while_one_is_pending_or_running(store: Store) -> None:
    transfer = request(store)
    for _ in range(2):
        with unchanged(store), pytest.raises(TransferActive) as caught:
            store.transfers.request(transfer.conversation_id, HERE, "discord")
        assert caught.value.facts["transfer"] == transfer.id
        if transfer.state == PENDING:
            transfer, _ = store.transfers.claim(transfer.id, "gateway", 60)


def test_a_new_transfer_may_follow_one_that_ended(store: Store) -> None:
    first = request(store)
    store.transfers.cancel(first.id)
    second = store.transfers.request(first.conversation_id, HERE, "telegram")
    _, proof = store.transfers.claim(second.id, "gateway", 60)
    walk(store, proof)
    store.transfers.complete(proof)
    third = store.transfers.request(first.conversation_id, "telegram:1", "terminal")
    assert [each.id for each in store.transfers.of(first.conversation_id)] == [first.id, second.id, third.id]
    assert store.transfers.active() == [third]


def test_of_many_requests_at_once_one_is_taken(backend: Backend, store: Store, clock: FrozenClock) -> None:
    conversation, _ = store.conversations.start("work")
    handles = [backend.open(clock) for _ in range(4)]

    def ask(handle: Store) -> Callable[[], Transfer]:
        return lambda: handle.transfers.request(conversation.id, HERE, "telegram")

    results = at_once(*(ask(handle) for handle in handles))
    assert sorted(type(result).__name__ for result in results) == ["Transfer"] + ["TransferActive"] * 3
    assert len(store.transfers.active()) == 1


@pytest.mark.parametrize("conversation_id", ["c_0123456789ab", *NOWHERE])
def test_a_transfer_of_an_unknown_conversation_is_refused(store: Store, conversation_id: str) -> None:
    with unchanged(store), pytest.raises(NotFound):
        store.transfers.request(conversation_id, HERE, "telegram")
    assert store.transfers.of(conversation_id) == []


@pytest.mark.parametrize(("origin", "target"), [("a\0", "x"), ("x", "\ud800"), ("x" * 4097, "x"), ("x", "x" * 4097)])
def test_a_transfer_between_places_that_cannot_be_stored_is_refused(store: Store, origin: str, target: str) -> None:
    conversation, _ = store.conversations.start("work")
    with unchanged(store), pytest.raises(BadText):
        store.transfers.request(conversation.id, origin, target)


def test_arrow_a_a_claim_makes_it_running_with_a_lease(store: Store, clock: FrozenClock) -> None:
    pending = request(store)
    claimed, proof = store.transfers.claim(pending.id, "gateway", 60)
    assert proof == Ownership("transfer", pending.id, "gateway", 1)
    assert claimed == replace(
        pending,
        state=RUNNING,
        step="claimed",
        owner="gateway",
        epoch=1,
        lease_until=claimed.lease_until,
        attempts=1,
        updated_at=clock.now() - 1,
    )
    assert claimed.lease.live(clock.ticks())
    assert store.transfers.get(pending.id) == claimed


def test_arrow_b_a_living_workers_transfer_cannot_be_claimed_by_another(store: Store, clock: FrozenClock) -> None:
    transfer, proof = store.transfers.claim(request(store).id, "one", 10)
    clock.advance(9)
    store.transfers.beat(proof, 10)
    clock.advance(9)
    with unchanged(store), pytest.raises(OwnedElsewhere):
        store.transfers.claim(transfer.id, "two", 10)
    assert store.transfers.claim_next(["telegram"], "two", 10) is None
    clock.advance(1)
    taken, _ = store.transfers.claim(transfer.id, "two", 10)
    assert (taken.owner, taken.epoch, taken.attempts) == ("two", 2, 2)


@pytest.mark.parametrize("seconds", [86_400.0, -86_400.0])
def test_arrow_b_a_jump_of_the_wall_clock_takes_no_claim_away(store: Store, clock: FrozenClock, seconds: float) -> None:
    transfer, _ = store.transfers.claim(request(store).id, "one", 10)
    clock.jump(seconds)
    assert store.transfers.claim_next(["telegram"], "two", 10) is None
    clock.advance(10)
    claimed = store.transfers.claim_next(["telegram"], "two", 10)
    assert claimed is not None
    assert claimed[0].id == transfer.id


def test_arrow_b_the_next_worker_goes_on_where_the_dead_one_stood(store: Store, clock: FrozenClock) -> None:
    transfer, proof = store.transfers.claim(request(store).id, "one", 10)
    store.transfers.reach(proof, "opened", {"place": "telegram:1:2"})
    clock.advance(11)
    taken, _ = store.transfers.claim(transfer.id, "two", 10)
    assert (taken.step, taken.notes) == ("opened", {"opened": {"place": "telegram:1:2"}})


def test_arrow_b_a_beat_changes_nothing_but_the_lease(store: Store, clock: FrozenClock) -> None:
    claimed, proof = store.transfers.claim(request(store).id, "one", 10)
    clock.advance(5)
    beaten = store.transfers.beat(proof, 10)
    assert beaten == replace(claimed, lease_until=claimed.lease_until + 5_000_000)


def test_arrow_b_steps_come_in_order_and_may_be_said_again(store: Store) -> None:
    claimed, proof = store.transfers.claim(request(store).id, "one", 10)
    assert store.transfers.reach(proof, "claimed", {"again": True}).step == "claimed"
    for step, refused in (("opened", ["bound", "greeted"]), ("bound", ["greeted", "claimed"]), ("greeted", ["opened"])):
        for wrong in (*refused, "requested", "completed", ""):
            with unchanged(store), pytest.raises(BadTransition):
                store.transfers.reach(proof, wrong, {})
        store.transfers.reach(proof, step, {"try": 1})
        reached = store.transfers.reach(proof, step, {"try": 2})
        assert reached.step == step
    assert reached.notes == {
        "claimed": {"again": True},
        "opened": {"try": 2},
        "bound": {"try": 2},
        "greeted": {"try": 2},
    }
    assert reached.epoch == claimed.epoch


def test_notes_that_are_not_json_are_refused(store: Store) -> None:
    _, proof = store.transfers.claim(request(store).id, "one", 10)
    for notes in ({"x": object()}, {"x": float("nan")}, {"x": "\ud83d\ude00"}):
        with unchanged(store), pytest.raises(BadText):
            store.transfers.reach(proof, "opened", notes)


def test_arrow_c_only_a_greeted_transfer_completes(store: Store, clock: FrozenClock) -> None:
    _, proof = store.transfers.claim(request(store).id, "one", 10)
    for step in STEPS[1:-1]:
        walk(store, proof, step)
        with unchanged(store), pytest.raises(BadTransition) as caught:
            store.transfers.complete(proof)
        assert caught.value.facts["allowed"] == "greeted"
    greeted = walk(store, proof)
    completed = store.transfers.complete(proof)
    assert completed == replace(greeted, state=COMPLETED, owner=None, lease_until=0, updated_at=clock.now() - 1)
    assert store.transfers.active() == []


def test_arrow_d_a_failed_transfer_keeps_its_error(store: Store, clock: FrozenClock) -> None:
    _, proof = store.transfers.claim(request(store).id, "one", 10)
    opened = walk(store, proof, "opened")
    failed = store.transfers.fail(proof, "Telegram says: чат не найден")
    assert failed == replace(
        opened,
        state=FAILED,
        error="Telegram says: чат не найден",
        owner=None,
        lease_until=0,
        updated_at=clock.now() - 1,
    )
    assert store.transfers.get(failed.id) == failed


@pytest.mark.parametrize("error", ["\0", "\ud800", "x" * 4097])
def test_arrow_d_an_error_that_cannot_be_stored_is_refused(store: Store, error: str) -> None:
    _, proof = store.transfers.claim(request(store).id, "one", 10)
    with unchanged(store), pytest.raises(BadText):
        store.transfers.fail(proof, error)


def test_arrow_e_given_back_it_is_pending_for_anybody(store: Store, clock: FrozenClock) -> None:
    _, proof = store.transfers.claim(request(store).id, "one", 3600)
    bound = walk(store, proof, "bound")
    back = store.transfers.give_back(proof)
    assert back == replace(bound, state=PENDING, owner=None, lease_until=0, updated_at=clock.now() - 1)
    claimed = store.transfers.claim_next(["telegram"], "two", 10)
    assert claimed is not None
    assert (claimed[0].step, claimed[0].epoch, claimed[0].attempts) == ("bound", 2, 2)


def test_arrow_f_a_transfer_nobody_claimed_is_cancelled(store: Store, clock: FrozenClock) -> None:
    pending = request(store)
    cancelled = store.transfers.cancel(pending.id)
    assert cancelled == replace(pending, state=FAILED, error=CANCELLED_ERROR, updated_at=clock.now() - 1)
    assert store.transfers.active() == []


def test_a_running_transfer_is_only_asked_to_stop(store: Store, clock: FrozenClock) -> None:
    claimed, proof = store.transfers.claim(request(store).id, "one", 10)
    asked = store.transfers.cancel(claimed.id)
    assert asked == replace(claimed, cancel_asked=1, updated_at=clock.now() - 1)
    assert store.transfers.cancel(claimed.id).cancel_asked == 1
    assert store.transfers.fail(proof, CANCELLED_ERROR).state == FAILED


def test_a_wish_to_stop_outlives_the_worker(store: Store, clock: FrozenClock) -> None:
    claimed, _ = store.transfers.claim(request(store).id, "one", 10)
    store.transfers.cancel(claimed.id)
    clock.advance(11)
    again, _ = store.transfers.claim(claimed.id, "two", 10)
    assert again.cancel_asked == 1


def test_a_transfer_given_back_is_only_asked_to_stop_since_a_place_may_be_open(store: Store) -> None:
    _, proof = store.transfers.claim(request(store).id, "one", 10)
    walk(store, proof, "opened")
    store.transfers.give_back(proof)
    asked = store.transfers.cancel(proof.id)
    assert (asked.state, asked.cancel_asked) == (PENDING, 1)


WORKS: dict[str, Callable[[Store, Ownership], object]] = {
    "beat": lambda store, proof: store.transfers.beat(proof, 10),
    "reach": lambda store, proof: store.transfers.reach(proof, store.transfers.get(proof.id).step, {}),
    "complete": lambda store, proof: store.transfers.complete(proof),
    "fail": lambda store, proof: store.transfers.fail(proof, "no"),
    "give_back": lambda store, proof: store.transfers.give_back(proof),
}


@pytest.mark.parametrize("work", sorted(WORKS))
def test_a_worker_that_lost_its_claim_is_refused(store: Store, other: Store, clock: FrozenClock, work: str) -> None:
    transfer, late = store.transfers.claim(request(store).id, "one", 10)
    walk(store, late)
    clock.advance(11)
    other.transfers.claim(transfer.id, "two", 10)
    with unchanged(store), pytest.raises(StaleEpoch):
        WORKS[work](store, late)


@pytest.mark.parametrize("work", sorted(WORKS))
def test_a_worker_that_claims_again_ends_its_own_earlier_claim(store: Store, work: str) -> None:
    transfer, late = store.transfers.claim(request(store).id, "one", 10)
    walk(store, late)
    _, current = store.transfers.claim(transfer.id, "one", 10)
    with unchanged(store), pytest.raises(StaleEpoch):
        WORKS[work](store, late)
    WORKS[work](store, current)


@pytest.mark.parametrize("work", sorted(WORKS))
def test_a_worker_whose_lease_expired_unnoticed_may_finish(store: Store, clock: FrozenClock, work: str) -> None:
    _, proof = store.transfers.claim(request(store).id, "one", 10)
    walk(store, proof)
    clock.advance(3600)
    WORKS[work](store, proof)


def ended(store: Store, how: str) -> Ownership:
    transfer = request(store)
    if how == "cancelled":
        store.transfers.cancel(transfer.id)
        return Ownership("transfer", transfer.id, "one", 0)
    _, proof = store.transfers.claim(transfer.id, "one", 10)
    walk(store, proof)
    if how == "completed":
        store.transfers.complete(proof)
    else:
        store.transfers.fail(proof, "no")
    return proof


@pytest.mark.parametrize("how", ["completed", "failed", "cancelled"])
def test_what_ended_never_changes_again(store: Store, clock: FrozenClock, how: str) -> None:
    proof = ended(store, how)
    clock.advance(3600)
    for work in WORKS.values():
        with unchanged(store), pytest.raises(BadTransition):
            work(store, proof)
    with unchanged(store), pytest.raises(BadTransition):
        store.transfers.cancel(proof.id)
    with unchanged(store), pytest.raises(BadTransition):
        store.transfers.claim(proof.id, "two", 10)
    assert store.transfers.claim_next(["telegram"], "two", 10) is None


@pytest.mark.parametrize("work", sorted(WORKS))
def test_what_nobody_claimed_takes_no_worker(store: Store, work: str) -> None:
    transfer = request(store)
    with unchanged(store), pytest.raises(BadTransition):
        WORKS[work](store, Ownership("transfer", transfer.id, "one", 0))


def test_the_next_is_the_oldest_of_these_platforms_that_waits(store: Store) -> None:
    first = request(store, "a", "telegram")
    second = request(store, "b", "discord:9")
    third = request(store, "c", "telegram:7")

    def take(*platforms: str) -> str | None:
        claimed = store.transfers.claim_next(platforms, "gateway", 60)
        return claimed[0].id if claimed else None

    assert take() is None
    assert take("slack", "telegra", "") is None
    assert take("discord", "telegram") == first.id
    assert take("telegram") == third.id
    assert take("telegram") is None
    assert take("discord", "telegram") == second.id


def test_the_next_may_be_one_whose_worker_died(store: Store, clock: FrozenClock) -> None:
    dead = request(store, "a")
    store.transfers.claim(dead.id, "one", 10)
    clock.advance(11)
    fresh = request(store, "b")
    claimed = [store.transfers.claim_next(["telegram"], "two", 10) for _ in range(3)]
    assert [each[0].id for each in claimed if each] == [dead.id, fresh.id]


def test_two_workers_never_get_the_same_transfer(backend: Backend, store: Store, clock: FrozenClock) -> None:
    wanted = {request(store, f"number {number}").id for number in range(12)}
    handles = [backend.open(clock) for _ in range(4)]

    def take_all(number: int) -> Callable[[], list[str]]:
        def run() -> list[str]:
            taken: list[str] = []
            while claimed := handles[number].transfers.claim_next(["telegram"], f"worker {number}", 60):
                taken.append(claimed[0].id)
            return taken

        return run

    results = at_once(*(take_all(number) for number in range(4)))
    taken = [transfer_id for result in results if isinstance(result, list) for transfer_id in result]
    assert sorted(taken) == sorted(wanted)


def test_recent_transfers_come_newest_first_whatever_became_of_them(store: Store, clock: FrozenClock) -> None:
    made: list[str] = []
    for number in range(5):
        made.append(request(store, f"number {number}").id)
        clock.advance(1)
    store.transfers.cancel(made[1])
    _, proof = store.transfers.claim(made[3], "worker", 60)
    store.transfers.fail(proof, "no room")
    recent = store.transfers.recent()
    assert recent == [store.transfers.get(each) for each in reversed(made)]
    assert store.transfers.recent(2) == recent[:2]
    assert store.transfers.recent(0) == store.transfers.recent(-1) == recent[:1]
    assert store.transfers.recent(2**70) == recent


@pytest.mark.parametrize("transfer_id", ["t_0123456789ab", *NOWHERE])
def test_a_transfer_that_is_not_there_is_not_found(store: Store, transfer_id: str) -> None:
    proof = Ownership("transfer", transfer_id, "one", 1)
    for act in (
        lambda: store.transfers.get(transfer_id),
        lambda: store.transfers.claim(transfer_id, "one", 10),
        lambda: store.transfers.cancel(transfer_id),
        lambda: store.transfers.beat(proof, 10),
        lambda: store.transfers.reach(proof, "opened", {}),
        lambda: store.transfers.complete(proof),
        lambda: store.transfers.fail(proof, "no"),
        lambda: store.transfers.give_back(proof),
    ):
        with pytest.raises(NotFound):
            act()


def test_a_claim_that_cannot_be_kept_is_refused(store: Store) -> None:
    transfer = request(store)
    for owner, ttl, error in (("a\0", 10, BadText), ("x" * 201, 10, BadText), ("one", -1, BadInput)):
        with unchanged(store), pytest.raises(error):
            store.transfers.claim(transfer.id, owner, ttl)
        with unchanged(store), pytest.raises(error):
            store.transfers.claim_next(["telegram"], owner, ttl)


def test_a_transfer_does_not_hinder_the_conversation(store: Store) -> None:
    work = begin(store)
    transfer = store.transfers.request(work.id, HERE, "telegram")
    work.say("still here")
    work.advance()
    assert store.transfers.get(transfer.id) == transfer
