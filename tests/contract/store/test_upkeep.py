from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.core.errors import AlreadyExists, BadInput, BatonError, NotFound, StaleEpoch, StoreReadOnly
from baton.core.log.bundle import Bundle
from baton.core.log.entry import NewEntry, entry
from baton.core.log.session import lineage
from baton.core.transfer.place import Place
from baton.core.transfer.transfer import STEPS
from baton.core.value import asdict, replace
from baton.ports.store import Finding, Store
from baton.testing.clock import FrozenClock
from tests.contract.store.kit import Work, at_once, begin, everything, said, texts, unchanged, whole
from tests.support.backends import BACKENDS, Backend

EVER = 2**61
ROOM = Place("telegram", "-100", "7")
ELSEWHERE = "20260101_000000_abcdef"


def rich(store: Store, title: str = "rich") -> Work:
    """A conversation with something of everything, whose lease is over."""
    work = begin(store, title, ttl=0, workspace="/src/ä", model="model-1")
    work.say("one", "two \U0001f600", "\ud800 lone", "")
    cancelled = store.drafts.cancel(work.draft().id)
    stale, confirmed = work.draft(), work.draft()
    work.advance(edge="compression", end_reason="compression_handoff", reason="größer", draft_id=confirmed.id)
    store.entries.append(work.proof, work.head.id, [NewEntry("compression", {"outcome": "lossy"}, 5, at=17)])
    transfer = store.transfers.request(work.id, "terminal:1", "telegram")
    _, proof = store.transfers.claim(transfer.id, "gateway", 0)
    for step in STEPS[2:]:
        store.transfers.reach(proof, step, {"at": step})
    store.transfers.complete(proof)
    failed = store.transfers.request(work.id, "telegram:1", "discord")
    store.transfers.cancel(failed.id)
    store.bindings.bind(ROOM, work.id)
    store.bindings.bind(Place("web", title), work.id)
    store.packets.add(work.head.id, "# Äpfel\n", {"facts": ["\ud83d"]}, 4)
    assert {store.drafts.get(each.id).state for each in (cancelled, stale, confirmed)} == {
        "cancelled",
        "stale",
        "confirmed",
    }
    return work


@pytest.fixture(params=sorted(BACKENDS))
def target(request: pytest.FixtureRequest, tmp_path: Path, clock: FrozenClock) -> Iterator[Store]:
    """Another store, of each kind."""
    backend = BACKENDS[request.param](tmp_path / "target")
    with backend.stack:
        yield backend.open(clock)


def test_a_bundle_is_everything_of_a_conversation(store: Store) -> None:
    work = rich(store)
    rich_neighbour = begin(store, "neighbour")
    rich_neighbour.say("not mine")
    bundle = whole(store, work.id)
    conversation = work.now()
    sessions = store.sessions.of(work.id)
    assert bundle == Bundle(
        conversation=replace(conversation, owner=None, lease_until=0),
        sessions=tuple(sessions),
        packets=tuple(store.packets.of(work.id)),
        drafts=bundle.drafts,
        transfers=tuple(store.transfers.of(work.id)),
        bindings=tuple(store.bindings.of(work.id)),
        entries=tuple(each for session in sessions for each in store.entries.load(session.id)),
    )
    assert bundle.drafts == tuple(store.drafts.get(draft.id) for draft in bundle.drafts)
    assert [draft.state for draft in bundle.drafts] == ["cancelled", "stale", "confirmed"]
    assert [len(part) for part in (bundle.sessions, bundle.packets, bundle.transfers, bundle.bindings)] == [2, 4, 2, 2]


def test_a_bundle_leaves_out_the_lease_and_transfers_under_way(store: Store) -> None:
    work = begin(store, ttl=3600)
    before = whole(store, work.id)
    store.transfers.request(work.id, "terminal:1", "telegram")
    assert whole(store, work.id) == before
    assert (before.conversation.owner, before.conversation.lease_until, before.transfers) == (None, 0, ())
    assert before.conversation.epoch == 1


def test_a_bundle_is_a_picture_of_one_moment(store: Store) -> None:
    work = begin(store)
    work.say("before")
    bundle = store.upkeep.bundle(work.id)
    work.say("after")
    work.advance()
    assert texts(list(bundle.entries)) == ["before"]
    assert [session.entries for session in bundle.sessions] == [1]


@pytest.mark.parametrize("conversation_id", ["c_0123456789ab", "", "nonsense", "\0", "\ud800"])
def test_what_is_not_there_has_no_bundle_and_is_not_removed(store: Store, conversation_id: str) -> None:
    begin(store, ttl=0)
    with pytest.raises(NotFound):
        store.upkeep.bundle(conversation_id)
    with unchanged(store):
        assert store.upkeep.remove(conversation_id, EVER) is False


def test_a_conversation_goes_from_any_store_to_any_other_exactly(store: Store, target: Store) -> None:
    work = rich(store)
    bundle = whole(store, work.id)
    assert target.upkeep.insert(store.upkeep.bundle(work.id)) is True
    assert whole(target, work.id) == bundle
    assert target.sessions.chain(work.head.id) == store.sessions.chain(work.head.id)
    assert target.sessions.vitals(work.head.id) == store.sessions.vitals(work.head.id)
    assert [target.entries.load(each.id) for each in bundle.sessions] == [
        store.entries.load(each.id) for each in bundle.sessions
    ]
    assert target.bindings.at(ROOM) == store.bindings.at(ROOM)
    assert target.conversations.find("rich") == bundle.conversation
    assert target.search.find("lone")[0].session_id == bundle.sessions[0].id
    assert target.upkeep.check() == [Finding("ok", "store", "Every checksum matches. Conversations read: 1.")]
    assert target.upkeep.insert(store.upkeep.bundle(work.id)) is False
    assert store.upkeep.insert(target.upkeep.bundle(work.id)) is False


def test_an_inserted_conversation_goes_on_with_the_next_epoch(store: Store, target: Store) -> None:
    work = rich(store)
    target.upkeep.insert(store.upkeep.bundle(work.id))
    with pytest.raises(StaleEpoch):
        target.entries.append(work.proof, work.head.id, said("a proof of the other store"))
    proof = target.conversations.claim(work.id, "bob", 60)
    assert proof.epoch == work.proof.epoch + 1
    target.entries.append(proof, work.head.id, said("three"))
    child = target.sessions.advance(proof, work.head.id, edge="handoff", end_reason="handoff")
    assert child.depth == 2
    assert store.entries.load(work.head.id)[-1] == target.entries.load(work.head.id)[0]


def test_inserting_again_is_harmless_also_when_it_was_owned_or_bound_since(store: Store, target: Store) -> None:
    work = rich(store)
    target.upkeep.insert(store.upkeep.bundle(work.id))
    proof = target.conversations.claim(work.id, "bob", 60)
    target.bindings.unbind(ROOM, work.id)
    with unchanged(target):
        assert target.upkeep.insert(store.upkeep.bundle(work.id)) is False
    target.conversations.release(proof)
    assert target.upkeep.insert(store.upkeep.bundle(work.id)) is False


def test_a_place_that_is_bound_here_stays_where_it_is(store: Store, target: Store) -> None:
    work, owner = rich(store), begin(target, "owner")
    bound = target.bindings.bind(ROOM, owner.id)
    assert target.upkeep.insert(store.upkeep.bundle(work.id)) is True
    assert target.bindings.at(ROOM) == bound
    assert [binding.place for binding in target.bindings.of(work.id)] == ["web:rich"]
    assert target.upkeep.insert(store.upkeep.bundle(work.id)) is False


CHANGES: dict[str, Callable[[Work], object]] = {
    "another title": lambda work: work.store.conversations.rename(work.id, "renamed"),
    "another entry": lambda work: work.say("one more"),
    "another session": lambda work: work.advance(),
    "another packet": lambda work: work.store.packets.add(work.head.id, "# More", {}),
    "another draft": lambda work: work.draft(),
    "another transfer": lambda work: work.store.transfers.cancel(
        work.store.transfers.request(work.id, "terminal:1", "slack").id
    ),
}


@pytest.mark.parametrize("change", sorted(CHANGES))
def test_a_conversation_that_is_here_with_other_content_is_not_overwritten(
    store: Store, target: Store, change: str
) -> None:
    work = rich(store)
    target.upkeep.insert(store.upkeep.bundle(work.id))
    CHANGES[change](work)
    with unchanged(target), pytest.raises(AlreadyExists):
        target.upkeep.insert(store.upkeep.bundle(work.id))


def test_an_entry_that_differs_only_in_its_text_is_other_content(store: Store, target: Store) -> None:
    bundle = whole(store, rich(store).id)
    target.upkeep.insert(bundle)
    first, *rest = bundle.entries
    other = entry(first.session_id, 1, first.kind, first.at, first.tokens, '{"text":"ONE"}')
    with unchanged(target), pytest.raises(AlreadyExists):
        target.upkeep.insert(replace(bundle, entries=(other, *rest)))


def renamed(bundle: Bundle, **parts: Any) -> Bundle:
    """The same parts under the id of another conversation."""
    new = "c_zzzzzzzzzzzz"
    return replace(
        bundle,
        conversation=replace(bundle.conversation, id=new),
        sessions=tuple(replace(each, conversation_id=new) for each in bundle.sessions),
        drafts=tuple(replace(each, conversation_id=new) for each in bundle.drafts),
        transfers=tuple(replace(each, conversation_id=new) for each in bundle.transfers),
        bindings=(),
    )


def test_a_part_that_belongs_to_another_conversation_here_is_refused(store: Store, target: Store) -> None:
    bundle = whole(store, rich(store).id)
    target.upkeep.insert(bundle)
    with unchanged(target), pytest.raises(AlreadyExists) as caught:
        target.upkeep.insert(renamed(bundle))
    assert caught.value.facts["noun"] == "session"
    alone = replace(renamed(bundle), packets=(), drafts=(), transfers=(), entries=())
    root = replace(
        alone.sessions[-1], id=ELSEWHERE, root_id=ELSEWHERE, edge="root", parent_id=None, entries=0, tokens=0
    )
    alone = replace(alone, conversation=replace(alone.conversation, head_id=root.id), sessions=(root,))
    for noun, part in (
        ("packet", {"packets": (replace(bundle.packets[0], session_id=root.id),)}),
        ("transfer", {"transfers": renamed(bundle).transfers[:1]}),
    ):
        with unchanged(target), pytest.raises(AlreadyExists) as caught:
            target.upkeep.insert(replace(alone, **part))
        assert caught.value.facts["noun"] == noun
    packet = replace(bundle.packets[0], id="p_zzzzzzzzzzzz", session_id=root.id)
    draft = replace(renamed(bundle).drafts[0], packet_id=packet.id)
    with unchanged(target), pytest.raises(AlreadyExists) as caught:
        target.upkeep.insert(replace(alone, packets=(packet,), drafts=(draft,)))
    assert caught.value.facts["noun"] == "draft"
    assert target.upkeep.insert(alone) is True


def tied(bundle: Bundle) -> Bundle:
    first, second = bundle.sessions
    return replace(bundle, sessions=(replace(first, parent_id=second.id), second))


def with_entry(bundle: Bundle, seq: int, **changes: Any) -> Bundle:
    entries = list(bundle.entries)
    entries[seq - 1] = entries[seq - 1]._replace(**changes)
    return replace(bundle, entries=tuple(entries))


def with_body(bundle: Bundle, body: str) -> Bundle:
    first, *rest = bundle.entries
    return replace(bundle, entries=(entry(first.session_id, 1, "user", first.at, 0, body), *rest))


def with_session(bundle: Bundle, **changes: Any) -> Bundle:
    return replace(bundle, sessions=(replace(bundle.sessions[0], **changes), *bundle.sessions[1:]))


def with_conversation(bundle: Bundle, **changes: Any) -> Bundle:
    return replace(bundle, conversation=replace(bundle.conversation, **changes))


def with_first(bundle: Bundle, part: str, **changes: Any) -> Bundle:
    first, *rest = getattr(bundle, part)
    return replace(bundle, **{part: (replace(first, **changes), *rest)})


BROKEN: dict[str, Callable[[Bundle], Bundle]] = {
    "a gap": lambda b: replace(b, entries=b.entries[:1] + b.entries[2:]),
    "the first entry missing": lambda b: replace(b, entries=b.entries[1:]),
    "the last entry missing": lambda b: replace(b, entries=b.entries[:-1]),
    "no entries": lambda b: replace(b, entries=()),
    "an entry twice": lambda b: replace(b, entries=(b.entries[0], *b.entries)),
    "two entries swapped": lambda b: replace(b, entries=(b.entries[1], b.entries[0], *b.entries[2:])),
    "one entry too many": lambda b: replace(
        b, entries=(*b.entries, entry(b.sessions[-1].id, b.sessions[-1].entries + 1, "user", 1, 0, "{}"))
    ),
    "a foreign entry": lambda b: replace(b, entries=(*b.entries, entry(ELSEWHERE, 1, "user", 1, 0, "{}"))),
    "a changed body": lambda b: with_entry(b, 1, body='{"text":"changed"}'),
    "a changed checksum": lambda b: with_entry(b, 2, checksum=1),
    "a bad kind": lambda b: with_entry(b, 1, kind="No Kind"),
    "a time out of range": lambda b: with_entry(b, 1, at=2**63),
    "a body that is no JSON": lambda b: with_body(b, "{"),
    "a body that is no object": lambda b: with_body(b, "[]"),
    "a body with NUL": lambda b: with_entry(b, 1, body='{"text":"\0"}'),
    "a body with a lone surrogate": lambda b: with_entry(b, 1, body='{"text":"\ud800"}'),
    "a body far too deep": lambda b: with_body(b, '{"a":' * 100_000 + "0" + "}" * 100_000),
    "no sessions": lambda b: replace(b, sessions=(), packets=(), drafts=(), entries=()),
    "a session twice": lambda b: replace(b, sessions=(*b.sessions[:1], *b.sessions)),
    "no live session": lambda b: replace(
        b, sessions=tuple(replace(each, ended_at=1, end_reason="handoff") for each in b.sessions)
    ),
    "two live sessions": lambda b: with_session(b, ended_at=None, end_reason=None),
    "a head that is not the live session": lambda b: with_conversation(b, head_id=b.sessions[0].id),
    "a loop": tied,
    "a continuation of a session elsewhere": lambda b: with_session(b, edge="handoff", parent_id=ELSEWHERE),
    "a continuation of nothing": lambda b: with_session(b, edge="handoff"),
    "two continuations of a session": lambda b: replace(
        b,
        sessions=(
            *b.sessions[:1],
            replace(b.sessions[1], id=ELSEWHERE, ended_at=1, end_reason="handoff"),
            *b.sessions[1:],
        ),
    ),
    "an end without a reason": lambda b: with_session(b, end_reason=None),
    "a reason without an end": lambda b: replace(b, sessions=(b.sessions[0], replace(b.sessions[1], end_reason="x"))),
    "a session of another conversation": lambda b: with_session(b, conversation_id="c_zzzzzzzzzzzz"),
    "a session id with a path": lambda b: with_session(b, id="../../etc/passwd"),
    "a conversation id with a path": lambda b: with_conversation(b, id="../x"),
    "a workspace with NUL": lambda b: with_conversation(b, workspace="/a\0b"),
    "a title with a lone surrogate": lambda b: with_conversation(b, title="\ud800"),
    "a number too large": lambda b: with_conversation(b, version=2**63),
    "a negative number": lambda b: with_session(b, depth=-1),
    "a poisoned packet": lambda b: with_first(b, "packets", markdown="# Poison"),
    "a packet of a foreign session": lambda b: with_first(b, "packets", session_id=ELSEWHERE),
    "a packet id with a path": lambda b: with_first(b, "packets", id="../p"),
    "a draft without its packet": lambda b: with_first(b, "drafts", packet_id="p_zzzzzzzzzzzz"),
    "a draft of another conversation": lambda b: with_first(b, "drafts", conversation_id="c_zzzzzzzzzzzz"),
    "a transfer under way": lambda b: with_first(b, "transfers", state="pending"),
    "a transfer of another conversation": lambda b: with_first(b, "transfers", conversation_id="c_zzzzzzzzzzzz"),
    "a binding of another conversation": lambda b: with_first(b, "bindings", conversation_id="c_zzzzzzzzzzzz"),
    "a binding that is no place": lambda b: with_first(b, "bindings", place="nowhere"),
}


@pytest.mark.parametrize("flaw", sorted(BROKEN))
def test_a_bundle_that_does_not_fit_together_is_refused_as_a_whole(
    backend: Backend, store: Store, clock: FrozenClock, flaw: str
) -> None:
    source = BACKENDS["memory"](Path()).open(clock)
    bundle = whole(source, rich(source).id)
    begin(store, "bystander").say("untouched")
    with unchanged(store), pytest.raises(BadInput):
        store.upkeep.insert(BROKEN[flaw](bundle))
    assert store.upkeep.insert(bundle) is True


def test_entries_may_come_session_by_session_or_mixed(store: Store, target: Store) -> None:
    bundle = whole(store, rich(store).id)
    first = [each for each in bundle.entries if each.session_id == bundle.sessions[0].id]
    second = [each for each in bundle.entries if each.session_id == bundle.sessions[1].id]
    assert target.upkeep.insert(replace(bundle, entries=iter([*second, *first]))) is True
    assert whole(target, bundle.conversation.id) == bundle


def test_a_source_that_breaks_off_leaves_nothing(store: Store, target: Store) -> None:
    bundle = whole(store, rich(store).id)

    def torn() -> Iterator[Any]:
        yield from list(bundle.entries)[:2]
        raise ConnectionError("the cable is cut")

    with unchanged(target), pytest.raises(ConnectionError):
        target.upkeep.insert(replace(bundle, entries=torn()))
    assert target.upkeep.insert(bundle) is True


def test_a_fork_without_its_parent_begins_its_own_chain(store: Store, target: Store) -> None:
    work = rich(store)
    conversation, root = store.conversations.fork(work.head.id, 1, "fork")
    target.upkeep.insert(store.upkeep.bundle(conversation.id))
    assert target.sessions.chain(root.id) == [root]
    target.upkeep.insert(store.upkeep.bundle(work.id))
    assert target.sessions.chain(root.id) == store.sessions.chain(root.id)
    assert lineage(root.id, target.sessions.tree(root.id)) == store.sessions.chain(root.id)


def test_of_many_that_insert_at_once_one_does(backend: Backend, store: Store, clock: FrozenClock) -> None:
    source = BACKENDS["memory"](Path()).open(clock)
    bundle = whole(source, rich(source).id)
    handles = [backend.open(clock) for _ in range(4)]
    results = at_once(*(lambda handle=handle: handle.upkeep.insert(bundle) for handle in handles))
    assert sorted(results, key=str) == [False, False, False, True]
    assert whole(store, bundle.conversation.id) == bundle


def test_ids_come_oldest_first(store: Store) -> None:
    works = [begin(store, f"number {number}") for number in range(5)]
    works[0].say("touched last")
    assert list(store.upkeep.ids()) == [work.id for work in works]


def fork(work: Work) -> Callable[[], object]:
    conversation, _ = work.store.conversations.fork(work.head.id, 0, "fork")
    return lambda: work.store.upkeep.remove(conversation.id, EVER)


def claim(work: Work) -> Callable[[], object]:
    proof = work.store.conversations.claim(work.id, "bob", 60)
    return lambda: work.store.conversations.release(proof)


def draft(work: Work) -> Callable[[], object]:
    waiting = work.draft()
    return lambda: work.store.drafts.cancel(waiting.id)


def pending(work: Work) -> Callable[[], object]:
    transfer = work.store.transfers.request(work.id, "terminal:1", "telegram")
    return lambda: work.store.transfers.cancel(transfer.id)


def running(work: Work) -> Callable[[], object]:
    transfer = work.store.transfers.request(work.id, "terminal:1", "telegram")
    _, proof = work.store.transfers.claim(transfer.id, "gateway", 0)
    return lambda: work.store.transfers.fail(proof, "no")


def inbound(work: Work) -> Callable[[], object]:
    work.store.inbox.put("k1", ROOM, {}, work.id)

    def settle() -> None:
        taken = work.store.inbox.take(["telegram"], "worker", 0)
        assert taken is not None
        work.store.inbox.settle(taken[1], "done")

    return settle


def outbound(work: Work) -> Callable[[], object]:
    work.store.outbox.put("k1", ROOM, {}, work.id)
    taken = work.store.outbox.take(["telegram"], "worker", 0)
    assert taken is not None
    return lambda: work.store.outbox.settle(taken[1], "refused")


HOLDS = {
    "a live lease": claim,
    "a waiting draft": draft,
    "a pending transfer": pending,
    "a running transfer of a dead worker": running,
    "a message to be read": inbound,
    "a message being sent": outbound,
    "a fork elsewhere": fork,
}


@pytest.mark.parametrize("hold", sorted(HOLDS))
def test_a_conversation_is_not_removed_while_something_holds_on_to_it(store: Store, hold: str) -> None:
    work = begin(store, ttl=0)
    work.say("keep me")
    let_go = HOLDS[hold](work)
    assert work.id not in [each.id for each in store.upkeep.idle_since(EVER)]
    with unchanged(store):
        assert store.upkeep.remove(work.id, EVER) is False
    let_go()
    assert work.id in [each.id for each in store.upkeep.idle_since(EVER)]
    assert store.upkeep.remove(work.id, EVER) is True
    with pytest.raises(NotFound):
        store.conversations.get(work.id)


def test_an_expired_lease_holds_nothing(store: Store, clock: FrozenClock) -> None:
    work = begin(store, ttl=60)
    assert store.upkeep.idle_since(EVER) == []
    clock.advance(60)
    assert store.upkeep.idle_since(EVER) == [work.now()]
    assert store.upkeep.remove(work.id, EVER) is True


def test_only_what_was_not_touched_since_is_idle_oldest_first(store: Store, clock: FrozenClock) -> None:
    works = [begin(store, f"number {number}", ttl=0) for number in range(3)]
    works[0].say("touched")
    clock.advance(60)
    now = clock.now()
    recent = begin(store, "recent", ttl=0)
    idle = store.upkeep.idle_since(now)
    assert idle == [work.now() for work in (works[1], works[2], works[0])]
    assert store.upkeep.idle_since(works[2].now().updated_at) == [works[1].now()]
    assert store.upkeep.idle_since(0) == store.upkeep.idle_since(-(2**70)) == []
    assert len(store.upkeep.idle_since(2**70)) == 4
    with unchanged(store):
        assert store.upkeep.remove(recent.id, now) is False


def test_a_conversation_touched_after_it_was_found_idle_is_kept(store: Store, clock: FrozenClock) -> None:
    work = begin(store, ttl=0)
    clock.advance(60)
    now = clock.now()
    assert store.upkeep.idle_since(now) == [work.now()]
    work.say("still in use")
    with unchanged(store):
        assert store.upkeep.remove(work.id, now) is False


def test_a_removed_conversation_is_gone_with_all_its_parts_and_no_others(store: Store, other: Store) -> None:
    bystander = begin(store, "bystander")
    bystander.say("untouched")
    before = everything(store)
    work = rich(store)
    bundle = whole(store, work.id)
    assert store.upkeep.remove(work.id, EVER) is True
    assert everything(store) == everything(other) == before
    for look in (
        lambda: other.conversations.get(work.id),
        lambda: other.conversations.find("rich"),
        lambda: other.sessions.of(work.id),
        lambda: other.sessions.get(work.head.id),
        lambda: other.entries.load(bundle.sessions[0].id),
        lambda: other.packets.get(bundle.packets[0].id),
        lambda: other.drafts.get(bundle.drafts[0].id),
        lambda: other.transfers.get(bundle.transfers[0].id),
        lambda: other.entries.append(work.proof, work.head.id, said("late")),
    ):
        with pytest.raises(NotFound):
            look()
    assert other.bindings.at(ROOM) is None
    assert other.transfers.of(work.id) == other.packets.of(work.id) == other.bindings.of(work.id) == []
    assert store.upkeep.remove(work.id, EVER) is False
    assert store.upkeep.insert(bundle) is True
    assert whole(store, work.id) == bundle


def test_of_many_that_remove_at_once_one_does(backend: Backend, store: Store, clock: FrozenClock) -> None:
    work = rich(store)
    handles = [backend.open(clock) for _ in range(4)]
    results = at_once(*(lambda handle=handle: handle.upkeep.remove(work.id, EVER) for handle in handles))
    assert sorted(results, key=str) == [False, False, False, True]


def test_what_comes_after_a_removal_does_not_meet_what_was_there(store: Store) -> None:
    """Numbers of removed sessions are not given again."""
    gone = begin(store, "gone", ttl=0)
    gone.say("needle of old")
    assert len(store.search.find("needle")) == 1
    store.upkeep.remove(gone.id, EVER)
    fresh = begin(store, "fresh")
    assert store.entries.load(fresh.head.id) == []
    assert store.search.find("needle") == []
    fresh.say("needle anew")
    assert [hit.conversation_id for hit in store.search.find("needle")] == [fresh.id]
    assert [finding.level for finding in store.upkeep.check()] == ["ok"]


def test_a_fork_lets_its_parent_go_once_it_is_removed_itself(store: Store) -> None:
    work = begin(store, ttl=0)
    child, child_root = store.conversations.fork(work.head.id, 0, "child")
    grandchild, _ = store.conversations.fork(child_root.id, 0, "grandchild")
    removed = [store.upkeep.remove(each, EVER) for each in (work.id, child.id, grandchild.id, child.id, work.id)]
    assert removed == [False, False, True, True, True]


def contents(backend: Backend, target: str, clock: FrozenClock) -> dict[str, Any]:
    """What a backup holds, read without the store it was made from."""
    if backend.name == "sqlite":
        store = open_sqlite(target, clock=clock)
        backend.stack.callback(store.close)
        return everything(store)
    if backend.name == "memory":
        return json.loads(Path(target).read_text(encoding="utf-8"))
    pytest.skip(f"backups of {backend.name} are read in its own tests")


def test_a_backup_can_be_read_on_its_own(backend: Backend, store: Store, clock: FrozenClock, tmp_path: Path) -> None:
    work = rich(store)
    store.inbox.put("k1", ROOM, {"text": "hi"})
    record = store.register.put("home/telegram", {"place": ROOM.key})
    expected: dict[str, Any] = everything(store)
    target = str(tmp_path / "copy")
    store.upkeep.backup(target)
    if backend.name == "memory":
        bundle = expected[work.id][1]
        expected = {
            "conversations": [asdict(work.now())],
            "sessions": [asdict(each) for each in bundle.sessions],
            "entries": [each._asdict() for each in bundle.entries],
            "packets": [asdict(each) for each in bundle.packets],
            "drafts": [asdict(each) for each in bundle.drafts],
            "transfers": [asdict(each) for each in bundle.transfers],
            "bindings": [asdict(each) for each in bundle.bindings],
            "mail": [asdict(store.inbox.get("k1"))],
            "records": [asdict(record)],
        }
    assert contents(backend, target, clock) == expected


def test_a_backup_is_private_and_leaves_nothing_beside_it(store: Store, tmp_path: Path) -> None:
    rich(store)
    directory = tmp_path / "backups"
    directory.mkdir()
    previous = os.umask(0)
    try:
        store.upkeep.backup(str(directory / "copy"))
    finally:
        os.umask(previous)
    assert os.listdir(directory) == ["copy"]
    assert stat.S_IMODE((directory / "copy").stat().st_mode) == 0o600
    assert (directory / "copy").stat().st_size > 0


def test_a_backup_never_replaces_a_file(store: Store, tmp_path: Path) -> None:
    rich(store)
    target = tmp_path / "copy"
    target.write_text("mine")
    with unchanged(store), pytest.raises(StoreReadOnly):
        store.upkeep.backup(str(target))
    assert target.read_text() == "mine"
    assert sorted(os.listdir(tmp_path)).count("copy.partial") == 0
    dangling = tmp_path / "link"
    dangling.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BatonError):
        store.upkeep.backup(str(dangling))
    assert not (tmp_path / "elsewhere").exists()


def test_a_backup_to_nowhere_is_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreReadOnly):
        store.upkeep.backup(str(tmp_path / "missing" / "copy"))


def test_a_backup_made_while_others_write_is_whole(
    backend: Backend, store: Store, other: Store, clock: FrozenClock, tmp_path: Path
) -> None:
    works = [begin(other, f"number {number}") for number in range(3)]

    def write() -> None:
        for turn in range(40):
            for work in works:
                work.say(f"turn {turn}")
                if turn % 10 == 9:
                    work.advance(entries=said("packet"))

    targets = [str(tmp_path / f"copy {number}") for number in range(4)]
    results = at_once(write, lambda: [store.upkeep.backup(target) for target in targets])
    assert results[1] == [None] * 4
    for target in targets:
        held = contents(backend, target, clock)
        if backend.name == "sqlite":
            bundles = [value[1] for key, value in held.items() if key in {work.id for work in works}]
            assert all(sum(each.entries for each in one.sessions) == len(one.entries) for one in bundles)
        else:
            assert sum(each["entries"] for each in held["sessions"]) == len(held["entries"])


def test_a_check_of_a_sound_store_says_so_and_tells_its_progress(store: Store) -> None:
    assert store.upkeep.check() == [Finding("ok", "store", "Every checksum matches. Conversations read: 0.")]
    rich(store)
    begin(store, "another")
    told: list[tuple[int, int]] = []
    findings = store.upkeep.check(lambda done, total: told.append((done, total)))
    assert findings == [Finding("ok", "store", "Every checksum matches. Conversations read: 2.")]
    assert told == [(1, 2), (2, 2)]


def test_a_check_changes_nothing(store: Store) -> None:
    rich(store)
    with unchanged(store):
        store.upkeep.check()


def test_the_store_knows_its_size_and_place(store: Store) -> None:
    begin(store).say("x" * 100_000)
    assert store.upkeep.size() >= 100_000
    assert isinstance(store.location, str)
    assert store.location
