from __future__ import annotations

from collections.abc import Callable

import pytest

from baton.core.errors import BadInput, BadText, BadTransition, NotFound, StaleEpoch
from baton.core.log.lease import Ownership
from baton.core.transfer.mail import Mail
from baton.core.transfer.place import Place
from baton.core.value import replace
from baton.ports.store import Mailbox, Store
from baton.testing.clock import FrozenClock
from tests.contract.store.kit import at_once, unchanged
from tests.support.backends import Backend

ROOM = Place("telegram", "1")
HALL = Place("telegram", "2")
CHANNEL = Place("discord", "1")
ALL = ["telegram", "discord"]
FIRST = {"inbox": "new", "outbox": "queued"}
HELD = {"inbox": "taken", "outbox": "sending"}
FINAL = {"inbox": ["done"], "outbox": ["sent", "refused"]}


def box_of(store: Store, box: str) -> Mailbox:
    return {"inbox": store.inbox, "outbox": store.outbox}[box]


def take(mailbox: Mailbox, owner: str = "worker", ttl: float = 60) -> tuple[Mail, Ownership]:
    taken = mailbox.take(ALL, owner, ttl)
    assert taken is not None
    return taken


@pytest.fixture(params=["inbox", "outbox"])
def box(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def mailbox(store: Store, box: str) -> Mailbox:
    return box_of(store, box)


def test_a_message_put_is_kept_until_it_is_taken(store: Store, other: Store, clock: FrozenClock, box: str) -> None:
    assert box_of(store, box).put("k1", ROOM, {"text": "hi ä"}, "c_0123456789ab") is True
    now = clock.now() - 1
    mail = box_of(other, box).get("k1")
    assert mail == Mail(
        box=box,
        key="k1",
        place="telegram:1",
        conversation_id="c_0123456789ab",
        body='{"text":"hi ä"}',
        state=FIRST[box],
        unsure=0,
        owner=None,
        epoch=0,
        lease_until=0,
        attempts=0,
        not_before=0,
        error="",
        receipt="",
        created_at=now,
        updated_at=now,
    )
    assert box_of(other, box).list_waiting() == [mail]


def test_the_same_key_is_never_stored_twice(mailbox: Mailbox, clock: FrozenClock) -> None:
    mailbox.put("k1", ROOM, {"text": "first"})
    first = mailbox.get("k1")
    clock.advance(60)
    assert mailbox.put("k1", HALL, {"text": "second"}, "c_0123456789ab") is False
    assert mailbox.list_waiting() == [first]
    _, proof = take(mailbox)
    assert mailbox.put("k1", ROOM, {"text": "third"}) is False
    done = mailbox.settle(proof, FINAL[first.box][0])
    assert mailbox.put("k1", ROOM, {"text": "fourth"}) is False
    assert mailbox.get("k1") == done


def test_of_many_that_put_one_key_at_once_one_is_kept(
    backend: Backend, store: Store, clock: FrozenClock, box: str
) -> None:
    handles = [backend.open(clock) for _ in range(4)]

    def put(number: int) -> Callable[[], bool]:
        return lambda: box_of(handles[number], box).put("k1", ROOM, {"text": f"{number}"})

    results = at_once(*(put(number) for number in range(4)))
    assert sorted(results, key=str) == [False, False, False, True]
    assert box_of(store, box).get("k1").body == f'{{"text":"{results.index(True)}"}}'


def test_the_two_boxes_know_nothing_of_each_other(store: Store) -> None:
    assert store.inbox.put("k1", ROOM, {"text": "in"})
    assert store.outbox.put("k1", ROOM, {"text": "out"})
    assert [store.inbox.get("k1").body, store.outbox.get("k1").body] == ['{"text":"in"}', '{"text":"out"}']
    _, incoming = take(store.inbox)
    _, outgoing = take(store.outbox)
    with unchanged(store), pytest.raises(StaleEpoch):
        store.outbox.settle(incoming, "sent")
    with unchanged(store), pytest.raises(StaleEpoch):
        store.inbox.settle(outgoing, "done")


def test_a_taken_message_is_held_with_a_lease(mailbox: Mailbox, box: str, clock: FrozenClock) -> None:
    mailbox.put("k1", ROOM, {})
    before = mailbox.get("k1")
    mail, proof = take(mailbox)
    assert proof == Ownership(box, "k1", "worker", 1)
    assert mail == replace(
        before,
        state=HELD[box],
        owner="worker",
        epoch=1,
        lease_until=mail.lease_until,
        attempts=1,
        updated_at=clock.now() - 1,
    )
    assert mail.lease.live(clock.ticks())
    assert mailbox.get("k1") == mail
    assert mailbox.list_waiting() == [mail]


def test_a_place_has_one_message_in_flight_and_its_order_is_kept(mailbox: Mailbox, box: str) -> None:
    for number in range(3):
        mailbox.put(f"room {number}", ROOM, {})
    mailbox.put("hall", HALL, {})
    first, first_proof = take(mailbox)
    hall, _ = take(mailbox)
    assert (first.key, hall.key) == ("room 0", "hall")
    assert mailbox.take(ALL, "worker", 60) is None
    mailbox.settle(first_proof, FINAL[box][0])
    second, _ = take(mailbox)
    assert second.key == "room 1"
    assert mailbox.take(ALL, "worker", 60) is None


def test_order_is_that_of_arrival_whatever_the_wall_clock_says(mailbox: Mailbox, clock: FrozenClock, box: str) -> None:
    keys = ["first", "second", "third"]
    for key in keys:
        mailbox.put(key, ROOM, {})
        clock.jump(-86_400)
    assert [mail.key for mail in mailbox.list_waiting()] == keys
    taken: list[str] = []
    while found := mailbox.take(ALL, "worker", 60):
        taken.append(found[0].key)
        mailbox.settle(found[1], FINAL[box][0])
    assert taken == keys


def test_only_messages_of_these_platforms_are_taken(mailbox: Mailbox) -> None:
    mailbox.put("k1", ROOM, {})
    mailbox.put("k2", CHANNEL, {})
    for platforms in ([], ["slack"], ["tele"], ["telegram:1"], [""]):
        assert mailbox.take(platforms, "worker", 60) is None
    found = mailbox.take(["discord"], "worker", 60)
    assert found is not None
    assert found[0].key == "k2"


def test_what_waits_is_told_by_place_oldest_first(mailbox: Mailbox, box: str) -> None:
    for key, place in (("1", ROOM), ("2", HALL), ("3", ROOM), ("4", CHANNEL)):
        mailbox.put(key, place, {})
    _, proof = take(mailbox)
    assert [mail.key for mail in mailbox.list_waiting()] == ["1", "2", "3", "4"]
    assert [mail.key for mail in mailbox.list_waiting(ROOM)] == ["1", "3"]
    assert mailbox.list_waiting(Place("telegram", "3")) == []
    mailbox.settle(proof, FINAL[box][0])
    assert [mail.key for mail in mailbox.list_waiting()] == ["2", "3", "4"]


@pytest.mark.parametrize(
    ("box", "state"), [("inbox", "done"), ("outbox", "sent"), ("outbox", "refused")], indirect=["box"]
)
def test_a_settled_message_is_final(store: Store, mailbox: Mailbox, box: str, clock: FrozenClock, state: str) -> None:
    mailbox.put("k1", ROOM, {})
    taken, proof = take(mailbox)
    settled = mailbox.settle(proof, state, error="none", receipt="message 77")
    assert (
        settled
        == mailbox.get("k1")
        == replace(
            taken,
            state=state,
            owner=None,
            lease_until=0,
            error="none",
            receipt="message 77",
            updated_at=clock.now() - 1,
        )
    )
    clock.advance(3600)
    assert mailbox.list_waiting() == []
    assert mailbox.take(ALL, "worker", 60) is None
    for again in (*FINAL[box], FIRST[box]):
        with unchanged(store), pytest.raises(BadTransition):
            mailbox.settle(proof, again)


def test_a_retry_waits_for_its_time_and_holds_the_place(store: Store, clock: FrozenClock) -> None:
    store.outbox.put("k1", ROOM, {})
    store.outbox.put("k2", ROOM, {})
    store.outbox.put("k3", HALL, {})
    taken, proof = take(store.outbox)
    settled = store.outbox.settle(proof, "queued", delay=30, error="429")
    assert (settled.state, settled.error, settled.unsure) == ("queued", "429", 0)
    assert settled.not_before == settled.updated_at + 30_000_000
    assert take(store.outbox)[0].key == "k3"
    assert store.outbox.take(ALL, "worker", 60) is None
    clock.advance(29)
    assert store.outbox.take(ALL, "worker", 60) is None
    clock.advance(1)
    again, _ = take(store.outbox)
    assert (again.key, again.attempts, again.epoch, again.unsure) == (taken.key, 2, 2, 0)


def test_an_inbound_message_may_be_put_back(store: Store) -> None:
    store.inbox.put("k1", ROOM, {})
    _, proof = take(store.inbox)
    assert store.inbox.settle(proof, "new").state == "new"
    assert take(store.inbox)[0].attempts == 2


def test_an_unsure_message_stays_marked_to_its_end(store: Store, clock: FrozenClock) -> None:
    store.outbox.put("k1", ROOM, {})
    _, proof = take(store.outbox)
    unsure = store.outbox.settle(proof, "unsure", error="the connection broke")
    assert (unsure.state, unsure.unsure) == ("unsure", 1)
    again, proof = take(store.outbox)
    assert (again.state, again.unsure) == ("sending", 1)
    back = store.outbox.settle(proof, "queued", delay=1)
    assert (back.state, back.unsure) == ("queued", 1)
    clock.advance(1)
    _, proof = take(store.outbox)
    assert store.outbox.settle(proof, "sent").unsure == 1


def test_a_message_of_a_dead_sender_is_taken_again_as_unsure(store: Store, clock: FrozenClock) -> None:
    store.outbox.put("k1", ROOM, {})
    take(store.outbox, "one", ttl=10)
    clock.jump(86_400)
    assert store.outbox.take(ALL, "two", 10) is None
    clock.advance(10)
    again, _ = take(store.outbox, "two")
    assert (again.state, again.unsure, again.owner, again.epoch) == ("sending", 1, "two", 2)


def test_a_message_of_a_dead_reader_is_taken_again(store: Store, clock: FrozenClock) -> None:
    store.inbox.put("k1", ROOM, {})
    take(store.inbox, "one", ttl=10)
    clock.advance(10)
    again, _ = take(store.inbox, "two")
    assert (again.state, again.unsure, again.owner, again.epoch) == ("taken", 0, "two", 2)


def test_a_worker_does_not_take_twice_what_it_already_holds(mailbox: Mailbox) -> None:
    mailbox.put("k1", ROOM, {})
    take(mailbox, "worker")
    assert mailbox.take(ALL, "worker", 60) is None


def test_a_late_settler_is_refused(store: Store, mailbox: Mailbox, box: str, clock: FrozenClock) -> None:
    mailbox.put("k1", ROOM, {})
    _, late = take(mailbox, "one", ttl=10)
    clock.advance(11)
    _, current = take(mailbox, "two")
    for state in (*FINAL[box], FIRST[box]):
        with unchanged(store), pytest.raises(StaleEpoch):
            mailbox.settle(late, state)
    assert mailbox.settle(current, FINAL[box][0]).state == FINAL[box][0]


def test_a_settler_whose_lease_expired_unnoticed_may_settle(mailbox: Mailbox, box: str, clock: FrozenClock) -> None:
    mailbox.put("k1", ROOM, {})
    _, proof = take(mailbox, ttl=10)
    clock.advance(3600)
    assert mailbox.settle(proof, FINAL[box][0]).state == FINAL[box][0]


def test_a_renewed_message_stays_with_its_holder(mailbox: Mailbox, clock: FrozenClock) -> None:
    mailbox.put("k1", ROOM, {})
    taken, proof = take(mailbox, "one", ttl=10)
    clock.advance(9)
    mailbox.renew(proof, 10)
    kept = mailbox.get("k1")
    assert kept == replace(taken, lease_until=kept.lease_until)
    clock.advance(9)
    assert mailbox.take(ALL, "two", 10) is None
    clock.advance(1)
    assert take(mailbox, "two")[0].epoch == 2


def test_a_holder_that_lost_its_message_cannot_renew_it(
    store: Store, mailbox: Mailbox, box: str, clock: FrozenClock
) -> None:
    mailbox.put("k1", ROOM, {})
    _, late = take(mailbox, "one", ttl=10)
    clock.advance(11)
    _, current = take(mailbox, "two")
    with unchanged(store), pytest.raises(StaleEpoch):
        mailbox.renew(late, 10)
    mailbox.settle(current, FIRST[box])
    with unchanged(store), pytest.raises(StaleEpoch):
        mailbox.renew(current, 10)
    _, last = take(mailbox, "two")
    mailbox.settle(last, FINAL[box][0])
    with unchanged(store), pytest.raises(StaleEpoch):
        mailbox.renew(last, 10)
    with pytest.raises(NotFound):
        mailbox.renew(Ownership(box, "k2", "two", 1), 10)


def test_a_message_is_not_renewed_with_a_proof_of_the_other_box(store: Store) -> None:
    for each in (store.inbox, store.outbox):
        each.put("k1", ROOM, {})
    _, incoming = take(store.inbox)
    take(store.outbox)
    with unchanged(store), pytest.raises(StaleEpoch):
        store.outbox.renew(incoming, 600)


def test_a_holder_whose_lease_expired_unnoticed_may_renew_it(mailbox: Mailbox, clock: FrozenClock) -> None:
    mailbox.put("k1", ROOM, {})
    _, proof = take(mailbox, ttl=10)
    clock.advance(3600)
    mailbox.renew(proof, 10)
    assert mailbox.take(ALL, "another", 10) is None


def test_only_final_messages_not_touched_since_are_pruned(store: Store, clock: FrozenClock) -> None:
    ends = {"done": store.inbox, "sent": store.outbox, "refused": store.outbox, "queued": store.outbox}
    for number, (state, mailbox) in enumerate({**ends, "later": store.inbox}.items()):
        mailbox.put(state, Place("telegram", f"room {number}"), {})
    taken = {mail.key: proof for mailbox in (store.inbox, store.outbox) for mail, proof in taken_all(mailbox)}
    for state, mailbox in ends.items():
        mailbox.settle(taken[state], state)
    clock.advance(60)
    before = clock.now()
    assert store.upkeep.prune_mail(0) == 0
    store.inbox.settle(taken["later"], "done")
    assert store.upkeep.prune_mail(before) == 3
    assert store.upkeep.prune_mail(before) == 0
    for state in ("done", "sent", "refused"):
        with pytest.raises(NotFound):
            ends[state].get(state)
    assert (store.inbox.get("later").state, store.outbox.get("queued").state) == ("done", "queued")
    assert store.inbox.put("done", ROOM, {}) is True
    assert store.upkeep.prune_mail(2**70) == 1


def test_held_messages_are_never_pruned(store: Store, mailbox: Mailbox, clock: FrozenClock) -> None:
    mailbox.put("k1", ROOM, {})
    mailbox.put("k2", ROOM, {})
    take(mailbox, ttl=10)
    clock.advance(3600)
    with unchanged(store):
        assert store.upkeep.prune_mail(2**60) == 0


def taken_all(mailbox: Mailbox) -> list[tuple[Mail, Ownership]]:
    found: list[tuple[Mail, Ownership]] = []
    while taken := mailbox.take(ALL, "worker", 600):
        found.append(taken)
    return found


def test_a_message_goes_only_where_its_box_allows(store: Store, mailbox: Mailbox, box: str) -> None:
    mailbox.put("k1", ROOM, {})
    _, proof = take(mailbox)
    forbidden = {"inbox": ["queued", "sent", "refused", "unsure"], "outbox": ["new", "done"]}[box]
    for state in (*forbidden, HELD[box], "", "nonsense"):
        with unchanged(store), pytest.raises(BadTransition):
            mailbox.settle(proof, state)


def test_a_message_nobody_took_cannot_be_settled(store: Store, mailbox: Mailbox, box: str) -> None:
    mailbox.put("k1", ROOM, {})
    with unchanged(store), pytest.raises(BadTransition):
        mailbox.settle(Ownership(box, "k1", "worker", 0), FINAL[box][0])


@pytest.mark.parametrize("key", ["k2", "", "\0", "\ud800", "x" * 5000])
def test_a_message_that_is_not_there_is_not_found(mailbox: Mailbox, box: str, key: str) -> None:
    mailbox.put("k1", ROOM, {})
    with pytest.raises(NotFound):
        mailbox.get(key)
    with pytest.raises(NotFound):
        mailbox.settle(Ownership(box, key, "worker", 1), FINAL[box][0])


@pytest.mark.parametrize(
    ("key", "body", "conversation_id"),
    [
        ("a\0", {}, ""),
        ("\ud800", {}, ""),
        ("x" * 501, {}, ""),
        ("k1", {"x": object()}, ""),
        ("k1", {"x": float("inf")}, ""),
        ("k1", {}, "\0"),
        ("k1", {}, "\ud800"),
    ],
)
def test_a_message_that_cannot_be_stored_is_refused(
    store: Store, mailbox: Mailbox, key: str, body: dict[str, object], conversation_id: str
) -> None:
    with unchanged(store), pytest.raises(BadText):
        mailbox.put(key, ROOM, body, conversation_id)


def test_an_outcome_that_cannot_be_stored_is_refused(store: Store, mailbox: Mailbox, box: str) -> None:
    mailbox.put("k1", ROOM, {})
    _, proof = take(mailbox)
    for options in ({"error": "\0"}, {"error": "x" * 4097}, {"receipt": "\ud800"}, {"receipt": "x" * 4097}):
        with unchanged(store), pytest.raises(BadText):
            mailbox.settle(proof, FINAL[box][0], **options)
    for delay in (-1, float("nan"), float("inf")):
        with unchanged(store), pytest.raises(BadInput):
            mailbox.settle(proof, FIRST[box], delay=delay)
    assert mailbox.settle(proof, FINAL[box][0], error="x" * 4096, receipt="é" * 4096).error == "x" * 4096


def test_a_take_that_cannot_be_kept_is_refused(store: Store, mailbox: Mailbox) -> None:
    mailbox.put("k1", ROOM, {})
    for owner, ttl, error in (("\0", 10, BadText), ("x" * 201, 10, BadText), ("worker", float("nan"), BadInput)):
        with unchanged(store), pytest.raises(error):
            mailbox.take(ALL, owner, ttl)


def test_two_workers_never_get_the_same_message(backend: Backend, store: Store, clock: FrozenClock, box: str) -> None:
    for number in range(24):
        box_of(store, box).put(f"k{number}", Place("telegram", f"{number % 6}"), {})
    handles = [backend.open(clock) for _ in range(4)]

    def work(number: int) -> Callable[[], list[str]]:
        def run() -> list[str]:
            mine, settled = box_of(handles[number], box), []
            for _ in range(60):
                if found := mine.take(ALL, f"worker {number}", 60):
                    mine.settle(found[1], FINAL[box][0])
                    settled.append(found[0].key)
            return settled

        return run

    results = at_once(*(work(number) for number in range(4)))
    settled = [key for result in results if isinstance(result, list) for key in result]
    assert sorted(settled) == sorted(f"k{number}" for number in range(24))
    assert all(box_of(store, box).get(key).attempts == 1 for key in settled)


def test_what_a_removed_conversation_sent_and_was_sent_says_nothing_any_more(store: Store) -> None:
    """Its letters go; of what it was sent the key stays, so that it is not taken up once more."""
    removed, other = (store.conversations.start(each)[0].id for each in ("removed", "other"))
    store.inbox.put("in1", ROOM, {"text": "one thing"}, removed)
    store.outbox.put("out1", ROOM, {"text": "another thing"}, removed)
    store.outbox.put("out2", HALL, {"text": "stays"}, other)
    for box, state in ((store.inbox, "done"), (store.outbox, "sent")):
        box.settle(take(box)[1], state)
    assert store.upkeep.remove(removed, 2**61)
    with pytest.raises(NotFound):
        store.outbox.get("out1")
    assert store.inbox.get("in1").body == "{}"
    assert not store.inbox.put("in1", ROOM, {"text": "one thing"})
    assert store.outbox.get("out2").body == '{"text":"stays"}'
