"""A gateway that stands still for longer than its lease has lost what it held: whatever it does later is refused."""

from __future__ import annotations

import pytest

from baton.core.log import interrupted
from baton.core.transfer import transfer as rules
from baton.core.transfer.place import Place, parse_place
from tests.support.gateway_crew import SAID, MessengerCrew, past_refusals, soon
from tests.support.workers.crew import Worker
from tests.support.workers.gatewaying import answer, arrived

TRANSFER = (
    "claim committed", "thread there", "before committed", "bind committed", "arrival committed", "model half said",
    "word committed", "sending committed", "message there", "greeted committed",
)  # fmt: skip
INBOUND = (
    "taken committed", "bind committed", "input committed", "model half said", "word committed",
    "sending committed", "message there",
)  # fmt: skip


def half(gateways: MessengerCrew) -> int:
    """Every other point on one store, the others on the other."""
    return int(gateways.location.startswith("postgresql:"))


def frozen(gateways: MessengerCrew, point: str) -> Worker:
    return gateways.start(point=point, freezes=True, consumer="first")


def thawed(gateways: MessengerCrew, worker: Worker) -> None:
    """It goes on with what it was about to do, is refused, and stops in good order."""
    worker.resume()
    worker.tell("go on")
    words = worker.hear()
    assert words is not None
    assert words[0] == "refused"
    gateways.stop(worker)


@pytest.mark.timeout(120)
def test_a_transfer_is_taken_over_and_the_former_worker_changes_nothing(gateways: MessengerCrew) -> None:
    for point in TRANSFER[half(gateways) :: 2]:
        worker = frozen(gateways, point)
        conversation_id = gateways.terminal()
        transfer = gateways.store.transfers.request(conversation_id, "terminal:local", gateways.platforms[0])
        assert past_refusals(worker) == ["frozen"]
        worker.stop()
        heir = gateways.start(consumer="second")
        transfers = gateways.store.transfers
        soon(lambda: transfers.get(transfer.id).state == rules.COMPLETED, f"the transfer frozen at {point}")  # noqa: B023
        place = parse_place(str(transfers.get(transfer.id).notes["bound"]["place"]))
        at_rest(gateways, conversation_id)
        before = seen(gateways, place, conversation_id)
        thawed(gateways, worker)
        assert seen(gateways, place, conversation_id) == before, f"it changed something after {point}"
        assert gateways.messenger.texts(place) == [arrived(len(SAID))]
        at_rest(gateways, conversation_id)
        assert [each.place for each in gateways.store.bindings.of(conversation_id)] == [place.key]
        gateways.stop(heir)


@pytest.mark.timeout(120)
def test_a_turn_is_taken_over_and_the_message_is_handled_once(gateways: MessengerCrew) -> None:
    messenger = gateways.messenger
    for number, point in enumerate(INBOUND[half(gateways) :: 2]):
        place = messenger.room(gateways.platforms[0], f"room{number}", gateways.once)
        worker = frozen(gateways, point)
        messenger.says(place, f"m{number}", f"word {number}")
        assert past_refusals(worker) == ["frozen"]
        worker.stop()
        heir = gateways.start(consumer="second")
        soon(lambda: messenger.texts(place), f"an answer after {point}")  # noqa: B023
        conversation_id = gateways.at(place).id
        at_rest(gateways, conversation_id)
        before = seen(gateways, place, conversation_id)
        thawed(gateways, worker)
        assert seen(gateways, place, conversation_id) == before, f"it changed something after {point}"
        assert messenger.texts(place) == [answer(f"word {number}")]
        assert gateways.heard(conversation_id) == [f"word {number}"]
        gateways.stop(heir)


def at_rest(gateways: MessengerCrew, conversation_id: str) -> None:
    soon(lambda: not gateways.waiting(), "all messages to leave")
    soon(lambda: interrupted.find_interrupted(gateways.entries(conversation_id)) is None, "the end of the turn")
    soon(lambda: gateways.store.conversations.get(conversation_id).owner is None, "its release")


def seen(gateways: MessengerCrew, place: Place, conversation_id: str) -> object:
    """All that a late writer could spoil."""
    return (
        gateways.entries(conversation_id),
        gateways.messenger.texts(place),
        gateways.store.bindings.of(conversation_id),
        gateways.store.transfers.of(conversation_id),
    )
