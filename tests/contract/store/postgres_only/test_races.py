"""Rows are locked one by one: what SQLite keeps apart by its single writer must come out the same here."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import count

import psycopg
import pytest

from baton.core.errors import AlreadyExists, BatonError, HeadMoved, NotFound, StaleEpoch
from baton.core.transfer.mail import DONE
from baton.core.transfer.place import Place
from baton.ports.store import Store
from tests.contract.store.kit import at_once, begin, said, texts, whole
from tests.contract.store.postgres_only.conftest import Opener, holding

BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'baton' AND wait_event_type = 'Lock'"
LOCK = "SELECT FROM conversation WHERE id = %s FOR UPDATE"


def blocked_while(raw: psycopg.Connection, act: Callable[[], object]) -> Future[object]:
    """`act` in a thread, once it waits for a lock."""
    pool = ThreadPoolExecutor(1)
    future = pool.submit(act)
    pool.shutdown(wait=False)
    for _ in count():
        if raw.execute(BLOCKED).fetchone() == (1,):
            return future
        if future.done():
            raise AssertionError(f"it did not wait: {future}")
    raise AssertionError


def test_an_append_that_waited_while_the_head_moved_is_told_so(store: Store, raw: psycopg.Connection) -> None:
    work = begin(store)
    with holding(raw, LOCK, work.id):
        raw.execute("UPDATE session SET ended_at = 1, end_reason = 'handoff' WHERE id = %s", [work.head.id])
        raw.execute(
            "INSERT INTO session (id, conversation_id, parent_id, root_id, edge, reason, depth, model, started_at) "
            "SELECT '20260101_000000_abcdef', conversation_id, id, root_id, 'handoff', '', 1, '', 1 FROM session"
        )
        raw.execute("UPDATE conversation SET head_id = '20260101_000000_abcdef', version = 2")
        future = blocked_while(raw, lambda: work.say("late"))
    with pytest.raises(HeadMoved, match=work.id):
        future.result(10)


def test_an_append_that_waited_while_the_owner_changed_is_refused(store: Store, raw: psycopg.Connection) -> None:
    work = begin(store)
    with holding(raw, LOCK, work.id):
        raw.execute("UPDATE conversation SET epoch = epoch + 1")
        future = blocked_while(raw, lambda: work.say("late"))
    with pytest.raises(StaleEpoch):
        future.result(10)


def test_an_append_that_waited_while_entries_were_added_follows_them(store: Store, raw: psycopg.Connection) -> None:
    work = begin(store)
    with holding(raw, LOCK, work.id):
        future = blocked_while(raw, lambda: work.say("second"))
        raw.execute("UPDATE session SET entries = 1")
    assert [entry.seq for entry in future.result(10)] == [2]  # type: ignore[union-attr]


@pytest.mark.parametrize("act", ["edit", "cancel"])
def test_a_draft_is_locked_after_its_conversation(store: Store, raw: psycopg.Connection, act: str) -> None:
    work = begin(store)
    draft = work.draft()
    changes: dict[str, Callable[[], object]] = {
        "edit": partial(store.drafts.edit, draft.id, draft.packet_id),
        "cancel": partial(store.drafts.cancel, draft.id),
    }
    with holding(raw, LOCK, work.id):
        future = blocked_while(raw, changes[act])
        raw.execute("SELECT FROM draft WHERE id = %s FOR UPDATE NOWAIT", [draft.id])
    future.result(10)


def test_a_packet_does_not_survive_the_removal_of_its_conversation(store: Store, raw: psycopg.Connection) -> None:
    work = begin(store)
    with holding(raw, LOCK, work.id):
        future = blocked_while(raw, lambda: store.packets.add(work.head.id, "# Packet", {}))
        raw.execute("DELETE FROM session")
        raw.execute("DELETE FROM conversation")
    with pytest.raises(NotFound):
        future.result(10)


def test_moving_on_while_drafts_are_changed_never_locks_up(store: Store) -> None:
    work = begin(store)
    for _ in range(10):
        drafts = [work.draft() for _ in range(3)]
        outcomes = at_once(
            work.advance,
            *(partial(store.drafts.cancel, each.id) for each in drafts),
            *(partial(store.drafts.edit, each.id, each.packet_id) for each in drafts),
        )
        assert not isinstance(outcomes[0], Exception)
        assert {each.code for each in outcomes if isinstance(each, BatonError)} <= {"draft-stale", "bad-transition"}


def test_of_requests_at_once_all_but_one_are_told_of_the_other(opened: Opener) -> None:
    stores = [opened() for _ in range(4)]
    for _ in range(5):
        conversation, _ = stores[0].conversations.start("going")
        asks = [partial(each.transfers.request, conversation.id, "tui:x", "slack") for each in stores]
        assert sorted(type(each).__name__ for each in at_once(*asks)) == ["Transfer", *["TransferActive"] * 3]


def test_of_binds_of_a_free_place_at_once_all_but_one_are_told_of_the_other(opened: Opener) -> None:
    stores = [opened() for _ in range(4)]
    ids = [stores[0].conversations.start("somewhere")[0].id for _ in stores]
    for number in range(5):
        place = Place("slack", f"room {number}")
        binds = [partial(each.bindings.bind, place, key) for each, key in zip(stores, ids, strict=True)]
        assert sorted(type(each).__name__ for each in at_once(*binds)) == ["Binding", *["PlaceTaken"] * 3]


def test_the_same_conversation_imported_twice_at_once_is_there_once(opened: Opener) -> None:
    stores = [opened() for _ in range(4)]
    work = begin(stores[0])
    work.say(*map(str, range(50)))
    stores[0].bindings.bind(Place("slack", "room"), work.id)
    bundle = whole(stores[0], work.id)
    stores[0].conversations.release(work.proof)
    assert stores[0].upkeep.remove(work.id, 2**60) is True
    outcomes = at_once(*(partial(each.upkeep.insert, bundle) for each in stores))
    assert sorted(map(str, outcomes)) == ["False", "False", "False", "True"]
    assert whole(stores[1], work.id) == bundle


def test_an_id_that_is_taken_at_the_last_moment_is_said_to_be(store: Store, raw: psycopg.Connection) -> None:
    work = begin(store)
    packet = store.packets.add(work.head.id, "# Packet", {})
    bundle = whole(store, work.id)
    store.conversations.release(work.proof)
    assert store.upkeep.remove(work.id, 2**60) is True
    begin(store)
    with holding(raw, "INSERT INTO packet SELECT %s, id, '', '', '', 0, 0 FROM session", packet.id):
        future = blocked_while(raw, lambda: store.upkeep.insert(bundle))
    with pytest.raises(AlreadyExists, match=f"packet .*{packet.id}"):
        future.result(10)


class Airspace:
    """Takes messages until told to stop, and counts how many are in flight at once."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.seen: list[str] = []
        self.most = 0
        self._flying = 0
        self._mutex = threading.Lock()

    def fly(self, store: Store) -> None:
        while not self.over.is_set():
            taken = store.inbox.take(["slack"], "worker", 60)
            if taken is not None:
                self._count(1, taken[0].key)
                self._count(-1)
                store.inbox.settle(taken[1], DONE)

    def _count(self, change: int, *keys: str) -> None:
        with self._mutex:
            self._flying += change
            self.most = max(self.most, self._flying)
            self.seen += keys


def test_messages_of_a_place_stay_in_order_and_one_at_a_time(opened: Opener) -> None:
    stores, place, space = [opened() for _ in range(4)], Place("slack", "room"), Airspace()

    def put(store: Store, writer: int) -> None:
        for number in range(25):
            store.inbox.put(f"{writer}.{number}", place, {})

    takers = [threading.Thread(target=space.fly, args=(store,)) for store in stores[2:]]
    putters = [threading.Thread(target=put, args=(store, writer)) for writer, store in enumerate(stores[:2])]
    for thread in takers + putters:
        thread.start()
    for thread in putters:
        thread.join(30)
    while stores[0].inbox.list_waiting():
        time.sleep(0.02)
    space.over.set()
    for thread in takers:
        thread.join(30)
    assert space.most == 1
    for writer in ("0.", "1."):
        assert [key for key in space.seen if key.startswith(writer)] == [f"{writer}{number}" for number in range(25)]


def test_a_message_is_not_stored_before_an_earlier_one_of_its_place_is_there(
    url: str, store: Store, raw: psycopg.Connection
) -> None:
    place = Place("slack", "room")
    key = f"{url.rpartition('schema=')[2]} {place.key}"
    with holding(raw, "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", key):
        raw.execute(
            "INSERT INTO mail (box, key, place, conversation_id, body, state, unsure, epoch, lease_until, attempts, "
            "not_before, error, receipt, created_at, updated_at) "
            "VALUES ('inbox', 'first', %s, '', '{}', 'new', 0, 0, 0, 0, 0, '', '', 0, 0)",
            [place.key],
        )
        future = blocked_while(raw, lambda: store.inbox.put("second", place, {}))
        assert store.inbox.take(["slack"], "worker", 60) is None
    assert future.result(10) is True
    assert [mail.key for mail in store.inbox.list_waiting()] == ["first", "second"]


def test_more_threads_than_connections_wait_their_turn(store: Store) -> None:
    work = [begin(store, f"work {number}") for number in range(12)]
    outcomes = at_once(*(partial(each.say, "a", "b") for each in work))
    assert not [each for each in outcomes if isinstance(each, Exception)]
    assert all(texts(store.entries.load(each.head.id)) == ["a", "b"] for each in work)


def test_a_thread_inside_a_write_can_read(store: Store) -> None:
    works = [begin(store, f"work {number}") for number in range(6)]
    for work in works:
        store.entries.append(work.proof, work.head.id, said("x"))
    bundles = [whole(store, work.id) for work in works]
    outcomes = at_once(*(partial(store.upkeep.insert, each) for each in bundles))
    assert outcomes == [False] * 6
