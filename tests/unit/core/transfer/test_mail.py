from __future__ import annotations

import pytest

from baton.core.errors import BadInput, BadText, BadTransition, StaleEpoch
from baton.core.log.lease import Ownership
from baton.core.transfer.mail import INBOX, OUTBOX, Mail, new_mail, settle, take, takeable
from baton.core.transfer.place import Place
from baton.core.value import replace

ROOM = Place("telegram", "1", "2")
TICKS = 1_000
INCOMING = new_mail(INBOX, "k", ROOM, {"text": "hi"}, "c1", 10)
OUTGOING = new_mail(OUTBOX, "k", ROOM, {"text": "hi"}, "c1", 10)
TAKEN, READER = take(INCOMING, "ann", TICKS, 100, 20)
SENDING, SENDER = take(OUTGOING, "ann", TICKS, 100, 20)


def test_a_letter_waits_in_its_box() -> None:
    body = '{"text":"hi"}'
    waiting = Mail("inbox", "k", "telegram:1:2", "c1", body, "new", 0, None, 0, 0, 0, 0, "", "", 10, 10)
    assert new_mail(INBOX, "k", ROOM, {"text": "hi"}, "c1", 10) == waiting
    assert new_mail(OUTBOX, "k", ROOM, {"text": "hi"}, "c1", 10) == replace(waiting, box="outbox", state="queued")


@pytest.mark.parametrize(
    ("mail", "state"),
    [(INCOMING, "taken"), (OUTGOING, "sending"), (replace(OUTGOING, state="unsure", unsure=1), "sending")],
)
def test_a_waiting_letter_is_taken(mail: Mail, state: str) -> None:
    taken, proof = take(mail, "bob", TICKS, 100, 30)
    assert (taken.state, taken.owner, taken.epoch, taken.attempts, taken.updated_at) == (state, "bob", 1, 1, 30)
    assert proof == Ownership(mail.box, "k", "bob", 1)


def test_a_letter_is_takeable_when_it_waits_long_enough_or_its_holder_is_dead() -> None:
    assert takeable(INCOMING, TICKS, 0)
    later = replace(OUTGOING, not_before=500)
    assert [takeable(later, TICKS, now) for now in (499, 500)] == [False, True]
    assert [takeable(SENDING, ticks, 0) for ticks in (TICKS + 99, TICKS + 100)] == [False, True]
    for final in ("sent", "refused"):
        assert not takeable(replace(OUTGOING, state=final), TICKS, 0)
    assert not takeable(replace(INCOMING, state="done"), TICKS, 0)


@pytest.mark.parametrize(("mail", "state"), [(INCOMING, "done"), (OUTGOING, "sent"), (OUTGOING, "refused")])
def test_what_is_final_is_not_taken(mail: Mail, state: str) -> None:
    with pytest.raises(BadTransition):
        take(replace(mail, state=state), "bob", TICKS, 100, 30)


def test_only_the_outbox_is_in_doubt_after_its_holder_died() -> None:
    assert take(SENDING, "bob", TICKS + 100, 100, 30)[0].unsure == 1
    assert take(TAKEN, "bob", TICKS + 100, 100, 30)[0].unsure == 0
    assert take(OUTGOING, "bob", TICKS, 100, 30)[0].unsure == 0
    assert take(replace(OUTGOING, state="unsure", unsure=1), "bob", TICKS, 100, 30)[0].unsure == 1


@pytest.mark.parametrize(
    ("mail", "proof", "state", "unsure"),
    [
        (TAKEN, READER, "done", 0),
        (TAKEN, READER, "new", 0),
        (SENDING, SENDER, "sent", 0),
        (SENDING, SENDER, "refused", 0),
        (SENDING, SENDER, "queued", 0),
        (SENDING, SENDER, "unsure", 1),
        (replace(SENDING, unsure=1), SENDER, "sent", 1),
    ],
)
def test_a_held_letter_is_settled(mail: Mail, proof: Ownership, state: str, unsure: int) -> None:
    assert settle(mail, proof, state, 40, error="e", receipt="r") == replace(
        mail,
        state=state,
        unsure=unsure,
        owner=None,
        lease_until=0,
        error="e",
        receipt="r",
        updated_at=40,
    )


@pytest.mark.parametrize(
    ("mail", "proof", "state"),
    [
        (TAKEN, READER, "sent"),
        (TAKEN, READER, "taken"),
        (TAKEN, READER, "unsure"),
        (SENDING, SENDER, "done"),
        (SENDING, SENDER, "sending"),
        (SENDING, SENDER, ""),
        (INCOMING, READER, "done"),
        (OUTGOING, SENDER, "sent"),
        (replace(OUTGOING, state="sent"), SENDER, "sent"),
        (replace(OUTGOING, state="unsure"), SENDER, "sent"),
    ],
)
def test_no_other_way_out_is_allowed(mail: Mail, proof: Ownership, state: str) -> None:
    with pytest.raises(BadTransition):
        settle(mail, proof, state, 40)


def test_only_the_holder_of_this_box_settles() -> None:
    for proof in (replace(SENDER, owner="bob"), replace(SENDER, epoch=0), READER):
        with pytest.raises(StaleEpoch):
            settle(SENDING, proof, "sent", 40)


def test_a_retry_has_its_time() -> None:
    assert settle(SENDING, SENDER, "queued", 40, delay=2.5).not_before == 2_500_040
    assert settle(SENDING, SENDER, "queued", 40).not_before == 0
    with pytest.raises(BadInput):
        settle(SENDING, SENDER, "queued", 40, delay=-1)


@pytest.mark.parametrize("text", ["\0", "\ud800", "x" * 5000])
def test_texts_that_cannot_be_stored_are_refused(text: str) -> None:
    for act in (
        lambda: new_mail(INBOX, text, ROOM, {}, "", 1),
        lambda: new_mail(INBOX, "k", ROOM, {}, text, 1),
        lambda: settle(SENDING, SENDER, "sent", 40, error=text),
        lambda: settle(SENDING, SENDER, "sent", 40, receipt=text),
    ):
        with pytest.raises(BadText):
            act()
