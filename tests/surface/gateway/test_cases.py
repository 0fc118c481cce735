"""Which conversations a gateway looks at: what changed, once; what has an owner, until it has none."""

from __future__ import annotations

import subprocess
import sys

import pytest

from baton.core.log.conversation import Conversation
from baton.core.log.entry import NewEntry
from baton.core.transfer.place import Place
from baton.engine.turns.runtime import Runtime
from baton.ports.store import Store
from baton.surfaces.gateway.cases import Cases

HERE = ("telegram",)
LEASE = 30.0


@pytest.fixture
def cases(store: Store) -> Cases:
    runtime = Runtime(store, lambda _: pytest.fail("nothing runs here"), surface="test")
    return Cases(store, runtime, LEASE, recover_within=3_600.0)


def bound(store: Store, count: int) -> list[str]:
    made = [store.conversations.start(f"number {number}")[0].id for number in range(count)]
    for number, conversation_id in enumerate(made):
        store.bindings.bind(Place("telegram", str(number)), conversation_id)
    return made


def say(store: Store, conversation_id: str, owner: str = "somebody", *, leave: bool = True) -> None:
    proof = store.conversations.claim(conversation_id, owner, LEASE)
    store.entries.append(proof, store.conversations.get(conversation_id).head_id, [NewEntry("user", {"text": "hi"})])
    if leave:
        store.conversations.release(proof)


def due(cases: Cases) -> list[str]:
    cases.note_changes(HERE)
    return [each.id for each in cases.list_due()]


def look_at_all(cases: Cases, store: Store) -> list[str]:
    looked: list[str] = []
    more = True
    while more:
        more = cases.note_older(HERE)
        for conversation in cases.list_due():
            looked.append(conversation.id)
            cases.close(conversation)
    return looked


def test_at_the_start_all_are_looked_at_once_the_newest_first(
    store: Store, cases: Cases, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("baton.adapters.stores.sql.bindings", "baton.surfaces.gateway.cases"):
        monkeypatch.setattr(f"{module}.BOUND_PAGE", 4)
    made = bound(store, 10)
    cases.begin()
    assert look_at_all(cases, store) == made[::-1]
    assert look_at_all(cases, store) == due(cases) == []


def test_one_that_changes_is_looked_at_after_its_owner_had_time_to_continue(store: Store, cases: Cases) -> None:
    [first, _] = bound(store, 2)
    cases.begin()
    look_at_all(cases, store)
    say(store, first)
    assert due(cases) == [], "whoever wrote may be about to continue"
    cases._lease = 0.0
    assert due(cases) == [first]


def test_one_with_an_owner_is_looked_at_until_it_has_none_and_not_all_the_time(store: Store, cases: Cases) -> None:
    [first] = bound(store, 1)
    cases.begin()
    look_at_all(cases, store)
    say(store, first, leave=False)
    assert due(cases) == [first]
    cases.put_off(conversation(store, first))
    assert due(cases) == []
    cases._pause = 0.0
    cases.put_off(conversation(store, first))
    assert due(cases) == [first]


def test_one_whose_owner_has_died_on_this_machine_is_looked_at_at_once(store: Store, cases: Cases) -> None:
    name = "from baton.engine.processes import new_owner; print(new_owner('gateway'))"
    dead = subprocess.run([sys.executable, "-c", name], check=True, capture_output=True, text=True).stdout.strip()
    [first] = bound(store, 1)
    cases.begin()
    look_at_all(cases, store)
    say(store, first, dead, leave=False)
    cases.put_off(conversation(store, first))
    assert due(cases) == [first]


def conversation(store: Store, conversation_id: str) -> Conversation:
    return store.conversations.get(conversation_id)
