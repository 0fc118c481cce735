from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from threading import Thread

import pytest

from baton.core.errors import RecordMoved, StaleEpoch
from baton.core.transfer.place import Place
from baton.ports.store import LOG, TOPICS, WORK, Store, Waiter
from tests.contract.store.kit import Work, begin

LONG = 10.0
ROOM = Place("telegram", "1")


@pytest.fixture
def waiting(store: Store) -> Iterator[Callable[[str], Waiter]]:
    """Waiters of `store`, closed at the end."""
    made: list[Waiter] = []

    def make(topic: str) -> Waiter:
        made.append(store.waiter(topic))
        return made[-1]

    yield make
    for waiter in made:
        waiter.close()


WRITES: dict[str, tuple[str, Callable[[Work], object]]] = {
    "a conversation is started": (LOG, lambda work: work.store.conversations.start("new")),
    "a conversation is forked": (LOG, lambda work: work.store.conversations.fork(work.head.id, 0, "fork")),
    "an entry is appended": (LOG, lambda work: work.say("hello")),
    "the head moves (log)": (LOG, lambda work: work.advance()),
    "the head moves (work)": (WORK, lambda work: work.advance()),
    "a draft is opened": (WORK, lambda work: work.draft()),
    "a transfer is requested": (WORK, lambda work: work.store.transfers.request(work.id, "terminal:1", "telegram")),
    "a place is bound": (WORK, lambda work: work.store.bindings.bind(ROOM, work.id)),
    "a message comes in": (WORK, lambda work: work.store.inbox.put("k", ROOM, {})),
    "a record is put": (WORK, lambda work: work.store.register.put("k", {})),
    "a record is removed": (WORK, lambda work: work.store.register.remove("there")),
    "a message is to go out": (WORK, lambda work: work.store.outbox.put("k", ROOM, {})),
}


def begin_with_a_record(store: Store) -> Work:
    store.register.put("there", {})
    return begin(store)


@pytest.mark.parametrize("what", sorted(WRITES))
def test_a_waiter_is_woken_by_another_handle_when(
    store: Store, other: Store, waiting: Callable[[str], Waiter], what: str
) -> None:
    topic, write = WRITES[what]
    work = begin_with_a_record(other)
    waiter = waiting(topic)
    thread = Thread(target=lambda: (time.sleep(0.05), write(work)))
    start = time.monotonic()
    thread.start()
    try:
        assert waiter.wait(LONG) is True
        assert time.monotonic() - start < LONG / 2
    finally:
        thread.join()


@pytest.mark.parametrize("what", sorted(WRITES))
def test_a_write_between_the_look_and_the_wait_is_not_missed_when(
    store: Store, other: Store, waiting: Callable[[str], Waiter], what: str
) -> None:
    topic, write = WRITES[what]
    work = begin_with_a_record(other)
    waiter = waiting(topic)
    write(work)
    start = time.monotonic()
    assert waiter.wait(LONG) is True
    assert time.monotonic() - start < LONG / 2


@pytest.mark.parametrize("topic", TOPICS)
def test_a_write_of_the_same_handle_wakes_too(store: Store, waiting: Callable[[str], Waiter], topic: str) -> None:
    work = begin(store)
    waiter = waiting(topic)
    work.advance()
    assert waiter.wait(LONG) is True


@pytest.mark.parametrize("topic", TOPICS)
def test_every_waiter_is_woken(store: Store, other: Store, waiting: Callable[[str], Waiter], topic: str) -> None:
    work = begin(store)
    with closing(other.waiter(topic)) as theirs:
        waiters = [waiting(topic), waiting(topic), theirs]
        work.advance()
        assert [waiter.wait(LONG) for waiter in waiters] == [True, True, True]


@pytest.mark.parametrize("topic", TOPICS)
def test_a_waiter_goes_on_waiting_for_the_next_write(
    store: Store, other: Store, waiting: Callable[[str], Waiter], topic: str
) -> None:
    work = begin(other)
    waiter = waiting(topic)
    for _ in range(5):
        work.advance()
        assert waiter.wait(LONG) is True


@pytest.mark.parametrize("topic", TOPICS)
def test_without_a_write_the_wait_ends_when_its_time_is_over(
    store: Store, waiting: Callable[[str], Waiter], topic: str
) -> None:
    begin(store)
    waiter = waiting(topic)
    waiter.wait(0.2)
    start = time.monotonic()
    assert waiter.wait(0.3) is False
    assert 0.25 <= time.monotonic() - start < 5


@pytest.mark.parametrize("topic", TOPICS)
def test_a_wait_of_no_time_is_a_look(store: Store, other: Store, waiting: Callable[[str], Waiter], topic: str) -> None:
    work = begin(other)
    waiter = waiting(topic)
    waiter.wait(0.2)
    assert waiter.wait(0) is False
    work.advance()
    deadline = time.monotonic() + LONG
    while not (seen := waiter.wait(0)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert seen is True


def test_a_write_that_was_refused_wakes_nobody(store: Store, other: Store, waiting: Callable[[str], Waiter]) -> None:
    work = begin(other)
    other.conversations.release(work.proof)
    waiter = waiting(LOG)
    waiter.wait(0.2)
    with pytest.raises(StaleEpoch):
        work.say("refused")
    assert waiter.wait(0.3) is False


def test_a_record_that_moved_wakes_nobody(store: Store, other: Store, waiting: Callable[[str], Waiter]) -> None:
    other.register.put("k", {})
    waiter = waiting(WORK)
    waiter.wait(0.2)
    with pytest.raises(RecordMoved):
        other.register.put("k", {}, expected=0)
    assert other.register.remove("another") is False
    assert waiter.wait(0.3) is False


def test_a_settled_message_wakes_only_whoever_may_take_the_next_of_its_place(
    store: Store, other: Store, waiting: Callable[[str], Waiter]
) -> None:
    for key in ("one", "two"):
        other.inbox.put(key, ROOM, {})
    first = other.inbox.take((ROOM.platform,), "worker", 30)
    waiter = waiting(WORK)
    assert first is not None
    other.inbox.settle(first[1], "done")
    assert waiter.wait(LONG) is True
    last = other.inbox.take((ROOM.platform,), "worker", 30)
    waiter = waiting(WORK)
    waiter.wait(0.2)
    assert last is not None
    began = time.monotonic()
    other.inbox.settle(last[1], "done")
    assert waiter.wait(0.3) is False or time.monotonic() - began >= 0.3, "no hint: seen only because somebody wrote"


def test_a_message_that_is_put_to_be_taken_at_once_wakes_nobody(
    store: Store, other: Store, waiting: Callable[[str], Waiter]
) -> None:
    waiter = waiting(WORK)
    waiter.wait(0.2)
    began = time.monotonic()
    assert other.inbox.put("one", ROOM, {}, wake=False) is True
    assert waiter.wait(0.3) is False or time.monotonic() - began >= 0.3, "no hint: seen only because somebody wrote"
    assert store.inbox.take((ROOM.platform,), "worker", 30) is not None


def test_reading_wakes_nobody(store: Store, other: Store, waiting: Callable[[str], Waiter]) -> None:
    work = begin(other)
    waiter = waiting(LOG)
    waiter.wait(0.2)
    other.entries.load(work.head.id)
    other.conversations.page()
    assert waiter.wait(0.3) is False
