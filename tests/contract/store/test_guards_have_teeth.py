"""Each guard of the store is taken away in turn, and a named promise must then break.

A scenario is a test of the contract suite: it must hold with the guard, and fail without it. So a guard that nobody
tests, or that does nothing, is found here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from baton.adapters.stores.sql.scripts import sqlite_blocks
from baton.core.errors import BatonError
from baton.core.handoff.packet import Draft
from baton.core.log.lease import Lease
from baton.testing.clock import FrozenClock
from baton.testing.memory.mail import MemoryMailbox
from baton.testing.memory.transfers import MemoryBindings
from tests.contract.store import (
    test_bindings,
    test_entries,
    test_handoffs,
    test_mail,
    test_ownership,
    test_register,
    test_sessions,
    test_transfers,
    test_upkeep,
)
from tests.contract.store.machines import PROFILE, OwnershipMachine, StoreMachine, TransferMachine
from tests.support.backends import BACKENDS, Backend

Patch = pytest.MonkeyPatch
BROKEN = (AssertionError, pytest.fail.Exception, BatonError)


class Bench:
    """A store of its own for one run of a scenario."""

    def __init__(self, name: str, directory: Path, stack: ExitStack) -> None:
        self.clock = FrozenClock()
        self.backend: Backend = BACKENDS[name](directory)
        stack.enter_context(self.backend.stack)
        self.store = self.backend.open(self.clock)
        self.other = self.backend.open(self.clock)


@pytest.fixture(params=["memory", "sqlite"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Bench]]:
    with ExitStack() as stack:
        yield lambda name: Bench(request.param, tmp_path / name, stack)


def without(target: str, stand_in: Callable[..., Any] = lambda *_, **__: None) -> Callable[[Patch], None]:
    """Removes a rule of `baton.core`: every store asks the same one."""
    return lambda patch: patch.setattr(target, stand_in)


def dead(patch: Patch) -> None:
    patch.setattr(Lease, "live", lambda *_: False)
    held = sqlite_blocks()["mail_takeable"]
    assert "m.lease_until > :ticks" in held
    patch.setitem(sqlite_blocks(), "mail_takeable", held.replace("m.lease_until > :ticks", "m.n <> m.n"))


def owner_only(lease: Lease, proof: Any) -> None:
    assert lease.owner == proof.owner


def epoch_only(lease: Lease, proof: Any) -> None:
    assert lease.epoch == proof.epoch


def any_version(draft: Draft, *_: object) -> Draft:
    return draft


def store_again(patch: Patch) -> None:
    """A message whose key is known replaces the first one."""
    once, again = sqlite_blocks()["mail_add"], ("INSERT INTO", "REPLACE INTO")
    patch.setitem(sqlite_blocks(), "mail_add", once.replace(*again).replace("ON CONFLICT (box, key) DO NOTHING", ""))
    put = MemoryMailbox.put

    def put_again(self: Any, key: str, *arguments: Any) -> bool:
        self._data.mail.pop((self._box, key), None)
        return put(self, key, *arguments)

    patch.setattr(MemoryMailbox, "put", put_again)


def several_in_flight(patch: Patch) -> None:
    blocks = sqlite_blocks()
    every = blocks["mail_takeable"].replace("min(n) AS n", "n").replace("GROUP BY place", "")
    patch.setitem(blocks, "mail_takeable", every)
    patch.setattr(MemoryMailbox, "_first_of_each_place", lambda self: self.list_waiting())


def prune_anything(patch: Patch) -> None:
    blocks = sqlite_blocks()
    patch.setitem(blocks, "mail_prune", "DELETE FROM mail WHERE updated_at < :before")
    every_state = {"inbox": ("new", "taken", "done"), "outbox": ("queued", "unsure", "sending", "sent", "refused")}
    patch.setattr("baton.testing.memory.upkeep.FINAL", every_state)


def unbind_anybody(patch: Patch) -> None:
    blocks = sqlite_blocks()
    patch.setitem(blocks, "binding_remove", blocks["binding_remove"].replace("AND conversation_id = :id", ""))
    patch.setattr(MemoryBindings, "unbind", lambda self, place, _: self._data.bindings.pop(place.key, None) is not None)


def forget_idleness(patch: Patch) -> None:
    """Everything counts as idle that was not touched since."""
    plain = "SELECT * FROM (SELECT c.* FROM conversation c WHERE c.updated_at < :before AND (:id = '' OR c.id = :id))"
    columns = "id, title, workspace, head_id, version, created_at, updated_at, owner, epoch, lease_until"
    patch.setitem(sqlite_blocks(), "conversation_idle", plain.replace("SELECT *", f"SELECT {columns}", 1))
    patch.setattr(
        "baton.testing.memory.upkeep.MemoryUpkeep._idle",
        lambda self, conversation, before: conversation.updated_at < before,
    )


@dataclass(frozen=True)
class Guard:
    remove: Callable[[Patch], None]
    scenario: Callable[[Bench], object]


GUARDS: dict[str, Guard] = {
    "a proof must be current (append)": Guard(
        without("baton.core.log.lease.check"),
        lambda b: test_ownership.test_a_late_writer_is_refused_for_ever(b.store, b.other, b.clock, "append"),
    ),
    "a proof must be current (advance)": Guard(
        without("baton.core.log.lease.check"),
        lambda b: test_ownership.test_a_late_writer_is_refused_for_ever(b.store, b.other, b.clock, "advance"),
    ),
    "a proof must be current (renew)": Guard(
        without("baton.core.log.lease.check"),
        lambda b: test_ownership.test_a_late_writer_is_refused_for_ever(b.store, b.other, b.clock, "renew"),
    ),
    "a proof must be current (release)": Guard(
        without("baton.core.log.lease.check"),
        lambda b: test_ownership.test_a_late_writer_is_refused_for_ever(b.store, b.other, b.clock, "release"),
    ),
    "a proof must be current (transfer)": Guard(
        without("baton.core.log.lease.check"),
        lambda b: test_transfers.test_a_worker_that_lost_its_claim_is_refused(b.store, b.other, b.clock, "complete"),
    ),
    "a proof must be current (mail)": Guard(
        without("baton.core.log.lease.check"),
        lambda b: test_mail.test_a_late_settler_is_refused(b.store, b.store.outbox, "outbox", b.clock),
    ),
    "a proof must be current (renewed mail)": Guard(
        without("baton.core.log.lease.check"),
        lambda b: test_mail.test_a_holder_that_lost_its_message_cannot_renew_it(
            b.store, b.store.outbox, "outbox", b.clock
        ),
    ),
    "a proof must be of the current epoch": Guard(
        without("baton.core.log.lease.check", owner_only),
        lambda b: test_ownership.test_claiming_again_ends_the_owners_earlier_proof(b.store, "append"),
    ),
    "a proof must be of the owner": Guard(
        without("baton.core.log.lease.check", epoch_only),
        lambda b: test_ownership.test_a_proof_that_is_not_exactly_the_current_one_is_refused(b.store),
    ),
    "a live lease keeps others out (conversation)": Guard(
        dead,
        lambda b: test_ownership.test_nobody_else_can_claim_while_the_lease_is_live(b.store, b.other, b.clock),
    ),
    "a live lease keeps others out (transfer)": Guard(
        dead,
        lambda b: test_transfers.test_arrow_b_a_living_workers_transfer_cannot_be_claimed_by_another(b.store, b.clock),
    ),
    "a live lease keeps others out (mail)": Guard(
        dead,
        lambda b: test_mail.test_a_worker_does_not_take_twice_what_it_already_holds(b.store.outbox),
    ),
    "a live lease keeps a conversation": Guard(
        dead,
        lambda b: test_upkeep.test_an_expired_lease_holds_nothing(b.store, b.clock),
    ),
    "the head must be the one the writer knows (append)": Guard(
        without("baton.core.log.conversation.check_head"),
        lambda b: test_entries.test_appending_to_a_session_that_is_not_the_head_is_refused(b.store),
    ),
    "the head must be the one the writer knows (advance)": Guard(
        without("baton.core.log.conversation.check_head"),
        lambda b: test_sessions.test_the_old_head_takes_no_more_entries_and_no_second_child(b.store),
    ),
    "entries must be as many as the writer expects": Guard(
        without("baton.core.log.session.check_count"),
        lambda b: test_entries.test_a_writer_that_does_not_know_whether_it_wrote_repeats_safely(b.store),
    ),
    "a head ends in an allowed way": Guard(
        without("baton.core.log.session.check_continuation"),
        lambda b: test_sessions.test_a_head_cannot_end_or_go_on_in_any_other_way(b.store, "fork", "handoff"),
    ),
    "a draft must be of the current version (open)": Guard(
        without("baton.core.handoff.packet._current", any_version),
        lambda b: test_handoffs.test_a_draft_written_before_the_head_moved_cannot_be_opened_after(b.store),
    ),
    "a draft must be of the current version (advance)": Guard(
        without("baton.core.handoff.packet._current", any_version),
        lambda b: test_sessions.test_advance_for_a_draft_that_is_not_open_here_changes_nothing(
            b.store, test_sessions.outrun, BatonError
        ),
    ),
    "a packet must be of the draft's conversation": Guard(
        without("baton.core.handoff.packet.check_written_for"),
        lambda b: test_handoffs.test_a_draft_needs_a_packet_of_its_own_conversation(b.store),
    ),
    "a transfer moves only from allowed states (completed)": Guard(
        without("baton.core.transfer.transfer._check_state"),
        lambda b: test_transfers.test_what_ended_never_changes_again(b.store, b.clock, "completed"),
    ),
    "a transfer moves only from allowed states (failed)": Guard(
        without("baton.core.transfer.transfer._check_state"),
        lambda b: test_transfers.test_what_ended_never_changes_again(b.store, b.clock, "failed"),
    ),
    "a transfer completes only after the greeting": Guard(
        without("baton.core.transfer.transfer._check_greeted"),
        lambda b: test_transfers.test_arrow_c_only_a_greeted_transfer_completes(b.store, b.clock),
    ),
    "a conversation has one active transfer": Guard(
        without("baton.core.transfer.transfer.check_none_active"),
        lambda b: test_transfers.test_a_second_transfer_is_refused_while_one_is_pending_or_running(b.store),
    ),
    "a place is bound only if it is free": Guard(
        without("baton.core.transfer.place.check_free"),
        lambda b: test_bindings.test_a_place_of_another_conversation_is_taken(b.store),
    ),
    "who lost a transfer binds nothing": Guard(
        without("baton.core.transfer.transfer.check_carried"),
        lambda b: test_bindings.test_who_lost_a_transfer_binds_nothing(b.store, b.clock),
    ),
    "a place is unbound only from its conversation": Guard(
        unbind_anybody,
        lambda b: test_bindings.test_a_late_unbind_does_not_free_a_place_that_moved_on(b.store),
    ),
    "a message is stored once": Guard(
        store_again,
        lambda b: test_mail.test_the_same_key_is_never_stored_twice(b.store.inbox, b.clock),
    ),
    "a place has one message in flight": Guard(
        several_in_flight,
        lambda b: test_mail.test_a_place_has_one_message_in_flight_and_its_order_is_kept(b.store.outbox, "outbox"),
    ),
    "a proof is of one box": Guard(
        without("baton.core.transfer.mail._check_holder"),
        lambda b: test_mail.test_the_two_boxes_know_nothing_of_each_other(b.store),
    ),
    "a proof is of one box (renewed)": Guard(
        without("baton.core.transfer.mail._check_holder"),
        lambda b: test_mail.test_a_message_is_not_renewed_with_a_proof_of_the_other_box(b.store),
    ),
    "a message is pruned only once it is final": Guard(
        prune_anything,
        lambda b: test_mail.test_held_messages_are_never_pruned(b.store, b.store.outbox, b.clock),
    ),
    "a record is written only over the version the writer knows": Guard(
        without("baton.core.transfer.record.check_version"),
        lambda b: test_register.test_a_record_is_written_only_over_the_version_that_is_expected(b.store),
    ),
    "a record is removed only in the version the writer knows": Guard(
        without("baton.core.transfer.record.check_version"),
        lambda b: test_register.test_a_record_of_another_version_is_not_removed(b.store),
    ),
    "a record must be what was written": Guard(
        without("baton.core.transfer.record.damage", lambda _: ""),
        lambda b: test_register.test_a_record_changed_behind_the_store_is_found_by_a_check(
            b.backend, b.store, "body", "[]"
        ),
    ),
    "an entry must fit its checksum": Guard(
        without("baton.core.log.entry.Entry.intact", lambda _: True),
        lambda b: test_entries.test_an_entry_changed_behind_the_store_is_noticed_whoever_reads_it(
            b.backend, b.store, "tokens"
        ),
    ),
    "a packet must fit its digest": Guard(
        without("baton.core.handoff.packet.Packet.intact", lambda _: True),
        lambda b: test_handoffs.test_a_packet_changed_behind_the_store_is_noticed(b.backend, b.store),
    ),
    "an inserted conversation has all its entries": Guard(
        without("baton.core.log.bundle.checked_entries", lambda bundle: iter(bundle.entries)),
        lambda b: test_upkeep.test_a_bundle_that_does_not_fit_together_is_refused_as_a_whole(
            b.backend, b.store, b.clock, "the last entry missing"
        ),
    ),
    "an inserted conversation fits together": Guard(
        without("baton.core.log.bundle.check"),
        lambda b: test_upkeep.test_a_bundle_that_does_not_fit_together_is_refused_as_a_whole(
            b.backend, b.store, b.clock, "a loop"
        ),
    ),
    **{
        f"a conversation is kept by {hold}": Guard(
            forget_idleness,
            lambda b, hold=hold: test_upkeep.test_a_conversation_is_not_removed_while_something_holds_on_to_it(
                b.store, hold
            ),
        )
        for hold in test_upkeep.HOLDS
        if hold != "a live lease"
    },
}


@pytest.mark.parametrize("guard", sorted(GUARDS))
def test_without_its_guard_a_promise_breaks(
    bench: Callable[[str], Bench], monkeypatch: pytest.MonkeyPatch, guard: str
) -> None:
    GUARDS[guard].scenario(bench("with"))
    GUARDS[guard].remove(monkeypatch)
    with pytest.raises(BROKEN):
        GUARDS[guard].scenario(bench("without"))


RANDOM: list[tuple[type[StoreMachine], str]] = [
    (OwnershipMachine, "a proof must be current (append)"),
    (OwnershipMachine, "a proof must be of the current epoch"),
    (OwnershipMachine, "a live lease keeps others out (conversation)"),
    (OwnershipMachine, "the head must be the one the writer knows (advance)"),
    (OwnershipMachine, "entries must be as many as the writer expects"),
    (TransferMachine, "a proof must be current (transfer)"),
    (TransferMachine, "a live lease keeps others out (transfer)"),
    (TransferMachine, "a transfer moves only from allowed states (completed)"),
    (TransferMachine, "a transfer completes only after the greeting"),
    (TransferMachine, "a conversation has one active transfer"),
    (TransferMachine, "a place is bound only if it is free"),
    (TransferMachine, "a place is unbound only from its conversation"),
]


@pytest.mark.parametrize(("machine", "guard"), RANDOM, ids=[guard for _, guard in RANDOM])
def test_random_histories_notice_a_missing_guard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machine: type[StoreMachine], guard: str
) -> None:
    GUARDS[guard].remove(monkeypatch)
    profile = settings(PROFILE, phases=[Phase.generate], report_multiple_bugs=False)
    with ExitStack() as stack:
        bench = Bench("memory", tmp_path, stack)
        with pytest.raises(BROKEN):
            run_state_machine_as_test(lambda: machine([bench.store, bench.other], bench.clock), settings=profile)
