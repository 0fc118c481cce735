from __future__ import annotations

from typing import Any

import pytest

from baton.core.errors import (
    BadInput,
    BadText,
    BadTransition,
    BatonError,
    DraftStale,
    HeadMoved,
    NotFound,
    StoreDamaged,
)
from baton.core.handoff.packet import CANCELLED, CONFIRMED, OPEN, STALE
from baton.core.ids import new_id
from baton.core.log.entry import NewEntry
from baton.core.log.session import Session, Vitals
from baton.core.value import replace
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from tests.contract.store.kit import HANDOFF, Work, at_once, begin, forge, said, texts, unchanged
from tests.support.backends import Backend

NOWHERE = ["20260101_000000_abcdef", "", "nonsense", "\0", "\ud800"]


def test_advance_ends_the_head_adds_its_child_and_moves_the_head(store: Store, clock: FrozenClock) -> None:
    work = begin(store, model="model-1")
    work.say("one")
    before, old = work.now(), store.sessions.get(work.head.id)
    first = [NewEntry("packet", {"text": "# Packet"}, 7), NewEntry("user", {"text": "go on"}, 2, at=5)]
    child = store.sessions.advance(
        work.proof,
        old.id,
        edge="handoff",
        end_reason="compression_handoff",
        reason="two compressions",
        model="model-2",
        entries=first,
    )
    now = clock.now() - 1
    assert child == Session(
        id=child.id,
        conversation_id=work.id,
        parent_id=old.id,
        parent_seq=None,
        root_id=old.id,
        edge="handoff",
        reason="two compressions",
        depth=1,
        model="model-2",
        started_at=now,
        ended_at=None,
        end_reason=None,
        entries=2,
        tokens=9,
    )
    assert store.sessions.get(child.id) == child
    assert store.sessions.get(old.id) == replace(old, ended_at=now, end_reason="compression_handoff")
    assert work.now() == replace(before, head_id=child.id, version=2, updated_at=now)
    loaded = store.entries.load(child.id)
    assert [(entry.seq, entry.kind, entry.data["text"], entry.tokens, entry.at) for entry in loaded] == [
        (1, "packet", "# Packet", 7, now),
        (2, "user", "go on", 2, 5),
    ]


def test_a_child_keeps_the_model_unless_another_is_named(store: Store) -> None:
    work = begin(store, model="model-1")
    assert [work.advance().model, work.advance(model="model-2").model, work.advance().model] == [
        "model-1",
        "model-2",
        "model-2",
    ]


@pytest.mark.parametrize("edge", ["compression", "handoff"])
@pytest.mark.parametrize("end_reason", ["compression", "handoff", "compression_handoff"])
def test_every_allowed_end_is_kept(store: Store, edge: str, end_reason: str) -> None:
    work = begin(store)
    old = work.head
    child = work.advance(edge=edge, end_reason=end_reason)
    assert child.edge == edge
    assert store.sessions.get(old.id).end_reason == end_reason


@pytest.mark.parametrize(
    ("edge", "end_reason"),
    [("root", "handoff"), ("fork", "handoff"), ("import", "handoff"), ("handoff", ""), ("handoff", "tired"), ("", "")],
)
def test_a_head_cannot_end_or_go_on_in_any_other_way(store: Store, edge: str, end_reason: str) -> None:
    work = begin(store)
    with unchanged(store), pytest.raises(BadInput):
        work.advance(edge=edge, end_reason=end_reason)


def test_the_old_head_takes_no_more_entries_and_no_second_child(store: Store) -> None:
    work = begin(store)
    old = work.head
    new = work.advance()
    with unchanged(store), pytest.raises(HeadMoved) as caught:
        store.entries.append(work.proof, old.id, said("late"))
    assert (caught.value.facts["expected"], caught.value.facts["head"]) == (old.id, new.id)
    with unchanged(store), pytest.raises(HeadMoved):
        store.sessions.advance(work.proof, old.id, **HANDOFF)


@pytest.mark.parametrize("head_id", NOWHERE)
def test_advance_from_a_session_that_is_not_the_head_is_refused(store: Store, head_id: str) -> None:
    work = begin(store)
    with unchanged(store), pytest.raises(HeadMoved):
        store.sessions.advance(work.proof, head_id, **HANDOFF)


@pytest.mark.parametrize(
    "options",
    [
        {"reason": "a\0b"},
        {"reason": "x" * 4097},
        {"model": "m" * 201},
        {"model": "\ud800"},
        {"entries": [NewEntry("user", {"text": "fine"}), NewEntry("Bad Kind", {})]},
        {"entries": [NewEntry("user", {"text": "fine"}), NewEntry("user", {"x": float("nan")})]},
        {"entries": [NewEntry("user", {}, tokens=-1)]},
        {"entries": [NewEntry("user", {}, at=2**62)]},
    ],
)
def test_an_advance_with_something_that_cannot_be_stored_changes_nothing(store: Store, options: dict[str, Any]) -> None:
    work = begin(store)
    draft = work.draft()
    with unchanged(store), pytest.raises(BadText):
        work.advance(draft_id=draft.id, **options)


def test_advance_confirms_its_draft_and_makes_the_others_stale(store: Store, clock: FrozenClock) -> None:
    work, bystander = begin(store), begin(store, "bystander")
    first, chosen, third, cancelled = (work.draft() for _ in range(4))
    cancelled = store.drafts.cancel(cancelled.id)
    elsewhere = bystander.draft()
    work.advance(draft_id=chosen.id)
    now = clock.now() - 1
    assert [store.drafts.get(draft.id) for draft in (first, chosen, third, cancelled, elsewhere)] == [
        replace(first, state=STALE, updated_at=now),
        replace(chosen, state=CONFIRMED, updated_at=now),
        replace(third, state=STALE, updated_at=now),
        cancelled,
        elsewhere,
    ]
    assert cancelled.state == CANCELLED
    assert elsewhere.state == OPEN


def test_advance_without_a_draft_makes_all_of_them_stale(store: Store) -> None:
    work = begin(store)
    draft = work.draft()
    work.advance()
    assert store.drafts.get(draft.id).state == STALE


def confirmed(work: Work) -> str:
    draft = work.draft()
    work.advance(draft_id=draft.id)
    return draft.id


def outrun(work: Work) -> str:
    draft = work.draft()
    work.advance()
    return draft.id


def cancelled(work: Work) -> str:
    return work.store.drafts.cancel(work.draft().id).id


def foreign(work: Work) -> str:
    return begin(work.store, "foreign").draft().id


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (confirmed, BadTransition),
        (outrun, DraftStale),
        (cancelled, BadTransition),
        (foreign, BadInput),
        (lambda _: new_id("draft"), NotFound),
        (lambda _: "\ud800", NotFound),
    ],
)
def test_advance_for_a_draft_that_is_not_open_here_changes_nothing(
    store: Store, make: Any, error: type[BatonError]
) -> None:
    work = begin(store)
    draft_id = make(work)
    waiting = work.draft()
    with unchanged(store), pytest.raises(error):
        work.advance(draft_id=draft_id)
    assert store.drafts.list_waiting(work.id) == [waiting]


def test_of_many_that_advance_at_once_one_wins(backend: Backend, store: Store, clock: FrozenClock) -> None:
    work = begin(store)
    handles = [backend.open(clock) for _ in range(4)]
    results = at_once(
        *(lambda handle=handle: handle.sessions.advance(work.proof, work.head.id, **HANDOFF) for handle in handles)
    )
    assert sorted(type(result).__name__ for result in results) == ["HeadMoved", "HeadMoved", "HeadMoved", "Session"]
    assert [session.live for session in store.sessions.of(work.id)] == [False, True]


def test_sessions_of_a_conversation_come_oldest_first(store: Store, clock: FrozenClock) -> None:
    work = begin(store)
    ids = [work.head.id]
    for _ in range(4):
        clock.jump(-86_400)
        ids.append(work.advance().id)
    begin(store, "another").advance()
    found = store.sessions.of(work.id)
    assert [session.id for session in found] == ids
    assert found == [store.sessions.get(session_id) for session_id in ids]
    assert [session.live for session in found] == [False, False, False, False, True]


@pytest.mark.parametrize("session_id", NOWHERE)
def test_a_session_that_is_not_there_is_not_found(store: Store, session_id: str) -> None:
    for look in (
        store.sessions.get,
        store.sessions.chain,
        store.sessions.tree,
        store.sessions.vitals,
        store.sessions.of,
        store.entries.load,
        lambda each: store.entries.last(each, 1),
        lambda each: store.conversations.fork(each, 0, "fork"),
        lambda each: store.packets.add(each, "# Packet", {}),
    ):
        with pytest.raises(NotFound):
            look(session_id)


def test_a_chain_of_a_thousand_handoffs_is_walked_from_any_link(store: Store) -> None:
    work = begin(store)
    ids = [work.head.id, *(work.advance(entries=said(f"step {step}")).id for step in range(1000))]
    chain = store.sessions.chain(ids[-1])
    assert [session.id for session in chain] == ids
    assert [session.depth for session in chain] == list(range(1001))
    assert store.sessions.chain(ids[500]) == chain[:501]
    assert store.sessions.of(work.id) == chain
    assert sorted(store.sessions.tree(ids[3]), key=lambda each: each.depth) == chain
    assert work.now().version == 1001
    assert store.conversations.find(ids[250]).id == work.id
    assert [finding.level for finding in store.upkeep.check()] == ["ok"]


def test_a_fork_continues_a_session_in_a_conversation_of_its_own(store: Store, clock: FrozenClock) -> None:
    work = begin(store, workspace="/src", model="model-1")
    work.say("one", "two", "three")
    head = work.advance()
    work.say("four")
    before = everything_of(work)
    conversation, root = store.conversations.fork(head.id, 1, "what if")
    now = clock.now() - 1
    assert (conversation.workspace, conversation.head_id, conversation.version) == ("/src", root.id, 1)
    assert root == Session(
        id=root.id,
        conversation_id=conversation.id,
        parent_id=head.id,
        parent_seq=1,
        root_id=head.root_id,
        edge="fork",
        reason="",
        depth=2,
        model="model-1",
        started_at=now,
        ended_at=None,
        end_reason=None,
        entries=0,
        tokens=0,
    )
    assert everything_of(work) == before


def everything_of(work: Work) -> tuple[Any, ...]:
    return work.now(), store_sessions(work), [work.store.entries.load(each.id) for each in store_sessions(work)]


def store_sessions(work: Work) -> list[Session]:
    return work.store.sessions.of(work.id)


def test_lineage_goes_through_forks_of_forks(store: Store) -> None:
    work = begin(store)
    work.say("one", "two")
    root = work.head
    middle = work.advance()
    fork, fork_root = store.conversations.fork(root.id, 2, "fork")
    proof = store.conversations.claim(fork.id, "bob", 60)
    fork_head = store.sessions.advance(proof, fork_root.id, **HANDOFF)
    _, second_fork = store.conversations.fork(fork_head.id, 0, "fork of the fork", model="model-9")
    stranger = begin(store, "stranger").head
    assert [each.id for each in store.sessions.chain(second_fork.id)] == [
        root.id,
        fork_root.id,
        fork_head.id,
        second_fork.id,
    ]
    assert [each.depth for each in store.sessions.chain(second_fork.id)] == [0, 1, 2, 3]
    family = {root.id, middle.id, fork_root.id, fork_head.id, second_fork.id}
    for member in family:
        assert {each.id for each in store.sessions.tree(member)} == family
    assert [each.id for each in store.sessions.tree(stranger.id)] == [stranger.id]
    assert [each.id for each in store.sessions.of(fork.id)] == [fork_root.id, fork_head.id]
    assert second_fork.model == "model-9"


def test_any_number_of_forks_may_begin_at_one_session(store: Store) -> None:
    work = begin(store)
    forks = [store.conversations.fork(work.head.id, 0, f"fork {number}")[1] for number in range(3)]
    work.say("the head goes on")
    assert {each.parent_id for each in forks} == {work.head.id}
    assert store.sessions.get(work.head.id).live


@pytest.mark.parametrize("seq", [-1, 3, 2**70])
def test_a_fork_after_entries_that_are_not_there_is_refused(store: Store, seq: int) -> None:
    work = begin(store)
    work.say("one", "two")
    with unchanged(store), pytest.raises(BadInput):
        store.conversations.fork(work.head.id, seq, "fork")


def test_a_fork_with_a_bad_title_is_refused(store: Store) -> None:
    work = begin(store)
    with unchanged(store), pytest.raises(BadInput):
        store.conversations.fork(work.head.id, 0, "\n")


def test_a_forged_loop_in_the_lineage_is_detected(backend: Backend, store: Store) -> None:
    work = begin(store)
    root, middle, head = work.head, work.advance(), work.advance()
    assert [each.id for each in store.sessions.chain(head.id)] == [root.id, middle.id, head.id]

    def tie(data: Any) -> None:
        data.sessions[root.id] = replace(data.sessions[root.id], parent_id=middle.id)

    forge(backend, store, "UPDATE session SET parent_id = ? WHERE id = ?", middle.id, root.id, memory=tie)
    for session in (root, middle, head):
        with pytest.raises(StoreDamaged) as caught:
            store.sessions.chain(session.id)
        assert "loop" in str(caught.value)
    findings = store.upkeep.check()
    assert [(finding.level, finding.subject) for finding in findings] == [("error", work.id)]
    assert "loop" in findings[0].text


def test_vitals_are_read_off_the_compression_entries(store: Store) -> None:
    work = begin(store)
    assert store.sessions.vitals(work.head.id) == Vitals()
    bodies: list[dict[str, Any]] = [
        {"summary": "short"},
        {"outcome": "compressed"},
        {"outcome": "lossy"},
        {"outcome": "failed", "error": "no model"},
        {"outcome": "timed_out", "error": "60 s passed"},
        {"outcome": "timed_out"},
        {"outcome": "something new"},
    ]
    for body in bodies:
        store.entries.append(work.proof, work.head.id, [NewEntry("compression", body), *said("in between")])
    expected = Vitals(compressions=3, lossy=1, failed=1, timed_out=2, last_error="60 s passed")
    assert store.sessions.vitals(work.head.id) == expected
    old, new = work.head, work.advance(entries=[NewEntry("compression", {"outcome": "lossy"})])
    assert store.sessions.vitals(new.id) == Vitals(compressions=1, lossy=1)
    assert store.sessions.vitals(old.id) == expected


def test_entries_called_compression_in_another_kind_do_not_count(store: Store) -> None:
    work = begin(store)
    store.entries.append(work.proof, work.head.id, [NewEntry("note", {"kind": "compression", "outcome": "lossy"})])
    assert store.sessions.vitals(work.head.id) == Vitals()
    assert texts(work.say("x")) == ["x"]
