"""The server, or the way to it, breaks: what was acknowledged is kept, and the next call works."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import psycopg
import pytest

from baton.core.errors import NotFound, SequenceMoved, StoreUnavailable
from baton.core.log.entry import Entry
from baton.core.value import replace
from baton.ports.store import LOG, Store
from tests.contract.store.kit import Work, begin, said, texts, whole
from tests.contract.store.postgres_only.conftest import Opener
from tests.support.cutter import Cutter
from tests.support.postgres import private_server

TERMINATE = """
SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity
WHERE pid <> pg_backend_pid() AND application_name = 'baton'
"""


def crash_and_start() -> None:
    private_server().crash()
    private_server().start()


def test_after_a_crash_of_the_server_the_next_call_works_and_nothing_is_missing(opened: Opener) -> None:
    store = opened()
    work = begin(store)
    work.say("before")
    crash_and_start()
    assert texts(store.entries.load(work.head.id)) == ["before"]
    crash_and_start()
    work.say("after")
    assert texts(store.entries.load(work.head.id)) == ["before", "after"]


def test_a_writer_works_through_crashes_without_losing_or_repeating_anything(opened: Opener) -> None:
    store = opened()
    work = begin(store, ttl=3000)
    stop = threading.Event()
    acknowledged: list[str] = []

    def write() -> None:
        count = 0
        while not stop.is_set():
            with suppress(StoreUnavailable, SequenceMoved):
                store.entries.append(work.proof, work.head.id, said(str(count)), expected=count)
                acknowledged.append(str(count))
            with suppress(StoreUnavailable):
                count = store.sessions.get(work.head.id).entries

    thread = threading.Thread(target=write)
    thread.start()
    for _ in range(3):
        stop.wait(0.3)
        crash_and_start()
    stop.wait(0.3)
    stop.set()
    thread.join(30)
    kept = texts(store.entries.load(work.head.id))
    assert kept == [str(number) for number in range(len(kept))]
    assert set(acknowledged) <= set(kept)
    assert len(acknowledged) > 10


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda work: work.now(), id="a read"),
        pytest.param(lambda work: work.say("one"), id="a write"),
        pytest.param(lambda work: work.store.search.drop(), id="a write that asks nothing"),
    ],
)
def test_connections_that_died_in_the_pool_are_replaced(
    store: Store, raw: psycopg.Connection, act: Callable[[Work], object]
) -> None:
    work = begin(store)
    for _ in range(3):
        assert raw.execute(TERMINATE).fetchone() != (0,)
        act(work)


def test_a_connection_lost_inside_a_write_undoes_it_as_a_whole(store: Store, raw: psycopg.Connection) -> None:
    work = begin(store)
    work.say(*map(str, range(2000)))
    bundle = whole(store, work.id)
    store.conversations.release(work.proof)
    assert store.upkeep.remove(work.id, 2**60) is True

    def cut_in_the_middle() -> Iterator[Entry]:
        for entry in bundle.entries:
            if entry.seq == 1500:
                raw.execute(TERMINATE)
            yield entry

    with pytest.raises(StoreUnavailable) as caught:
        store.upkeep.insert(replace(bundle, entries=cut_in_the_middle()))
    assert "nobody knows" not in str(caught.value)
    with pytest.raises(NotFound):
        store.conversations.get(work.id)
    assert store.upkeep.insert(bundle) is True
    assert whole(store, work.id) == bundle


@pytest.mark.parametrize("arrives", [True, False], ids=["commit arrives", "commit is lost"])
def test_when_the_outcome_of_a_commit_is_unknown_the_error_says_so_and_expected_tells_the_truth(
    url: str, opened: Opener, arrives: bool
) -> None:
    with Cutter(private_server().socket, b"COMMIT\0", forward=arrives) as cutter:
        schema = url.rpartition("schema=")[2]
        far = opened(f"postgresql://postgres@127.0.0.1:{cutter.port}/postgres?schema={schema}")
        work = begin(far)
        work.say("one")
        cutter.armed = True
        with pytest.raises(StoreUnavailable, match="nobody knows whether it was kept"):
            far.entries.append(work.proof, work.head.id, said("two"), expected=1)
        cutter.armed = False
        if arrives:
            with pytest.raises(SequenceMoved):
                far.entries.append(work.proof, work.head.id, said("two"), expected=1)
        else:
            far.entries.append(work.proof, work.head.id, said("two"), expected=1)
        assert texts(far.entries.load(work.head.id)) == ["one", "two"]


def test_a_waiter_that_lost_its_connection_wakes_once_it_is_back(store: Store, opened: Opener) -> None:
    work = begin(opened())
    waiter = store.waiter(LOG)
    try:
        assert waiter.wait(0) is False
        crash_and_start()
        work.say("missed")
        assert waiter.wait(10) is True
        assert waiter.wait(0.1) is False
        work.say("heard")
        assert waiter.wait(10) is True
    finally:
        waiter.close()


def test_a_waiter_survives_a_server_that_is_away(opened: Opener) -> None:
    store = opened()
    work = begin(store)
    waiter = store.waiter(LOG)
    private_server().crash()
    try:
        assert waiter.wait(0.5) is False
    finally:
        private_server().start()
    try:
        assert waiter.wait(10) is True
        assert texts(work.say("back")) == ["back"]
    finally:
        waiter.close()


def test_a_server_that_stays_away_is_said_to_be(opened: Opener) -> None:
    store = opened(busy_timeout=0.3)
    work: Work = begin(store)
    private_server().crash()
    try:
        with pytest.raises(StoreUnavailable) as caught:
            work.say("nobody hears this")
        assert "nobody knows" not in str(caught.value)
        with pytest.raises(StoreUnavailable):
            work.now()
    finally:
        private_server().start()
    assert texts(work.say("heard")) == ["heard"]
