"""A gateway that is stopped in good order and started again loses nothing and repeats nothing."""

from __future__ import annotations

import pytest

from baton.core.transfer import transfer as rules
from baton.core.transfer.place import parse_place
from tests.support.gateway_crew import SAID, MessengerCrew, soon
from tests.support.workers.gatewaying import answer, arrived

PLACES = 4
WORDS = 4


@pytest.mark.timeout(120)
@pytest.mark.parametrize("drain", [5.0, 0.0])
def test_stops_in_the_middle_of_turns_deliveries_and_transfers(gateways: MessengerCrew, drain: float) -> None:
    """Where turns have no time to end, they go on after the start; what was half said may be seen as that."""
    messenger, store = gateways.messenger, gateways.store
    places = [messenger.room("chat", f"room{number}", "key") for number in range(PLACES)]
    transfers = []
    for number in range(WORDS):
        worker = gateways.start(model_seconds=0.03, drain=drain)
        transfers.append(store.transfers.request(gateways.terminal(), "terminal:local", "chat"))
        for place in places:
            messenger.says(place, f"{place.room}-{number}", f"word {number}")
        before = len(messenger.shown)
        soon(lambda before=before: len(messenger.shown) > before + 1, "it to be in the middle of it")
        gateways.stop(worker)
    worker = gateways.start()
    for transfer in transfers:
        soon(lambda each=transfer: store.transfers.get(each.id).state == rules.COMPLETED, "the transfer")
        place = parse_place(str(store.transfers.get(transfer.id).notes["bound"]["place"]))
        assert messenger.texts(place) == [arrived(len(SAID))]
    words = [f"word {number}" for number in range(WORDS)]
    for place in places:
        answers = [answer(text) for text in words]
        soon(
            lambda place=place, answers=answers: set(answers) <= set(messenger.texts(place)), f"answers in {place.key}"
        )
        texts = messenger.texts(place)
        assert [text for text in texts if text in answers] == answers
        halves = [text for text in texts if text not in answers]
        assert all(any(each.startswith(half) for each in answers) for half in halves)
        assert not halves or not drain
        assert gateways.heard(gateways.at(place).id) == words
    soon(lambda: not gateways.waiting(), "all messages to leave")
    assert messenger.violations == []
    gateways.stop(worker)
