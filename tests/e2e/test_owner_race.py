"""However many want a conversation at the same instant, one gets it; and who lost it can never write again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import pytest

from baton.core.errors import OwnedElsewhere, StaleEpoch
from baton.core.log.entry import NewEntry
from baton.core.log.lease import Ownership
from baton.core.log.session import HANDOFF
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from tests.support.patience import PATIENCE
from tests.support.workers.crew import Crew
from tests.support.workers.picture import Lane
from tests.support.workers.stores import opened

T = TypeVar("T")

RACES = 200
PAUSE = 0.005
HEAD_START = 0.05
STOPS = 20
LEASE = 0.05
ROWS = 500


@pytest.mark.timeout(120)
@pytest.mark.parametrize("racers", [2, 8])
def test_exactly_one_of_those_who_claim_at_the_same_instant_wins(location: str, crew: Crew, racers: int) -> None:
    with opened(location) as store:
        ids = [store.conversations.start(f"race {number}")[0].id for number in range(RACES)]
    workers = [crew.start("claim_many", location=location, owner=f"racer {n}", pause=PAUSE) for n in range(racers)]
    for worker in workers:
        assert worker.hear() == ["ready"]
    start = time.monotonic() + HEAD_START
    for worker in workers:
        worker.tell(start)
    outcomes = Counter((words[0], words[1]) for worker in workers for words in worker.rest())
    assert outcomes == {(each, "won"): 1 for each in ids} | {(each, "owned-elsewhere"): racers - 1 for each in ids}


@pytest.mark.timeout(120)
def test_two_workers_never_claim_the_same_transfer(location: str, crew: Crew) -> None:
    with opened(location) as store:
        wanted = [
            store.transfers.request(store.conversations.start(f"row {number}")[0].id, "cli:here", "telegram:1").id
            for number in range(ROWS)
        ]
    workers = [
        crew.start("claim_transfers", location=location, owner=f"worker {n}", platform="telegram") for n in range(4)
    ]
    for worker in workers:
        assert worker.hear() == ["ready"]
    start = time.monotonic() + HEAD_START
    for worker in workers:
        worker.tell(start)
    claimed = [words[1] for worker in workers for words in worker.rest()]
    assert Counter(claimed) == Counter(wanted)


LATE_WRITES = ("append", "advance", "renew", "release", "beat", "reach", "fail", "give_back", "settle")


@pytest.mark.timeout(120)
def test_an_owner_stopped_past_its_lease_writes_nothing_when_it_goes_on(location: str, crew: Crew) -> None:
    for number in range(STOPS):
        with opened(location) as store:
            lane = prepared_lane(store, f"lane{number}")
            worker = crew.start(
                "hold_and_write_late",
                location=location,
                lane=[lane.conversation_id, lane.platform],
                owner="stopped",
                ttl=LEASE,
            )
            assert worker.hear() == ["holds"]
            worker.stop()
            take_everything(store, lane, "next")
            before = contents(store, lane)
            worker.tell("go on")
            worker.resume()
            assert worker.rest() == [["refused", dict.fromkeys(LATE_WRITES, "stale-epoch")]]
            assert contents(store, lane) == before


def prepared_lane(store: Store, platform: str) -> Lane:
    lane = Lane(store.conversations.start(platform)[0].id, platform)
    store.transfers.request(lane.conversation_id, "cli:here", lane.place.key)
    store.inbox.put(lane.key(0), lane.place, {"text": "hello"})
    return lane


def take_everything(store: Store, lane: Lane, owner: str) -> None:
    """What the stopped owner held, as soon as its leases are over."""
    proof = eventually(lambda: store.conversations.claim(lane.conversation_id, owner, PATIENCE))
    head_id = store.conversations.get(lane.conversation_id).head_id
    store.entries.append(proof, head_id, [NewEntry("user", {"text": "in time"})])
    eventually(lambda: store.transfers.claim_next([lane.platform], owner, PATIENCE))
    eventually(lambda: store.inbox.take([lane.platform], owner, PATIENCE))


def eventually(claim: Callable[[], T]) -> T:
    """What `claim` gives once nobody else's lease is in the way."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OwnedElsewhere):
            if found := claim():
                return found
        time.sleep(LEASE / 10)
    raise AssertionError("the lease of the stopped owner never ended")


def contents(store: Store, lane: Lane) -> tuple[object, ...]:
    conversation = store.conversations.get(lane.conversation_id)
    entries = store.entries.load(conversation.head_id)
    return conversation, entries, store.transfers.of(conversation.id), store.inbox.get(lane.key(0))


@pytest.mark.timeout(120)
def test_whoever_lost_a_conversation_is_refused_for_ever(location: str) -> None:
    """200 takeovers in one process, with the lease clock moved by hand."""
    clock = FrozenClock()
    with opened(location, clock) as first, opened(location, clock) as second:
        conversation, session = first.conversations.start("contended")
        entry = [NewEntry("user", {"text": "one"})]
        proofs: list[Ownership] = []
        for number in range(RACES):
            mine, theirs = (first, second) if number % 2 else (second, first)
            proof = mine.conversations.claim(conversation.id, f"owner {number}", 1)
            mine.entries.append(proof, session.id, entry)
            with pytest.raises(OwnedElsewhere):
                theirs.conversations.claim(conversation.id, "too early", 1)
            for lost in proofs[-3:]:
                assert_stale(theirs, lost, session.id, entry)
            proofs.append(proof)
            clock.advance(1)
        assert_stale(first, proofs[0], session.id, entry)
        assert [each.seq for each in second.entries.load(session.id)] == list(range(1, RACES + 1))


def assert_stale(store: Store, proof: Ownership, session_id: str, entry: list[NewEntry]) -> None:
    late: tuple[Callable[[], object], ...] = (
        lambda: store.entries.append(proof, session_id, entry),
        lambda: store.sessions.advance(proof, session_id, edge=HANDOFF, end_reason=HANDOFF),
        lambda: store.conversations.renew(proof, 1),
        lambda: store.conversations.release(proof),
    )
    for write in late:
        with pytest.raises(StaleEpoch):
            write()
