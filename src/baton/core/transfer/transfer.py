"""A conversation on its way to another place: one row per attempt, guarded transitions, a journal of steps.

    pending ──a──▶ running ──c──▶ completed
       │ ▲          │  │ ▲ └─────d──▶ failed
       │ └────e─────┘  └─b─┘            ▲
       └──────────────f─────────────────┘

    a  claimed by a worker: epoch + 1, a lease
    b  claimed again after the lease of a dead worker expired, or a heartbeat or a step of the living one
    c  the greeting was delivered: only then
    d  the worker says why it failed, after it rolled back
    e  given back by a worker that stops in good order
    f  cancelled before anybody claimed it

Completed and failed are final. Everything a worker writes carries its epoch; whoever waits only observes, and may
ask a running transfer to stop (`cancel_asked`), which its worker honours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from baton.core.errors import BadTransition, TransferActive
from baton.core.ids import new_id
from baton.core.log import lease as leases
from baton.core.log.entry import encode_body
from baton.core.log.lease import IsGone, Lease, Ownership, nobody_is_gone
from baton.core.text import check_text
from baton.core.value import replace, value

PENDING = "pending"
RUNNING = "running"
COMPLETED = "completed"
FAILED = "failed"
ACTIVE = (PENDING, RUNNING)
STEPS = ("requested", "claimed", "opened", "bound", "greeted")
CANCELLED_ERROR = "cancelled"


@value
class Arrival:
    """Where a transfer arrives: the place's key, and the conversation that spoke for it before. `before` is empty if
    nobody did, None until that was looked up.
    """

    place: str
    before: str | None = None

    def notes(self) -> dict[str, str]:
        return {"place": self.place} if self.before is None else {"place": self.place, "before": self.before}


@value
class Greeted:
    """The turn the agent spoke in, and the receipt of its first message."""

    turn: str
    receipt: str

    def notes(self) -> dict[str, str]:
        return {"turn": self.turn, "receipt": self.receipt}


@value
class Transfer:
    """`origin` and `target` are place keys; a target may also be a bare platform, which means its home channel."""

    id: str
    conversation_id: str
    origin: str
    target: str
    platform: str
    state: str
    step: str
    journal: str
    cancel_asked: int
    owner: str | None
    epoch: int
    lease_until: int
    attempts: int
    error: str
    requested_at: int
    updated_at: int

    @property
    def lease(self) -> Lease:
        return Lease(self.owner, self.epoch, self.lease_until)

    @property
    def notes(self) -> dict[str, Any]:
        """What each step left for the next attempt, by step."""
        return json.loads(self.journal)

    @property
    def arrival(self) -> Arrival | None:
        """As the journal has it; None before the place was opened."""
        noted = self.notes.get("bound") or self.notes.get("opened")
        return Arrival(str(noted["place"]), noted.get("before")) if noted else None


def request(conversation_id: str, origin: str, target: str, now: int) -> Transfer:
    return Transfer(
        id=new_id("transfer"),
        conversation_id=conversation_id,
        origin=check_text("origin", origin),
        target=check_text("target", target),
        platform=target.partition(":")[0],
        state=PENDING,
        step=STEPS[0],
        journal="{}",
        cancel_asked=0,
        owner=None,
        epoch=0,
        lease_until=0,
        attempts=0,
        error="",
        requested_at=now,
        updated_at=now,
    )


def check_none_active(transfers: Iterable[Transfer]) -> None:
    """`TransferActive` if one of a conversation's transfers is still under way."""
    for other in transfers:
        if other.state in ACTIVE:
            raise TransferActive(
                conversation=other.conversation_id, target=other.target, transfer=other.id, state=other.state
            )


def claimable(transfer: Transfer, ticks: int, is_gone: IsGone = nobody_is_gone) -> bool:
    held = transfer.state == RUNNING and leases.is_held(transfer.lease, ticks, is_gone)
    return transfer.state in (PENDING, RUNNING) and not held


def claim(
    transfer: Transfer, owner: str, ticks: int, ttl: int, now: int, is_gone: IsGone = nobody_is_gone
) -> tuple[Transfer, Ownership]:
    """Arrows a and b. A step already reached is kept, so the new worker continues from there."""
    _check_state(transfer, "claimed", *ACTIVE)
    held, proof = leases.claim(transfer.lease, "transfer", transfer.id, owner, ticks, ttl, is_gone)
    step = STEPS[1] if transfer.step == STEPS[0] else transfer.step
    claimed = replace(transfer, state=RUNNING, step=step, attempts=transfer.attempts + 1, updated_at=now)
    return _hold(claimed, held), proof


def beat(transfer: Transfer, proof: Ownership, ticks: int, ttl: int) -> Transfer:
    _check_carrier(transfer, proof, "kept alive")
    return _hold(transfer, leases.renew(transfer.lease, proof, ticks, ttl))


def reach(transfer: Transfer, proof: Ownership, step: str, notes: Mapping[str, Any], now: int) -> Transfer:
    """Arrow b: the next step is done. Steps come in order; repeating one changes only its notes."""
    _check_carrier(transfer, proof, f"moved to {step}")
    here = STEPS.index(transfer.step)
    if step not in STEPS[here : here + 2]:
        allowed = ", ".join(STEPS[here : here + 2])
        raise BadTransition(noun="transfer", state=transfer.step, verb=f"moved to {step}", allowed=allowed)
    journal = encode_body({**transfer.notes, step: dict(notes)})
    return replace(transfer, step=step, journal=journal, updated_at=now)


def check_carried(transfer: Transfer, proof: Ownership) -> None:
    """A worker that lost a transfer may not change its bindings either."""
    _check_carrier(transfer, proof, "carried")


def complete(transfer: Transfer, proof: Ownership, now: int) -> Transfer:
    _check_carrier(transfer, proof, COMPLETED)
    _check_greeted(transfer)
    return replace(_hold(transfer, Lease(None, transfer.epoch)), state=COMPLETED, error="", updated_at=now)


def fail(transfer: Transfer, proof: Ownership, error: str, now: int) -> Transfer:
    _check_carrier(transfer, proof, FAILED)
    check_text("error", error)
    return replace(_hold(transfer, Lease(None, transfer.epoch)), state=FAILED, error=error, updated_at=now)


def give_back(transfer: Transfer, proof: Ownership, now: int) -> Transfer:
    _check_carrier(transfer, proof, "given back")
    return replace(_hold(transfer, Lease(None, transfer.epoch)), state=PENDING, updated_at=now)


def cancel(transfer: Transfer, now: int) -> Transfer:
    """Arrow f, or a wish to the worker of a running transfer; the caller never ends what a worker holds."""
    _check_state(transfer, CANCELLED_ERROR, *ACTIVE)
    if transfer.state == PENDING and transfer.step == STEPS[0]:
        return replace(transfer, state=FAILED, error=CANCELLED_ERROR, updated_at=now)
    return replace(transfer, cancel_asked=1, updated_at=now)


def platforms_visited(transfers: Iterable[Transfer]) -> list[str]:
    """The platforms a conversation has been in, by its transfers in order; empty if it never moved."""
    done = [each for each in transfers if each.state == COMPLETED]
    return [done[0].origin.partition(":")[0], *(each.platform for each in done)] if done else []


def _check_greeted(transfer: Transfer) -> None:
    if transfer.step != STEPS[-1]:
        raise BadTransition(noun="transfer", state=transfer.step, verb=COMPLETED, allowed=STEPS[-1])


def _check_carrier(transfer: Transfer, proof: Ownership, verb: str) -> None:
    _check_state(transfer, verb, RUNNING)
    leases.check(transfer.lease, proof)


def _check_state(transfer: Transfer, verb: str, *states: str) -> None:
    if transfer.state not in states:
        raise BadTransition(noun="transfer", state=transfer.state, verb=verb, allowed=", ".join(states))


def _hold(transfer: Transfer, lease: Lease) -> Transfer:
    return replace(transfer, owner=lease.owner, epoch=lease.epoch, lease_until=lease.until)
