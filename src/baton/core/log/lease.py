"""Leases: who may write, until when, and the epoch that fences late writers out.

One rule serves conversations, transfers and mail. The *epoch* decides, not the clock: a claim raises it, and a write
that carries an older one is always refused. The lease only says when another owner may claim.
Times are microseconds of the store's lease clock, never of the wall clock.
"""

from __future__ import annotations

from collections.abc import Callable

from baton.core.errors import BadInput, OwnedElsewhere, StaleEpoch
from baton.core.log.owner import describe_owner, short_owner
from baton.core.text import check_text
from baton.core.value import replace, value

IsGone = Callable[[str], bool]
"""Whether the process of an owner certainly lives no more."""
LONGEST = 3_600_000_000
_OWNER_LIMIT = 200
_SECONDS_LIMIT = 1_000_000_000


@value
class Lease:
    """Nobody's while `owner` is None. `epoch` never falls."""

    owner: str | None = None
    epoch: int = 0
    until: int = 0

    def live(self, now: int) -> bool:
        """A lease that ends later than any lease can is from a clock that has since restarted: it is over."""
        return self.owner is not None and now < self.until <= now + LONGEST


@value
class Ownership:
    """The proof that every write carries: this owner, in this epoch, of this conversation (or transfer, or mail)."""

    noun: str
    id: str
    owner: str
    epoch: int


def micros(seconds: float) -> int:
    """A duration in microseconds; `BadInput` for one that is negative, endless or not a number."""
    if not 0 <= seconds <= _SECONDS_LIMIT:
        raise BadInput(reason=f"{seconds} is not a number of seconds to wait. Allowed: 0 to {_SECONDS_LIMIT:,}.")
    return int(seconds * 1_000_000)


def nobody_is_gone(_: str) -> bool:
    return False


def is_held(lease: Lease, now: int, is_gone: IsGone = nobody_is_gone) -> bool:
    """Whether somebody has it whose lease is live, and who is not gone."""
    return lease.owner is not None and lease.live(now) and not is_gone(lease.owner)


def claim(
    lease: Lease,
    noun: str,
    id: str,  # noqa: A002
    owner: str,
    now: int,
    ttl: int,
    is_gone: IsGone = nobody_is_gone,
) -> tuple[Lease, Ownership]:
    """A new epoch for `owner`; `OwnedElsewhere` while another owner's lease is live, unless that owner `is_gone`."""
    if lease.owner is not None and lease.owner != owner and is_held(lease, now, is_gone):
        who = describe_owner(lease.owner, capital=True)
        raise OwnedElsewhere(
            noun=noun, id=id, who=who, owner=short_owner(lease.owner), seconds=(lease.until - now) / 1e6
        )
    check_text("owner", owner, _OWNER_LIMIT)
    held = Lease(owner, lease.epoch + 1, now + min(ttl, LONGEST))
    return held, Ownership(noun, id, owner, held.epoch)


def check(lease: Lease, proof: Ownership) -> None:
    """`StaleEpoch` unless `proof` is of the current epoch. An expired lease nobody else claimed still holds."""
    if lease.owner != proof.owner or lease.epoch != proof.epoch:
        raise StaleEpoch(noun=proof.noun, id=proof.id, owner=proof.owner, epoch=proof.epoch, current=lease.epoch)


def renew(lease: Lease, proof: Ownership, now: int, ttl: int) -> Lease:
    check(lease, proof)
    return replace(lease, until=now + min(ttl, LONGEST))


def release(lease: Lease, proof: Ownership) -> Lease:
    check(lease, proof)
    return replace(lease, owner=None, until=0)
