from __future__ import annotations

from collections.abc import Callable

import pytest

from baton.core.errors import BadTransition, NotFound, PlaceTaken, StaleEpoch
from baton.core.ids import new_id
from baton.core.transfer.place import Binding, Place
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from tests.contract.store.kit import at_once, unchanged
from tests.support.backends import Backend

ROOM = Place("telegram", "-1001", "7")
NOWHERE = ["", "nonsense", "\0", "\ud800"]


def start(store: Store, title: str = "work") -> str:
    return store.conversations.start(title)[0].id


def test_a_bound_place_speaks_for_its_conversation(store: Store, other: Store, clock: FrozenClock) -> None:
    conversation_id = start(store)
    binding = store.bindings.bind(ROOM, conversation_id)
    assert binding == Binding("telegram:-1001:7", conversation_id, clock.now() - 1)
    assert other.bindings.at(ROOM) == binding
    assert other.bindings.of(conversation_id) == [binding]


def test_places_that_differ_in_any_part_are_different(store: Store) -> None:
    conversation_id = start(store)
    store.bindings.bind(ROOM, conversation_id)
    others = [
        Place("telegram", "-1001"),
        Place("telegram", "-1001", "8"),
        Place("telegram", "-1001:7"),
        Place("discord", "-1001", "7"),
        Place("telegram", "-1001", "７"),
    ]
    assert [store.bindings.at(place) for place in others] == [None] * 5


def test_binding_again_is_harmless(store: Store, clock: FrozenClock) -> None:
    conversation_id = start(store)
    first = store.bindings.bind(ROOM, conversation_id)
    clock.advance(60)
    assert store.bindings.bind(ROOM, conversation_id) == first
    assert store.bindings.bind(ROOM, conversation_id, instead_of="somebody else") == first
    assert store.bindings.of(conversation_id) == [first]


def test_who_lost_a_transfer_binds_nothing(store: Store, clock: FrozenClock) -> None:
    conversation_id = start(store)
    transfer = store.transfers.request(conversation_id, "terminal:local", ROOM.key)
    _, stale = store.transfers.claim(transfer.id, "first", 1)
    store.bindings.bind(ROOM, conversation_id, by=stale)
    clock.advance(2)
    _, proof = store.transfers.claim(transfer.id, "second", 1)
    for refused in (
        lambda: store.bindings.bind(Place("telegram", "-1001"), conversation_id, by=stale),
        lambda: store.bindings.bind(ROOM, conversation_id, by=stale),
        lambda: store.bindings.unbind(ROOM, conversation_id, by=stale),
    ):
        with unchanged(store), pytest.raises(StaleEpoch):
            refused()
    assert store.bindings.unbind(ROOM, conversation_id, by=proof)
    store.transfers.fail(proof, "the end")
    with unchanged(store), pytest.raises(BadTransition):
        store.bindings.bind(ROOM, conversation_id, by=proof)


def test_a_place_of_another_conversation_is_taken(store: Store) -> None:
    mine, theirs = start(store, "mine"), start(store, "theirs")
    store.bindings.bind(ROOM, theirs)
    for instead_of in (None, mine, new_id("conversation"), ""):
        with unchanged(store), pytest.raises(PlaceTaken) as caught:
            store.bindings.bind(ROOM, mine, instead_of=instead_of)
        assert caught.value.facts["conversation"] == theirs


def test_a_place_moves_from_the_conversation_it_is_said_to_belong_to(store: Store) -> None:
    mine, theirs = start(store, "mine"), start(store, "theirs")
    before = store.bindings.bind(ROOM, theirs)
    moved = store.bindings.bind(ROOM, mine, instead_of=theirs)
    assert moved == store.bindings.at(ROOM)
    assert moved.conversation_id == mine
    assert moved.bound_at > before.bound_at
    assert store.bindings.of(theirs) == []


def test_a_free_place_is_bound_whoever_had_it(store: Store) -> None:
    mine, theirs = start(store, "mine"), start(store, "theirs")
    assert store.bindings.bind(ROOM, mine, instead_of=theirs).conversation_id == mine


def test_a_conversation_may_have_several_places_oldest_first(store: Store) -> None:
    conversation_id = start(store)
    places = [Place("web", "9"), Place("discord", "1"), Place("slack", "5", "6")]
    bound = [store.bindings.bind(place, conversation_id) for place in places]
    assert store.bindings.of(conversation_id) == bound
    for unknown in (new_id("conversation"), *NOWHERE):
        assert store.bindings.of(unknown) == []


def test_the_conversations_that_platforms_speak_for_are_listed_once_each(store: Store) -> None:
    mine, theirs, _ = (start(store, title) for title in ("mine", "theirs", "nobody's"))
    rooms = [
        ("telegram", "9"),
        ("discord", "1"),
        ("telegram2", "5"),
        ("telegram", "10"),
        ("tele_gram", "1"),
        ("web", "é"),
    ]
    for number, (platform, room) in enumerate(rooms):
        store.bindings.bind(Place(platform, room), (mine, theirs)[number % 2])

    def speaking(*platforms: str, since: int = 0) -> list[str]:
        return [each.id for each in store.bindings.list_conversations(platforms, since)]

    assert speaking("telegram2") == [mine]
    assert speaking("discord") == [theirs]
    assert speaking("web", "telegram2", "telegram", "web") == [theirs, mine]
    assert speaking() == speaking("tele", "slack", "telegram:10", "Web", *NOWHERE) == []
    [found] = store.bindings.list_conversations(["discord"], 0)
    assert found == store.conversations.get(theirs)
    assert speaking("discord", since=found.updated_at) == [theirs]
    assert speaking("discord", since=found.updated_at + 1) == []


def test_bound_conversations_are_listed_page_by_page_the_newest_first(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("baton.adapters.stores.sql.bindings", "baton.testing.memory.transfers"):
        monkeypatch.setattr(f"{module}.BOUND_PAGE", 2)
    all_ids = [start(store, f"number {number}") for number in range(5)]
    for number, conversation_id in enumerate(all_ids):
        store.bindings.bind(Place("telegram" if number % 2 else "slack", str(number)), conversation_id)
    seen: list[str] = []
    before = None
    while page := store.bindings.list_conversations(["telegram", "slack"], 0, before):
        assert len(page) <= 2
        seen += [each.id for each in page]
        before = page[-1]
    assert seen == all_ids[::-1]


def test_those_with_an_owner_are_listed_apart(store: Store) -> None:
    owned, free = (start(store, title) for title in ("owned", "free"))
    for number, conversation_id in enumerate((owned, free)):
        store.bindings.bind(Place("telegram", str(number)), conversation_id)
    proof = store.conversations.claim(owned, "somebody", 60)
    assert [each.id for each in store.bindings.list_conversations(["telegram"], 0, owned=True)] == [owned]
    store.conversations.release(proof)
    assert store.bindings.list_conversations(["telegram"], 0, owned=True) == []


@pytest.mark.parametrize("conversation_id", ["c_0123456789ab", *NOWHERE])
def test_a_place_cannot_speak_for_what_is_not_there(store: Store, conversation_id: str) -> None:
    with pytest.raises(NotFound):
        store.bindings.bind(ROOM, conversation_id)
    assert store.bindings.at(ROOM) is None


def test_unbinding_frees_the_place_of_this_conversation_only(store: Store) -> None:
    mine, theirs = start(store, "mine"), start(store, "theirs")
    store.bindings.bind(ROOM, mine)
    for wrong in (theirs, new_id("conversation"), *NOWHERE):
        with unchanged(store):
            assert store.bindings.unbind(ROOM, wrong) is False
    assert store.bindings.unbind(ROOM, mine) is True
    assert store.bindings.unbind(ROOM, mine) is False
    assert store.bindings.at(ROOM) is None
    assert store.bindings.bind(ROOM, theirs).conversation_id == theirs


def test_a_late_unbind_does_not_free_a_place_that_moved_on(store: Store) -> None:
    mine, theirs = start(store, "mine"), start(store, "theirs")
    store.bindings.bind(ROOM, mine)
    moved = store.bindings.bind(ROOM, theirs, instead_of=mine)
    assert store.bindings.unbind(ROOM, mine) is False
    assert store.bindings.at(ROOM) == moved


def test_of_many_that_bind_at_once_one_gets_the_place(backend: Backend, store: Store, clock: FrozenClock) -> None:
    ids = [start(store, f"number {number}") for number in range(4)]
    handles = [backend.open(clock) for _ in ids]

    def bind(number: int) -> Callable[[], Binding]:
        return lambda: handles[number].bindings.bind(ROOM, ids[number])

    results = at_once(*(bind(number) for number in range(4)))
    assert sorted(type(result).__name__ for result in results) == ["Binding"] + ["PlaceTaken"] * 3
    assert store.bindings.at(ROOM) in results
