from __future__ import annotations

from collections.abc import Callable

import pytest

from baton.core.errors import BadText, BadTransition, OwnedElsewhere, StaleEpoch, TransferActive
from baton.core.log.lease import Ownership
from baton.core.transfer.transfer import (
    ACTIVE,
    COMPLETED,
    FAILED,
    PENDING,
    RUNNING,
    STEPS,
    Transfer,
    beat,
    cancel,
    check_none_active,
    claim,
    claimable,
    complete,
    fail,
    give_back,
    reach,
    request,
)
from baton.core.value import replace

NOW = 50
TICKS = 1_000
PENDING_ONE = request("c_0123456789ab", "terminal:1", "telegram:1:2", 10)
RUNNING_ONE, PROOF = claim(PENDING_ONE, "ann", TICKS, 100, 20)
GREETED = replace(RUNNING_ONE, step="greeted")
BACK = replace(PENDING_ONE, step="opened", epoch=1, attempts=1)
STATES = {
    "pending": PENDING_ONE,
    "given back": BACK,
    "running": RUNNING_ONE,
    "greeted": GREETED,
    "completed": complete(GREETED, PROOF, 30),
    "failed": fail(RUNNING_ONE, PROOF, "no", 30),
}
ACTS: dict[str, Callable[[Transfer], object]] = {
    "claim": lambda transfer: claim(transfer, "ann", TICKS, 100, NOW),
    "claim by another": lambda transfer: claim(transfer, "bob", TICKS, 100, NOW),
    "claim by another, later": lambda transfer: claim(transfer, "bob", TICKS + 100, 100, NOW),
    "beat": lambda transfer: beat(transfer, PROOF, TICKS, 100),
    "reach": lambda transfer: reach(transfer, PROOF, transfer.step, {}, NOW),
    "complete": lambda transfer: complete(transfer, PROOF, NOW),
    "fail": lambda transfer: fail(transfer, PROOF, "no", NOW),
    "give back": lambda transfer: give_back(transfer, PROOF, NOW),
    "cancel": lambda transfer: cancel(transfer, NOW),
}
ALLOWED = {
    ("pending", "claim"): RUNNING,
    ("pending", "claim by another"): RUNNING,
    ("pending", "claim by another, later"): RUNNING,
    ("pending", "cancel"): FAILED,
    ("given back", "claim"): RUNNING,
    ("given back", "claim by another"): RUNNING,
    ("given back", "claim by another, later"): RUNNING,
    ("given back", "cancel"): PENDING,
    ("running", "claim"): RUNNING,
    ("running", "claim by another, later"): RUNNING,
    ("running", "beat"): RUNNING,
    ("running", "reach"): RUNNING,
    ("running", "fail"): FAILED,
    ("running", "give back"): PENDING,
    ("running", "cancel"): RUNNING,
    ("greeted", "claim"): RUNNING,
    ("greeted", "claim by another, later"): RUNNING,
    ("greeted", "beat"): RUNNING,
    ("greeted", "reach"): RUNNING,
    ("greeted", "complete"): COMPLETED,
    ("greeted", "fail"): FAILED,
    ("greeted", "give back"): PENDING,
    ("greeted", "cancel"): RUNNING,
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("act", ACTS)
def test_every_arrow_that_is_drawn_is_allowed_and_no_other(state: str, act: str) -> None:
    if (state, act) in ALLOWED:
        result = ACTS[act](STATES[state])
        after = result[0] if isinstance(result, tuple) else result
        assert isinstance(after, Transfer)
        assert after.state == ALLOWED[state, act]
    else:
        error = OwnedElsewhere if act == "claim by another" and state in ("running", "greeted") else BadTransition
        with pytest.raises(error):
            ACTS[act](STATES[state])


def test_a_requested_transfer_waits_for_a_worker() -> None:
    assert replace(PENDING_ONE, id="t") == Transfer(
        id="t",
        conversation_id="c_0123456789ab",
        origin="terminal:1",
        target="telegram:1:2",
        platform="telegram",
        state=PENDING,
        step="requested",
        journal="{}",
        cancel_asked=0,
        owner=None,
        epoch=0,
        lease_until=0,
        attempts=0,
        error="",
        requested_at=10,
        updated_at=10,
    )
    assert PENDING_ONE.notes == {}


def test_it_is_claimable_while_pending_or_once_its_worker_is_dead() -> None:
    assert claimable(PENDING_ONE, TICKS)
    assert not claimable(RUNNING_ONE, TICKS + 99)
    assert claimable(RUNNING_ONE, TICKS + 100)
    assert not any(claimable(STATES[state], TICKS + 10**9) for state in ("completed", "failed"))


@pytest.mark.parametrize("step", STEPS[1:])
def test_a_step_is_followed_by_the_next_or_said_again(step: str) -> None:
    here = replace(RUNNING_ONE, step=step)
    following = STEPS[STEPS.index(step) : STEPS.index(step) + 2]
    for each in (*STEPS, "nonsense", ""):
        if each in following:
            assert reach(here, PROOF, each, {"n": 1}, NOW).notes == {each: {"n": 1}}
        else:
            with pytest.raises(BadTransition):
                reach(here, PROOF, each, {}, NOW)


def test_notes_are_kept_by_step_and_the_last_word_counts() -> None:
    one = reach(RUNNING_ONE, PROOF, "opened", {"place": "ä"}, NOW)
    two = reach(one, PROOF, "bound", {}, NOW)
    three = reach(two, PROOF, "bound", {"again": True}, NOW)
    assert three.notes == {"opened": {"place": "ä"}, "bound": {"again": True}}
    with pytest.raises(BadText):
        reach(one, PROOF, "bound", {"x": object()}, NOW)


def test_a_claim_keeps_the_step_and_counts_the_attempts() -> None:
    taken, proof = claim(replace(GREETED, cancel_asked=1), "bob", TICKS + 100, 100, NOW)
    assert (taken.step, taken.attempts, taken.epoch, taken.owner, taken.cancel_asked) == ("greeted", 2, 2, "bob", 1)
    assert proof == Ownership("transfer", taken.id, "bob", 2)


@pytest.mark.parametrize("act", ["beat", "reach", "complete", "fail", "give back"])
def test_what_a_worker_writes_carries_its_epoch(act: str) -> None:
    taken, _ = claim(GREETED, "bob", TICKS + 100, 100, NOW)
    with pytest.raises(StaleEpoch):
        ACTS[act](taken)


def test_what_ended_is_held_by_nobody() -> None:
    for state in ("completed", "failed"):
        assert (STATES[state].owner, STATES[state].lease_until, STATES[state].epoch) == (None, 0, 1)


@pytest.mark.parametrize("state", STATES)
def test_only_pending_and_running_count_as_active(state: str) -> None:
    if STATES[state].state in ACTIVE:
        with pytest.raises(TransferActive):
            check_none_active([STATES["failed"], STATES[state]])
    else:
        check_none_active([STATES[state], STATES[state]])


@pytest.mark.parametrize("text", ["\0", "\ud800", "x" * 4097])
def test_texts_that_cannot_be_stored_are_refused(text: str) -> None:
    for act in (
        lambda: request("c", text, "telegram", 1),
        lambda: request("c", "terminal:1", text, 1),
        lambda: fail(RUNNING_ONE, PROOF, text, 1),
    ):
        with pytest.raises(BadText):
            act()
