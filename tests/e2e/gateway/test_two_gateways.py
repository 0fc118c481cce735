"""Two gateways on one store: each transfer and each message is one of them's, also across a restart of the database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from baton.core.transfer import transfer as rules
from baton.core.transfer.place import Place, parse_place
from baton.core.transfer.transfer import Transfer
from tests.support.gateway_crew import SAID, MessengerCrew, soon
from tests.support.messenger.service import Messenger
from tests.support.postgres import PrivateServer, fresh_schema
from tests.support.workers.gatewaying import answer, arrived

TRANSFERS = 12
PLACES = 8
WORDS = 4


def rooms(gateways: MessengerCrew) -> list[Place]:
    return [gateways.messenger.room("chat", f"room{number}", "key") for number in range(PLACES)]


def speak(gateways: MessengerCrew, places: list[Place], first: int, count: int) -> None:
    for number in range(first, first + count):
        for place in places:
            gateways.messenger.says(place, f"{place.room}-{number}", f"word {number}")


def requested(gateways: MessengerCrew, count: int) -> list[Transfer]:
    request = gateways.store.transfers.request
    return [request(gateways.terminal(), "terminal:local", "chat") for _ in range(count)]


def all_arrived(gateways: MessengerCrew, transfers: list[Transfer]) -> None:
    for transfer in transfers:
        soon(lambda each=transfer: _final(gateways, each), f"the end of {transfer.id}")
        ended = gateways.store.transfers.get(transfer.id)
        assert ended.state == rules.COMPLETED, ended.error
        place = parse_place(str(ended.notes["bound"]["place"]))
        assert gateways.messenger.texts(place) == [arrived(len(SAID))]
        assert gateways.messenger.opened[f"transfer/{transfer.id}/thread"] >= 1
        assert [each.place for each in gateways.store.bindings.of(transfer.conversation_id)] == [place.key]


def _final(gateways: MessengerCrew, transfer: Transfer) -> bool:
    return gateways.store.transfers.get(transfer.id).state not in rules.ACTIVE


def all_answered(gateways: MessengerCrew, places: list[Place], words: int) -> None:
    expected = [f"word {number}" for number in range(words)]
    for place in places:
        answers = [answer(text) for text in expected]
        soon(lambda place=place: len(gateways.messenger.texts(place)) >= words, f"answers in {place.key}")
        assert gateways.messenger.texts(place) == answers
        assert gateways.heard(gateways.at(place).id) == expected
    soon(lambda: not gateways.waiting(), "all messages to leave")
    assert gateways.messenger.violations == []


@pytest.mark.timeout(120)
def test_each_transfer_and_each_message_is_handled_by_one_of_them(gateways: MessengerCrew) -> None:
    workers = [gateways.start(consumer=name) for name in ("first", "second")]
    places = rooms(gateways)
    transfers = requested(gateways, TRANSFERS)
    speak(gateways, places, 0, WORDS)
    all_arrived(gateways, transfers)
    all_answered(gateways, places, WORDS)
    told = PLACES * WORDS
    soon(
        lambda: [gateways.messenger.read(f"{name}/chat") for name in ("first", "second")] == [told] * 2,
        "all to be heard",
    )
    figures = [gateways.stop(worker) for worker in workers]
    assert sum(each["transfers_completed"] for each in figures) == TRANSFERS
    assert sum(each["heard"] for each in figures) == told
    assert all(each["sent"] for each in figures), "one of them did nothing"


@pytest.fixture
def server() -> Iterator[PrivateServer]:
    server = PrivateServer()
    yield server
    server.remove()


@pytest.mark.timeout(120)
def test_a_restart_of_the_database_loses_nothing(server: PrivateServer, tmp_path: Path, messenger: Messenger) -> None:
    with MessengerCrew(fresh_schema(server.url), tmp_path, messenger, ["chat"]) as gateways:
        workers = [gateways.start(consumer=name, model_seconds=0.05) for name in ("first", "second")]
        places = rooms(gateways)
        transfers = requested(gateways, TRANSFERS)
        speak(gateways, places, 0, WORDS)
        for _ in range(2):
            before = len(messenger.shown)
            soon(lambda before=before: len(messenger.shown) > before + 3, "them to be in the middle of it")
            server.crash()
            server.start()
        speak(gateways, places, WORDS, 2)
        all_arrived(gateways, transfers)
        all_answered(gateways, places, WORDS + 2)
        for worker in workers:
            gateways.stop(worker)
