"""Many processes at one store: nothing is lost, nobody fails, and nobody's work is done twice."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from baton.core.entry import NewEntry
from baton.core.errors import OwnedElsewhere
from baton.ports.store import Store
from tests.support.workers.crew import Crew, Worker
from tests.support.workers.stores import open_at, schema_versions

PROCESSES = 8
APPENDS = 2000
TURNS = 100
IN_A_TURN = 20
SEARCHERS = 4
HEAD_START = 0.05


@contextmanager
def opened(location: str) -> Iterator[Store]:
    store = open_at(location)
    try:
        yield store
    finally:
        store.close()


def go(workers: list[Worker], *words: Any) -> list[list[list[Any]]]:
    """Lets all of them begin once all are ready; gives what each said until its end."""
    for worker in workers:
        assert worker.hear() == ["ready"]
    for worker in workers:
        worker.tell(*words)
    said = [worker.rest() for worker in workers]
    assert [worker.finish() for worker in workers] == [0] * len(workers)
    return said


def longest_wait(said: list[list[list[Any]]]) -> float:
    return max(words[1] for ((*words,),) in said)


def texts(store: Store, conversation_id: str) -> list[str]:
    head_id = store.conversations.get(conversation_id).head_id
    return [entry.data["text"] for entry in store.entries.load(head_id)]


@pytest.mark.timeout(180)
def test_eight_writers_of_one_database_keep_every_entry(location: str, crew: Crew) -> None:
    with opened(location) as store:
        ids = [store.conversations.start(f"of writer {number}")[0].id for number in range(PROCESSES)]
    workers = [
        crew.start("append_to_its_own", location=location, conversation_id=own, owner=f"w{number}", count=APPENDS)
        for number, own in enumerate(ids)
    ]
    said = go(workers)
    print(f"\n{location}: {PROCESSES} x {APPENDS} appends, the longest wait was {longest_wait(said) * 1000:.0f} ms")
    with opened(location) as store:
        for number, own in enumerate(ids):
            assert texts(store, own) == [f"common w{number} {each}" for each in range(APPENDS)]


@pytest.mark.timeout(180)
def test_eight_writers_that_take_turns_on_one_conversation_keep_every_entry(location: str, crew: Crew) -> None:
    with opened(location) as store:
        shared = store.conversations.start("shared")[0].id
    workers = [
        crew.start(
            "append_in_turns",
            location=location,
            conversation_id=shared,
            owner=f"w{number}",
            turns=TURNS,
            count=IN_A_TURN,
        )
        for number in range(PROCESSES)
    ]
    said = go(workers)
    print(f"\n{location}: turns of {IN_A_TURN}, the longest wait for an append was {longest_wait(said) * 1000:.0f} ms")
    with opened(location) as store:
        found = [text.split() for text in texts(store, shared)]
    assert len(found) == PROCESSES * TURNS * IN_A_TURN
    by_writer = {owner: [int(number) for _, name, number in found if name == owner] for _, owner, _ in found}
    assert by_writer == {f"w{number}": list(range(TURNS * IN_A_TURN)) for number in range(PROCESSES)}
    turns = [found[first : first + IN_A_TURN] for first in range(0, len(found), IN_A_TURN)]
    assert all(len({owner for _, owner, _ in turn}) == 1 for turn in turns)


@pytest.mark.parametrize("time_of_birth", range(8))
def test_eight_processes_make_a_new_store_at_the_same_instant(location: str, crew: Crew, time_of_birth: int) -> None:
    workers = [crew.start("open_at_once", location=location, owner=f"w{number}") for number in range(PROCESSES)]
    said = go(workers, time.monotonic() + HEAD_START)
    held = [words[0][1] for words in said]
    with opened(location) as store:
        assert sorted(store.upkeep.ids()) == sorted(held)
        assert [finding.level for finding in store.upkeep.check()] == ["ok"]
        for conversation_id in held:
            with pytest.raises(OwnedElsewhere):
                store.conversations.claim(conversation_id, "somebody else", 1)
    assert schema_versions(location) == [1]


def test_an_index_made_by_four_processes_at_once_holds_every_entry_once(location: str, crew: Crew) -> None:
    with opened(location) as store:
        for number in range(40):
            fill(store, f"conversation {number}", 50)
    workers = [crew.start("catch_up_at_once", location=location) for _ in range(SEARCHERS)]
    go(workers, time.monotonic() + HEAD_START)
    assert_found_once(location, "common", 40 * 50)


def test_search_follows_writers_that_all_search_too(location: str, crew: Crew) -> None:
    with opened(location) as store:
        ids = [store.conversations.start(f"of writer {number}")[0].id for number in range(SEARCHERS)]
    workers = [
        crew.start("append_and_search", location=location, conversation_id=own, owner=f"w{number}", count=60)
        for number, own in enumerate(ids)
    ]
    assert go(workers) == [[["missed", 0]]] * SEARCHERS
    assert_found_once(location, "common", SEARCHERS * 60)


def fill(store: Store, title: str, count: int) -> None:
    conversation, session = store.conversations.start(title)
    proof = store.conversations.claim(conversation.id, "filler", 60)
    store.entries.append(proof, session.id, [NewEntry("user", {"text": f"common {each}"}) for each in range(count)])


def assert_found_once(location: str, query: str, count: int) -> None:
    with opened(location) as store:
        hits = Counter((hit.session_id, hit.seq) for hit in store.search.find(query, limit=10 * count))
    assert len(hits) == count
    assert set(hits.values()) == {1}
