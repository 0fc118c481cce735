from __future__ import annotations

import pytest

from baton.core.errors import Ambiguous, BadInput, BadText, BadTitle, NotFound
from baton.core.ids import is_id, is_session_id, new_id
from baton.core.log.conversation import PAGE_LIMIT, Conversation, Row
from baton.core.log.entry import NewEntry
from baton.core.log.session import ROOT, Session
from baton.core.value import replace
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from tests.contract.store.kit import begin, everything, moved, unchanged
from tests.support.backends import Backend


class StoppedClock(FrozenClock):
    """Everything happens in the same microsecond."""

    def now(self) -> int:
        return self._now


def test_a_started_conversation_has_a_root_session_and_nobody_owns_it(store: Store, clock: FrozenClock) -> None:
    conversation, session = store.conversations.start("  Fix the race ", "/src/shop", "openai:x")
    now = clock.now() - 1
    assert conversation == Conversation(
        id=conversation.id,
        title="Fix the race",
        workspace="/src/shop",
        head_id=session.id,
        version=1,
        created_at=now,
        updated_at=now,
        owner=None,
        epoch=0,
        lease_until=0,
    )
    assert session == Session(
        id=session.id,
        conversation_id=conversation.id,
        parent_id=None,
        parent_seq=None,
        root_id=session.id,
        edge=ROOT,
        reason="",
        depth=0,
        model="openai:x",
        started_at=now,
        ended_at=None,
        end_reason=None,
        entries=0,
        tokens=0,
    )
    assert is_id("conversation", conversation.id)
    assert is_session_id(session.id)
    assert store.conversations.get(conversation.id) == conversation
    assert store.sessions.get(session.id) == session


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"title": "a\x1b[31mred"}, BadTitle),
        ({"title": "   "}, BadTitle),
        ({"title": "x" * 201}, BadTitle),
        ({"title": "two\nlines"}, BadTitle),
        ({"title": "ok", "workspace": "/a\0b"}, BadText),
        ({"title": "ok", "workspace": "x" * 4097}, BadText),
        ({"title": "ok", "model": "m" * 201}, BadText),
    ],
)
def test_a_start_with_a_bad_text_is_refused_and_starts_nothing(
    store: Store, options: dict[str, str], error: type[BadInput]
) -> None:
    with pytest.raises(error):
        store.conversations.start(**options)
    assert store.conversations.count() == 0
    assert everything(store) == {"inbox": [], "outbox": [], "records": []}


def test_getting_what_is_not_there_is_not_found(store: Store) -> None:
    for conversation_id in (new_id("conversation"), "", "nonsense", "c_\0", "\ud800"):
        with pytest.raises(NotFound):
            store.conversations.get(conversation_id)


def test_a_started_conversation_is_found_by_id_session_title_and_their_beginnings(store: Store) -> None:
    conversation, session = store.conversations.start("Fix the Checkout race", "/src/shop", "openai:x")
    for text in (
        conversation.id,
        conversation.id[:6],
        session.id,
        session.id[:17],
        "fix the checkout RACE",
        "Fix the",
        "  Fix the Checkout race  ",
        "Ｆｉｘ the",
    ):
        assert store.conversations.find(text) == conversation


def test_a_conversation_is_found_by_any_of_its_sessions(store: Store) -> None:
    work = begin(store)
    ids = [work.head.id, work.advance().id, work.advance().id]
    assert [store.conversations.find(session_id) for session_id in ids] == [work.now()] * 3


def test_an_exact_title_wins_over_a_longer_one_that_begins_so(store: Store) -> None:
    longer, _ = store.conversations.start("ship it")
    exact, _ = store.conversations.start("Ship")
    assert store.conversations.find("ship") == exact
    assert store.conversations.find("ship i") == longer


def test_a_title_that_looks_like_an_id_is_found(store: Store) -> None:
    named_like_a_conversation, _ = store.conversations.start(new_id("conversation"))
    named_like_a_session, _ = store.conversations.start("20260527_123456_abcdef")
    assert store.conversations.find(named_like_a_conversation.title) == named_like_a_conversation
    assert store.conversations.find(named_like_a_session.title) == named_like_a_session


def test_an_id_wins_over_a_title_that_is_the_same_text(store: Store) -> None:
    meant, _ = store.conversations.start("first")
    store.conversations.start(meant.id)
    assert store.conversations.find(meant.id) == meant


def test_an_ambiguous_title_names_the_candidates(store: Store) -> None:
    first, _ = store.conversations.start("same")
    second, _ = store.conversations.start("Same")
    with pytest.raises(Ambiguous) as caught:
        store.conversations.find("same")
    assert first.id in str(caught.value)
    assert second.id in str(caught.value)
    assert caught.value.facts["count"] == 2


def test_many_candidates_are_cut_and_counted_as_many(store: Store) -> None:
    for number in range(9):
        store.conversations.start(f"task {number}")
    with pytest.raises(Ambiguous) as caught:
        store.conversations.find("task")
    assert caught.value.facts["count"] == "6 or more"
    assert str(caught.value.facts["candidates"]).count("(task ") == 5


@pytest.mark.parametrize("text", ["nothing like this", "", "   ", "\0", "\ud800", "x" * 5000, "%", "_", "' OR 1=1 --"])
def test_an_unknown_name_is_not_found(store: Store, text: str) -> None:
    store.conversations.start("work")
    with pytest.raises(NotFound):
        store.conversations.find(text)


def test_rename_changes_the_title_and_nothing_else(store: Store) -> None:
    work = begin(store, "old name")
    before = work.now()
    renamed = store.conversations.rename(work.id, " New name ")
    assert renamed == work.now() == replace(before, title="New name")
    assert store.conversations.find("new NAME") == renamed
    with pytest.raises(NotFound):
        store.conversations.find("old name")


def test_a_refused_rename_leaves_the_title(store: Store) -> None:
    begin(store, "old name")
    with unchanged(store):
        with pytest.raises(BadTitle):
            store.conversations.rename(store.conversations.find("old name").id, "a\u202eb")
        with pytest.raises(NotFound):
            store.conversations.rename(new_id("conversation"), "new name")


def test_a_page_shows_the_heads_model_and_totals_newest_first(store: Store) -> None:
    first, _ = store.conversations.start("first", "/a", "model-1")
    second = begin(store, "second", workspace="/b", model="model-2")
    store.entries.append(second.proof, second.head.id, [NewEntry("user", {}, 30), NewEntry("assistant", {}, 4)])
    second.advance(model="model-3", entries=[NewEntry("packet", {}, 500)])
    store.conversations.rename(first.id, "renamed")
    page = store.conversations.page()
    assert page.rows == (
        Row(second.now(), "model-3", sessions=2, entries=3, tokens=534),
        Row(store.conversations.get(first.id), "model-1", sessions=1, entries=0, tokens=0),
    )
    assert page.after is None
    assert {type(value) for row in page.rows for value in (row.sessions, row.entries, row.tokens)} == {int}


def test_a_page_says_where_a_conversation_was_moved_last(store: Store) -> None:
    work = begin(store, "moved")

    def shown() -> str:
        return store.conversations.page().rows[0].moved_to

    begin(store, "older").say("hello")
    work.say("hello")
    assert shown() == ""
    moved(store, work.id, "telegram")
    assert shown() == "telegram"
    _, proof = store.transfers.claim(store.transfers.request(work.id, "here", "slack").id, "worker", 60)
    store.transfers.fail(proof, "nobody is there")
    assert shown() == "telegram"
    moved(store, work.id, "terminal")
    assert shown() == "terminal"


def test_writing_to_a_conversation_moves_it_to_the_front(store: Store) -> None:
    old = begin(store, "old")
    store.conversations.start("new")
    assert [row.conversation.title for row in store.conversations.page().rows] == ["new", "old"]
    old.say("still here")
    assert [row.conversation.title for row in store.conversations.page().rows] == ["old", "new"]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 50])
def test_pages_give_every_conversation_once_also_when_all_were_touched_at_once(backend: Backend, limit: int) -> None:
    store = backend.open(StoppedClock())
    ids = sorted((store.conversations.start(f"number {number}")[0].id for number in range(7)), reverse=True)
    found: list[str] = []
    after: str | None = None
    while True:
        page = store.conversations.page(limit, after)
        assert 1 <= len(page.rows) <= limit
        found += [row.conversation.id for row in page.rows]
        if (after := page.after) is None:
            break
    assert found == ids


def test_pages_of_a_workspace_leave_out_all_others(store: Store) -> None:
    for number in range(6):
        store.conversations.start(f"number {number}", "/shop" if number % 2 else "")
    first = store.conversations.page(2, workspace="/shop")
    rest = store.conversations.page(2, first.after, "/shop")
    assert [row.conversation.title for row in (*first.rows, *rest.rows)] == ["number 5", "number 3", "number 1"]
    assert rest.after is None
    assert len(store.conversations.page(workspace="").rows) == 3
    for nowhere in ("/shop/", "/SHOP", "\0", "\ud800", "x" * 5000):
        assert store.conversations.page(workspace=nowhere).rows == ()


@pytest.mark.parametrize("workspace", [None, "/shop"])
def test_a_page_of_what_has_begun_leaves_out_the_empty_ones(store: Store, workspace: str | None) -> None:
    for number in range(5):
        work = begin(store, f"number {number}", workspace="/shop")
        if number % 2:
            work.say("hello")
    fork, _ = store.conversations.fork(work.head.id, 0, "fork")
    first = store.conversations.page(2, workspace=workspace, begun=True)
    rest = store.conversations.page(2, first.after, workspace, begun=True)
    assert [row.conversation.title for row in (*first.rows, *rest.rows)] == [fork.title, "number 3", "number 1"]
    assert rest.after is None
    assert len(store.conversations.page(workspace=workspace).rows) == 6


def test_a_page_that_continues_does_not_repeat_what_moved_to_the_front(store: Store) -> None:
    works = [begin(store, f"number {number}") for number in range(4)]
    first = store.conversations.page(2)
    works[0].say("touched between the pages")
    rest = store.conversations.page(2, first.after)
    assert [row.conversation.title for row in first.rows] == ["number 3", "number 2"]
    assert [row.conversation.title for row in rest.rows] == ["number 1"]


def test_the_limit_of_a_page_is_brought_into_range(store: Store) -> None:
    for number in range(3):
        store.conversations.start(f"number {number}")
    assert [len(store.conversations.page(limit).rows) for limit in (-5, 0, 1, 3, PAGE_LIMIT * 10)] == [1, 1, 1, 3, 3]


@pytest.mark.parametrize(
    "after",
    [
        "",
        ".",
        "x",
        "12",
        "12.",
        "12.c_",
        ".c_0123456789ab",
        "-1.c_0123456789ab",
        "1.t_0123456789ab",
        "١.c_0123456789ab",
        "1" * 19 + ".c_0123456789ab",
        "1.c_0123456789ab\n",
        "1.c_0123456789ab' --",
        "\ud800.\0",
        "1.2.c_0123456789ab",
    ],
)
def test_a_position_that_no_page_gave_is_refused(store: Store, after: str) -> None:
    with pytest.raises(BadInput) as caught:
        store.conversations.page(after=after)
    assert "is not a position in the list" in str(caught.value)


def test_the_position_after_a_removed_conversation_still_continues(store: Store) -> None:
    ids = [store.conversations.start(f"number {number}")[0].id for number in range(4)]
    first = store.conversations.page(2)
    assert store.upkeep.remove(ids[2], 2**61)
    assert [row.conversation.id for row in store.conversations.page(9, first.after).rows] == [ids[1], ids[0]]


def test_conversations_are_counted(store: Store, other: Store) -> None:
    assert store.conversations.count() == 0
    for number in range(3):
        other.conversations.start(f"number {number}")
    assert store.conversations.count() == other.conversations.count() == 3


def test_what_one_handle_wrote_the_other_reads_at_once(store: Store, other: Store) -> None:
    work = begin(store, "shared", workspace="/src")
    work.say("hello")
    assert other.conversations.find("shared") == work.now()
    assert everything(other) == everything(store)
    assert other.conversations.page() == store.conversations.page()


def test_session_ids_of_one_second_never_clash(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three random bytes are few: a clash is drawn again instead of failing."""
    store = backend.open(StoppedClock())
    dice = iter([b"aaa", b"aaa", b"aaa", b"bbb"])
    monkeypatch.setattr("baton.core.ids.os.urandom", lambda count: next(dice) if count == 3 else bytes(range(count)))
    _, first = store.conversations.start("first")
    monkeypatch.setattr(
        "baton.core.ids.os.urandom", lambda count: next(dice) if count == 3 else bytes(range(9, 9 + count))
    )
    _, second = store.conversations.start("second")
    assert [first.id[-6:], second.id[-6:]] == ["616161", "626262"]
