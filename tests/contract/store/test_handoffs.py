from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from baton.core.errors import BadInput, BadText, BadTransition, DraftStale, NotFound, StoreDamaged
from baton.core.handoff.packet import CANCELLED, CONFIRMED, OPEN, STALE, Draft, Packet
from baton.core.ids import is_id, new_id
from baton.core.log.entry import BODY_LIMIT
from baton.core.value import replace
from baton.ports.store import Store
from baton.testing.clock import FrozenClock
from tests.contract.store.kit import begin, forge, unchanged
from tests.support.backends import Backend

NOWHERE = ["", "nonsense", "\0", "\ud800"]


def test_a_packet_is_kept_with_its_digest(store: Store, other: Store, clock: FrozenClock) -> None:
    work = begin(store)
    packet = store.packets.add(work.head.id, "# Scope\n\nä", {"facts": [{"id": "f1"}]}, tokens=12)
    assert packet == Packet(
        id=packet.id,
        session_id=work.head.id,
        sha256=hashlib.sha256('# Scope\n\nä\0{"facts":[{"id":"f1"}]}'.encode()).hexdigest(),
        markdown="# Scope\n\nä",
        ledger=json.dumps({"facts": [{"id": "f1"}]}, separators=(",", ":")),
        tokens=12,
        created_at=clock.now() - 1,
    )
    assert is_id("packet", packet.id)
    assert other.packets.get(packet.id) == packet


def test_a_packet_leaves_its_conversation_alone(store: Store) -> None:
    work = begin(store)
    before = work.now()
    store.packets.add(work.head.id, "# Packet", {})
    assert work.now() == before


def test_packets_of_a_conversation_come_oldest_first_from_all_its_sessions(store: Store) -> None:
    work, another = begin(store), begin(store, "another")
    first = store.packets.add(work.head.id, "# One", {})
    work.advance()
    second = store.packets.add(work.head.id, "# Two", {})
    third = store.packets.add(first.session_id, "# Three", {})
    store.packets.add(another.head.id, "# Elsewhere", {})
    assert store.packets.of(work.id) == [first, second, third]
    for unknown in (new_id("conversation"), *NOWHERE):
        assert store.packets.of(unknown) == []


@pytest.mark.parametrize("packet_id", ["p_0123456789ab", *NOWHERE])
def test_a_packet_that_is_not_there_is_not_found(store: Store, packet_id: str) -> None:
    work = begin(store)
    draft = work.draft()
    with pytest.raises(NotFound):
        store.packets.get(packet_id)
    with unchanged(store), pytest.raises(NotFound):
        store.drafts.open(work.id, 1, packet_id)
    with unchanged(store), pytest.raises(NotFound):
        store.drafts.edit(draft.id, packet_id)


@pytest.mark.parametrize(
    "arguments",
    [
        ("a\0b", {}),
        ("\udfff", {}),
        ("x" * (BODY_LIMIT + 1), {}),
        ("# Packet", {"x": object()}),
        ("# Packet", {"x": float("nan")}),
        ("# Packet", {}, -1),
        ("# Packet", {}, 2**62),
    ],
    ids=["nul", "surrogate", "too long", "no json", "nan", "negative", "too many"],
)
def test_a_packet_that_cannot_be_stored_is_refused(store: Store, arguments: tuple[Any, ...]) -> None:
    work = begin(store)
    with unchanged(store), pytest.raises(BadInput):
        store.packets.add(work.head.id, *arguments)


def test_a_packet_changed_behind_the_store_is_noticed(backend: Backend, store: Store) -> None:
    work = begin(store)
    packet = store.packets.add(work.head.id, "# Packet", {})
    draft = work.draft()

    def damage(data: Any) -> None:
        data.packets[packet.id] = replace(packet, markdown="# Poisoned")

    forge(backend, store, "UPDATE packet SET markdown = '# Poisoned' WHERE id = ?", packet.id, memory=damage)
    for read in (
        lambda: store.packets.get(packet.id),
        lambda: store.packets.of(work.id),
        lambda: store.drafts.open(work.id, 1, packet.id),
        lambda: store.drafts.edit(draft.id, packet.id),
    ):
        with pytest.raises(StoreDamaged):
            read()
    assert store.drafts.list_waiting(work.id) == [draft]
    assert [finding.level for finding in store.upkeep.check()] == ["error"]


def test_an_opened_draft_waits_for_an_answer(store: Store, other: Store, clock: FrozenClock) -> None:
    work = begin(store)
    packet = store.packets.add(work.head.id, "# Packet", {})
    draft = store.drafts.open(work.id, 1, packet.id)
    now = clock.now() - 1
    assert draft == Draft(draft.id, work.id, 1, packet.id, OPEN, now, now)
    assert is_id("draft", draft.id)
    assert other.drafts.get(draft.id) == draft
    assert other.drafts.list_waiting() == [draft]


def test_waiting_drafts_come_oldest_first_of_one_conversation_or_all(store: Store) -> None:
    work, another = begin(store), begin(store, "another")
    first, second, third, fourth = work.draft(), another.draft(), work.draft(), work.draft()
    store.drafts.cancel(fourth.id)
    assert store.drafts.list_waiting() == [first, second, third]
    assert store.drafts.list_waiting(work.id) == [first, third]
    for unknown in (new_id("conversation"), *NOWHERE):
        assert store.drafts.list_waiting(unknown) == []


@pytest.mark.parametrize("version", [0, 2, -1, 2**70])
def test_a_draft_of_another_version_of_the_conversation_is_stale_from_the_start(store: Store, version: int) -> None:
    work = begin(store)
    packet = store.packets.add(work.head.id, "# Packet", {})
    with unchanged(store), pytest.raises(DraftStale):
        store.drafts.open(work.id, version, packet.id)


def test_a_draft_written_before_the_head_moved_cannot_be_opened_after(store: Store) -> None:
    work = begin(store)
    seen = work.now().version
    packet = store.packets.add(work.head.id, "# Packet", {})
    work.advance()
    with unchanged(store), pytest.raises(DraftStale):
        store.drafts.open(work.id, seen, packet.id)
    assert store.drafts.open(work.id, seen + 1, packet.id).state == OPEN


def test_new_entries_do_not_make_a_draft_stale(store: Store) -> None:
    work = begin(store)
    draft = work.draft()
    work.say("meanwhile")
    work.advance(draft_id=draft.id)
    assert store.drafts.get(draft.id).state == CONFIRMED


def test_a_draft_needs_a_packet_of_its_own_conversation(store: Store) -> None:
    work, another = begin(store), begin(store, "another")
    foreign = store.packets.add(another.head.id, "# Elsewhere", {})
    draft = work.draft()
    with unchanged(store), pytest.raises(BadInput, match="was not written for"):
        store.drafts.open(work.id, 1, foreign.id)
    with unchanged(store), pytest.raises(BadInput, match="was not written for"):
        store.drafts.edit(draft.id, foreign.id)


@pytest.mark.parametrize("conversation_id", ["c_0123456789ab", *NOWHERE])
def test_a_draft_of_an_unknown_conversation_is_refused(store: Store, conversation_id: str) -> None:
    packet = store.packets.add(begin(store).head.id, "# Packet", {})
    with unchanged(store), pytest.raises(NotFound):
        store.drafts.open(conversation_id, 1, packet.id)


def test_an_edited_draft_has_another_packet_and_still_waits(store: Store, clock: FrozenClock) -> None:
    work = begin(store)
    draft = work.draft()
    better = store.packets.add(work.head.id, "# Better", {})
    edited = store.drafts.edit(draft.id, better.id)
    assert edited == replace(draft, packet_id=better.id, updated_at=clock.now() - 1)
    assert store.drafts.list_waiting(work.id) == [edited]
    work.advance(draft_id=draft.id)
    assert store.drafts.get(draft.id).state == CONFIRMED


def test_a_cancelled_draft_waits_no_longer(store: Store, clock: FrozenClock) -> None:
    work = begin(store)
    draft = work.draft()
    assert store.drafts.cancel(draft.id) == replace(draft, state=CANCELLED, updated_at=clock.now() - 1)
    assert store.drafts.list_waiting() == []


def ended_drafts(store: Store) -> dict[str, Draft]:
    work = begin(store)
    cancelled = store.drafts.cancel(work.draft().id)
    stale, confirmed = work.draft(), work.draft()
    work.advance(draft_id=confirmed.id)
    ended = {CANCELLED: cancelled, STALE: store.drafts.get(stale.id), CONFIRMED: store.drafts.get(confirmed.id)}
    assert {state: draft.state for state, draft in ended.items()} == {state: state for state in ended}
    return ended


@pytest.mark.parametrize("state", [CANCELLED, STALE, CONFIRMED])
def test_a_draft_that_ended_is_neither_cancelled_nor_edited(store: Store, state: str) -> None:
    draft = ended_drafts(store)[state]
    with unchanged(store), pytest.raises(BadTransition):
        store.drafts.cancel(draft.id)
    with unchanged(store), pytest.raises(DraftStale if state == STALE else BadTransition):
        store.drafts.edit(draft.id, draft.packet_id)


@pytest.mark.parametrize("draft_id", ["d_0123456789ab", *NOWHERE])
def test_a_draft_that_is_not_there_is_not_found(store: Store, draft_id: str) -> None:
    packet = store.packets.add(begin(store).head.id, "# Packet", {})
    for act in (
        lambda: store.drafts.get(draft_id),
        lambda: store.drafts.cancel(draft_id),
        lambda: store.drafts.edit(draft_id, packet.id),
    ):
        with unchanged(store), pytest.raises(NotFound):
            act()


def test_a_packet_with_odd_text_is_still_a_packet(store: Store) -> None:
    work = begin(store)
    with unchanged(store), pytest.raises(BadText):
        store.packets.add(work.head.id, "\ud83d", {})
    packet = store.packets.add(work.head.id, "", {"text": "\ud83d"})
    assert json.loads(store.packets.get(packet.id).ledger) == {"text": "\ud83d"}
