"""An owner whose process died on this machine holds nothing up; every other one is waited for."""

from __future__ import annotations

import os
import signal

import pytest

from baton.core.errors import OwnedElsewhere, StaleEpoch
from baton.core.transfer.place import Place
from baton.engine.processes import new_owner, this_process
from baton.ports.store import Store
from tests.contract.store.kit import begin
from tests.support.named_process import begin_owner

pytestmark = pytest.mark.skipif(this_process() is None, reason="the system does not tell of its processes")


def test_a_killed_owner_is_taken_over_at_once_and_cannot_write(store: Store, other: Store) -> None:
    """The clock stands still: the lease of the dead is as live as can be."""
    process, name = begin_owner()
    work = begin(store, owner=name, ttl=60)
    work.say("before")
    with pytest.raises(OwnedElsewhere) as caught:
        other.conversations.claim(work.id, new_owner("terminal"), 60)
    assert caught.value.facts["owner"] == name.partition("@")[0]
    os.kill(process.pid, signal.SIGSTOP)
    with pytest.raises(OwnedElsewhere):
        other.conversations.claim(work.id, new_owner("terminal"), 60)
    process.kill()
    process.communicate()
    assert other.conversations.claim(work.id, new_owner("terminal"), 60).epoch == work.proof.epoch + 1
    with pytest.raises(StaleEpoch):
        work.say("late")


def test_an_owner_elsewhere_is_waited_for(store: Store, other: Store) -> None:
    process, name = begin_owner()
    process.kill()
    process.communicate()
    name, _, where = name.partition("@")
    work = begin(store, owner=f"{name}@{'0' * 20}.{where.partition('.')[2]}", ttl=60)
    with pytest.raises(OwnedElsewhere):
        other.conversations.claim(work.id, new_owner("terminal"), 60)


@pytest.mark.parametrize("box", ["inbox", "outbox"])
def test_a_message_in_a_killed_hand_is_taken_at_once_and_once(store: Store, other: Store, box: str) -> None:
    """What may have been sent comes back as unsure, as after any lease."""
    process, name = begin_owner()
    place, mine = Place("telegram", "1"), getattr(other, box)
    getattr(store, box).put("one", place, {"text": "hi"})
    getattr(store, box).put("two", place, {"text": "after it"})
    _, proof = getattr(store, box).take(["telegram"], name, 60)
    assert not mine.is_due(["telegram"])
    assert mine.take(["telegram"], new_owner("gateway"), 60) is None, "it lives"
    process.kill()
    process.communicate()
    assert mine.is_due(["telegram"])
    assert not mine.is_due(["slack"])
    mail, _ = mine.take(["telegram"], new_owner("gateway"), 60)
    assert (mail.key, mail.attempts, mail.unsure) == ("one", 2, int(box == "outbox"))
    assert mine.take(["telegram"], new_owner("gateway"), 60) is None, "one of a place at a time"
    with pytest.raises(StaleEpoch):
        getattr(store, box).settle(proof, "done" if box == "inbox" else "sent")


def test_a_transfer_that_a_killed_process_carried_goes_on_at_once_from_its_step(store: Store, other: Store) -> None:
    process, name = begin_owner()
    conversation, _ = store.conversations.start("moved")
    store.transfers.request(conversation.id, "terminal:local", "telegram")
    assert other.transfers.is_due(["telegram"])
    taken = store.transfers.claim_next(["telegram"], name, 60)
    assert taken is not None
    store.transfers.reach(taken[1], "opened", {"place": "telegram:1"})
    assert not other.transfers.is_due(["telegram"])
    assert other.transfers.claim_next(["telegram"], new_owner("gateway"), 60) is None, "it lives"
    process.kill()
    process.communicate()
    assert other.transfers.is_due(["telegram"])
    again = other.transfers.claim_next(["telegram"], new_owner("gateway"), 60)
    assert again is not None
    assert (again[0].step, again[0].attempts) == ("opened", 2)
    with pytest.raises(StaleEpoch):
        store.transfers.complete(taken[1])


@pytest.mark.parametrize("box", ["inbox", "outbox"])
def test_a_message_in_a_hand_elsewhere_is_waited_for(store: Store, other: Store, box: str) -> None:
    process, name = begin_owner()
    process.kill()
    process.communicate()
    name, _, where = name.partition("@")
    getattr(store, box).put("one", Place("telegram", "1"), {"text": "hi"})
    getattr(store, box).take(["telegram"], f"{name}@{'0' * 20}.{where.partition('.')[2]}", 60)
    assert not getattr(other, box).is_due(["telegram"])
    assert getattr(other, box).take(["telegram"], new_owner("gateway"), 60) is None
