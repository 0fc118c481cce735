"""Many processes at one store: nothing is lost, nobody fails, and nobody's work is done twice."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from baton.adapters.stores.sqlite.migrate import LATEST
from baton.core.errors import OwnedElsewhere
from baton.core.log.entry import NewEntry
from baton.ports.store import Store
from tests.support.workers.crew import Crew, Worker
from tests.support.workers.stores import opened, schema_versions

PROCESSES = 8
APPENDS = 2000
TURNS = 100
IN_A_TURN = 20
SEARCHERS = 4
BIRTHS = 8
HEAD_START = 0.05


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


def test_eight_processes_make_a_new_store_at_the_same_instant(new_location: Callable[[], str], crew: Crew) -> None:
    for _ in range(BIRTHS):
        make_at_the_same_instant(new_location(), crew)


def make_at_the_same_instant(location: str, crew: Crew) -> None:
    workers = [crew.start("open_at_once", location=location, owner=f"w{number}") for number in range(PROCESSES)]
    said = go(workers, time.monotonic() + HEAD_START)
    held = [words[0][1] for words in said]
    with opened(location) as store:
        assert sorted(store.upkeep.ids()) == sorted(held)
        assert [finding.level for finding in store.upkeep.check()] == ["ok"]
        for conversation_id in held:
            with pytest.raises(OwnedElsewhere):
                store.conversations.claim(conversation_id, "somebody else", 1)
    assert schema_versions(location) == list(range(1, LATEST + 1))


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


def test_an_index_dropped_by_one_process_is_made_anew_for_all(location: str) -> None:
    with opened(location) as first, opened(location) as second:
        conversation_id = fill(first, "long open", 5)
        assert len(first.search.find("common")) == 5
        second.search.drop()
        assert len(second.search.find("common")) == 5
        append(first, conversation_id, "common and later")
        assert len(first.search.find("common")) == 6
        assert len(second.search.find("common")) == 6


def test_search_finds_everything_after_the_index_was_dropped_again_and_again(location: str, crew: Crew) -> None:
    with opened(location) as store:
        ids = [store.conversations.start(f"of writer {number}")[0].id for number in range(SEARCHERS)]
    workers = [
        crew.start("append_and_search", location=location, conversation_id=own, owner=f"w{number}", count=40)
        for number, own in enumerate(ids)
    ]
    droppers = [crew.start("drop_the_index", location=location, times=15) for _ in range(2)]
    go(workers + droppers)
    assert_found_once(location, "common", SEARCHERS * 40)


@pytest.mark.parametrize("die_at", [1, 2, 3])
@pytest.mark.parametrize("die", ["before commit", "after commit"])
def test_a_process_killed_while_it_drops_the_index_hides_nothing(
    location: str, crew: Crew, die: str, die_at: int
) -> None:
    with opened(location) as store:
        fill(store, "indexed", 20)
        assert len(store.search.find("common")) == 20
        worker = crew.start("drop_the_index", location=location, times=2, die=die, die_at=die_at)
        assert worker.hear() == ["ready"]
        worker.tell("go")
        assert os.WTERMSIG(worker.finish()) == signal.SIGKILL
        append(store, fill(store, "another", 1), "common")
        assert len(store.search.find("common", limit=100)) == 22
    assert_found_once(location, "common", 22)


def fill(store: Store, title: str, count: int) -> str:
    conversation, _ = store.conversations.start(title)
    append(store, conversation.id, *(f"common {each}" for each in range(count)))
    return conversation.id


def append(store: Store, conversation_id: str, *texts: str) -> None:
    proof = store.conversations.claim(conversation_id, "filler", 60)
    head_id = store.conversations.get(conversation_id).head_id
    store.entries.append(proof, head_id, [NewEntry("user", {"text": text}) for text in texts])


def assert_found_once(location: str, query: str, count: int) -> None:
    with opened(location) as store:
        hits = Counter((hit.session_id, hit.seq) for hit in store.search.find(query, limit=10 * count))
    assert len(hits) == count
    assert set(hits.values()) == {1}
