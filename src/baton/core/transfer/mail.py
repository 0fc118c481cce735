"""Messages between places and conversations: stored before they are acknowledged, and before they are sent.

    inbox    new ──take──▶ taken ──done──▶ done          an expired lease makes it new again
    outbox   queued ──take──▶ sending ──sent──▶ sent
                ▲                │ ├──refused──▶ refused
                └────retry───────┘ └──unsure──▶ unsure ──take──▶ sending
             an expired lease while sending means nobody knows: it is taken again as unsure

At most one message of a place is taken or being sent at a time, and always the oldest, so order is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.core.errors import BadTransition, StaleEpoch
from baton.core.log import lease as leases
from baton.core.log.entry import encode_body
from baton.core.log.lease import IsGone, Lease, Ownership, micros, nobody_is_gone
from baton.core.text import check_text
from baton.core.transfer.place import Place
from baton.core.value import replace, value

INBOX = "inbox"
OUTBOX = "outbox"
NEW = "new"
TAKEN = "taken"
DONE = "done"
QUEUED = "queued"
SENDING = "sending"
SENT = "sent"
REFUSED = "refused"
UNSURE = "unsure"
WAITING = {INBOX: (NEW,), OUTBOX: (QUEUED, UNSURE)}
HELD = {INBOX: TAKEN, OUTBOX: SENDING}
FINAL = {INBOX: (DONE,), OUTBOX: (SENT, REFUSED)}
KEY_LIMIT = 500


@value
class Mail:
    """One message. `key` is the platform's id inbound and ours outbound: the same key is never stored twice.

    `unsure` stays set once a send may have happened, so that the sender probes or marks a repetition.
    """

    box: str
    key: str
    place: str
    conversation_id: str
    body: str
    state: str
    unsure: int
    owner: str | None
    epoch: int
    lease_until: int
    attempts: int
    not_before: int
    error: str
    receipt: str
    created_at: int
    updated_at: int

    @property
    def lease(self) -> Lease:
        return Lease(self.owner, self.epoch, self.lease_until)


def new_mail(box: str, key: str, place: Place, body: Mapping[str, Any], conversation_id: str, now: int) -> Mail:
    check_text("message key", key, KEY_LIMIT)
    check_text("conversation id", conversation_id, KEY_LIMIT)
    text, state = encode_body(body), WAITING[box][0]
    return Mail(box, key, place.key, conversation_id, text, state, 0, None, 0, 0, 0, 0, "", "", now, now)


def takeable(mail: Mail, ticks: int, now: int, is_gone: IsGone = nobody_is_gone) -> bool:
    if mail.state in WAITING[mail.box]:
        return mail.not_before <= now
    return mail.state == HELD[mail.box] and not leases.is_held(mail.lease, ticks, is_gone)


def take(
    mail: Mail, owner: str, ticks: int, ttl: int, now: int, is_gone: IsGone = nobody_is_gone
) -> tuple[Mail, Ownership]:
    if mail.state in FINAL[mail.box]:
        allowed = ", ".join((*WAITING[mail.box], HELD[mail.box]))
        raise BadTransition(noun=f"message in the {mail.box}", state=mail.state, verb="taken", allowed=allowed)
    doubtful = mail.box == OUTBOX and mail.state in (SENDING, UNSURE)
    held, proof = leases.claim(mail.lease, mail.box, mail.key, owner, ticks, ttl, is_gone)
    taken = replace(mail, state=HELD[mail.box], attempts=mail.attempts + 1, updated_at=now)
    return _hold(replace(taken, unsure=int(doubtful or mail.unsure)), held), proof


def renew(mail: Mail, proof: Ownership, ticks: int, ttl: int) -> Mail:
    """The holder keeps it: nobody else takes it for another `ttl`."""
    _check_holder(mail, proof)
    return _hold(mail, leases.renew(mail.lease, proof, ticks, ttl))


def settle(
    mail: Mail, proof: Ownership, state: str, now: int, delay: float = 0, error: str = "", receipt: str = ""
) -> Mail:
    """The end of a take: final, back in the queue (a retry, not before `delay` seconds have passed), or unsure."""
    allowed = (*WAITING[mail.box], *FINAL[mail.box])
    if state not in allowed or mail.state != HELD[mail.box]:
        noun = f"message in the {mail.box}"
        raise BadTransition(
            noun=noun, state=mail.state, verb=state, allowed=f"{HELD[mail.box]}, to {', '.join(allowed)}"
        )
    _check_holder(mail, proof)
    check_text("error", error)
    check_text("receipt", receipt)
    later = now + micros(delay) if delay else 0
    settled = replace(mail, state=state, not_before=later, error=error, receipt=receipt, updated_at=now)
    return _hold(replace(settled, unsure=int(mail.unsure or state == UNSURE)), Lease(None, mail.epoch))


def _check_holder(mail: Mail, proof: Ownership) -> None:
    """Both boxes may know the same key, so the proof must be of this box."""
    if proof.noun != mail.box:
        raise StaleEpoch(
            noun=f"message in the {mail.box}", id=mail.key, owner=proof.owner, epoch=proof.epoch, current=mail.epoch
        )
    leases.check(mail.lease, proof)


def _hold(mail: Mail, lease: Lease) -> Mail:
    return replace(mail, owner=lease.owner, epoch=lease.epoch, lease_until=lease.until)
