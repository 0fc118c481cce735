"""Conversations of any shape as JSON lines: exact in both directions."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from baton.core.errors import BadLine, BadText
from baton.core.log.bundle import Bundle
from baton.core.log.entry import KINDS, Entry, NewEntry
from baton.core.log.lease import Ownership
from baton.core.log.session import COMPRESSION, HANDOFF
from baton.core.transfer.place import Place
from baton.engine.archive import Imported, export_lines, import_lines
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from baton.testing.memory.store import MemoryStore
from tests.support.exports import Lines

SOURCE = "export.jsonl"
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

texts = st.text(st.characters(exclude_categories=()), max_size=20)
numbers = st.one_of(st.integers(), st.integers(-(10**400), 10**400), st.floats(allow_nan=False, allow_infinity=False))
json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
bodies = st.dictionaries(texts, json_values, max_size=4)
entries = st.lists(
    st.builds(NewEntry, st.sampled_from(KINDS), bodies, st.integers(0, 2**40), st.none() | st.integers(0, 2**60)),
    max_size=3,
)
plain_texts = st.text(max_size=60)
rooms = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=60)


class Author:
    """Writes a conversation of any shape through the store's own methods."""

    def __init__(self, store: Store, title: str, workspace: str) -> None:
        self.store = store
        conversation, self.head = store.conversations.start(title, workspace, "openai:gpt-5")
        self.id = conversation.id
        self.proof: Ownership = store.conversations.claim(self.id, "author", 60)

    def append(self, new: list[NewEntry]) -> None:
        self.store.entries.append(self.proof, self.head.id, new)

    def advance(self, edge: str, reason: str, new: list[NewEntry], confirms: bool) -> None:
        waiting = self.store.drafts.list_waiting(self.id) if confirms else []
        draft_id = waiting[0].id if waiting else None
        self.head = self.store.sessions.advance(
            self.proof, self.head.id, edge=edge, end_reason=edge, reason=reason, entries=new, draft_id=draft_id
        )

    def packet(self, markdown: str, ledger: dict[str, Any], drafted: bool) -> None:
        packet = self.store.packets.add(self.head.id, markdown, ledger, len(markdown))
        if drafted:
            version = self.store.conversations.get(self.id).version
            self.store.drafts.open(self.id, version, packet.id)

    def transfer(self, notes: dict[str, Any], error: str) -> None:
        transfer = self.store.transfers.request(self.id, "cli:here", "telegram:1")
        _, proof = self.store.transfers.claim(transfer.id, "worker", 60)
        with suppress(BadText):
            self.store.transfers.reach(proof, "opened", notes)
        try:
            self.store.transfers.fail(proof, error)
        except BadText:
            self.store.transfers.fail(proof, "not to be told")

    def bind(self, room: str) -> None:
        self.store.bindings.bind(Place("cli", f"{self.id}/{room}"), self.id)


steps = st.one_of(
    st.tuples(st.just(Author.append), entries),
    st.tuples(st.just(Author.advance), st.sampled_from([HANDOFF, COMPRESSION]), plain_texts, entries, st.booleans()),
    st.tuples(st.just(Author.packet), plain_texts, bodies, st.booleans()),
    st.tuples(st.just(Author.transfer), bodies, plain_texts),
    st.tuples(st.just(Author.bind), rooms),
)
stories = st.tuples(
    st.text(st.characters(categories=["L", "N", "P"]), min_size=1), plain_texts, st.lists(steps, max_size=8)
)


def new_store() -> MemoryStore:
    return MemoryStore(FrozenClock())


def written(store: Store, story: tuple[str, str, list[tuple[Any, ...]]]) -> str:
    """What JSON or a database cannot hold (split characters, NUL in a packet) is refused, and left out here."""
    title, workspace, made = story
    with suppress(BadText):
        author = Author(store, title, workspace)
        for step, *arguments in made:
            with suppress(BadText):
                step(author, *arguments)
        store.conversations.release(author.proof)
        return author.id
    return written(store, (title, "", made))


def exported(store: Store, *ids: str) -> Lines:
    return [line.encode() for line in export_lines(store, ids)]


def contents(store: Store, conversation_id: str) -> tuple[Bundle, list[Entry]]:
    """Everything of a conversation as values that compare whole."""
    bundle = store.upkeep.bundle(conversation_id)
    found = list(bundle.entries)
    return bundle_without_entries(bundle), found


def bundle_without_entries(bundle: Bundle) -> Bundle:
    return Bundle(
        bundle.conversation,
        bundle.sessions,
        bundle.packets,
        bundle.drafts,
        bundle.transfers,
        bundle.bindings,
        (),
    )


@settings(PATIENT)
@given(stories)
def test_a_conversation_of_any_shape_survives_the_way_there_and_back(story: Any) -> None:
    here, there = new_store(), new_store()
    conversation_id = written(here, story)
    lines = exported(here, conversation_id)
    assert import_lines(there, lines, SOURCE) == Imported((conversation_id,), ())
    assert contents(there, conversation_id) == contents(here, conversation_id)
    assert exported(there, conversation_id) == lines


@settings(PATIENT, max_examples=30)
@given(st.lists(stories, min_size=1, max_size=3))
def test_several_conversations_share_a_file_and_keep_their_order(told: list[Any]) -> None:
    here, there = new_store(), new_store()
    ids = [written(here, story) for story in told]
    lines = exported(here, *ids)
    assert import_lines(there, lines, SOURCE) == Imported(tuple(ids), ())
    assert exported(there, *ids) == lines == exported(here, *ids)


@settings(PATIENT, max_examples=30)
@given(stories, entries.filter(bool))
def test_a_file_of_what_is_here_is_known_until_the_conversation_went_on(story: Any, more: list[NewEntry]) -> None:
    store = new_store()
    conversation_id = written(store, story)
    lines = exported(store, conversation_id)
    before = contents(store, conversation_id)
    assert import_lines(store, lines, SOURCE) == Imported((), (conversation_id,))
    assert contents(store, conversation_id) == before
    proof = store.conversations.claim(conversation_id, "author", 60)
    with suppress(BadText):
        store.entries.append(proof, before[0].conversation.head_id, more)
        after = contents(store, conversation_id)
        with pytest.raises(BadLine, match="is already here, with other content"):
            import_lines(store, lines, SOURCE)
        assert contents(store, conversation_id) == after
