"""What is remembered between runs: who is who, the last words of each room, and what was sent."""

from __future__ import annotations

import time
from typing import Any

import pytest

from baton.adapters.platforms.whatsapp.inbound import Receiver
from baton.adapters.platforms.whatsapp.memory import People, Person, RecentTexts, ReplyWindow
from baton.ports.platform import Inbound
from tests.support.platforms.state import MemoryState

NUMBER, SCOPED, OTHER = "16505551234", "US.1", "US.2"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def test_a_person_stays_the_same_when_they_hide_their_number() -> None:
    state = MemoryState()
    ann = Person(f"whatsapp:{NUMBER}", NUMBER)
    assert People(state).person(NUMBER, SCOPED) == ann
    assert People(state).person("", SCOPED) == ann
    assert People(state).person(NUMBER, "") == ann


def test_a_number_that_passed_to_somebody_else_is_not_the_same_person() -> None:
    people = People(MemoryState())
    people.person(NUMBER, SCOPED)
    assert people.person(NUMBER, OTHER) == Person(f"whatsapp:{OTHER}", OTHER)
    assert people.person("", OTHER) == Person(f"whatsapp:{OTHER}", OTHER)
    assert people.person(NUMBER, SCOPED) == Person(f"whatsapp:{NUMBER}", NUMBER)


def test_a_number_that_somebody_else_has_written_from_is_known_to_have_passed() -> None:
    state = MemoryState()
    People(state).person(NUMBER, SCOPED)
    assert not People(state).has_passed(NUMBER)
    People(state).person(NUMBER, OTHER)
    assert People(state).has_passed(NUMBER)


def test_what_is_no_id_is_nobody() -> None:
    assert People(MemoryState()).person("ann", "us.1") is None


def test_the_oldest_is_forgotten_first_and_the_rest_lasts() -> None:
    state = MemoryState()
    kept = RecentTexts(state, "x", 3)
    for name in "abcad":
        kept.put(name, f"{name}{len(state.texts)}")
    kept.put("a", "again")
    again = RecentTexts(state, "x", 3)
    assert [again.get(name) for name in "abcd"] == ["again", "", "c1", "d1"]


def test_a_damaged_state_is_an_empty_one() -> None:
    state = MemoryState()
    for damaged in ("{", "[]", "3", '{"a": 5}'):
        state.put("x", damaged)
        assert RecentTexts(state, "x", 3).get("a") == ""


def test_the_window_closes_a_day_after_their_last_words() -> None:
    window, now = ReplyWindow(MemoryState()), int(time.time())
    assert not window.is_closed("1")
    window.note_message("1", "m1", now - 23 * 3600)
    assert not window.is_closed("1")
    window.note_message("1", "m0", now - 30 * 3600)
    assert window.last_message("1") == "m1"
    window.note_message("2", "m2", now - 25 * 3600)
    assert window.is_closed("2")
    window.close("1")
    assert (window.is_closed("1"), window.last_message("1")) == (True, "m1")
    window.note_message("1", "m3", now)
    assert not window.is_closed("1")


def call(**value: Any) -> dict[str, Any]:
    metadata = {"display_phone_number": "15550783881", "phone_number_id": "7"}
    return {"entry": [{"changes": [{"value": {"metadata": metadata, **value}}]}]}


def said(number: int, age: float = 0) -> dict[str, Any]:
    sent = str(int(time.time() - age))
    return {"from": NUMBER, "id": f"wamid.{number}", "timestamp": sent, "type": "text", "text": {"body": str(number)}}


@pytest.mark.anyio
async def test_messages_of_a_call_are_kept_in_order_and_ancient_ones_are_passed_over() -> None:
    kept: list[str] = []

    async def sink(inbound: Inbound) -> None:
        kept.append(inbound.text)

    messages = [said(1), {"type": "text"}, said(2, age=7 * 24 * 3600), said(3, age=9 * 24 * 3600), "x", said(4)]
    await Receiver(MemoryState(), "7").take_call(call(messages=messages), sink)
    assert kept == ["1", "2", "4"]


@pytest.mark.anyio
async def test_a_message_that_was_not_kept_does_not_open_the_window() -> None:
    receiver = Receiver(MemoryState(), "7")

    async def full(_: Inbound) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        await receiver.take_call(call(messages=[said(1)]), full)
    assert receiver.window.last_message(NUMBER) == ""


@pytest.mark.anyio
async def test_statuses_tell_what_was_sent_and_when_the_window_is_closed(caplog: pytest.LogCaptureFixture) -> None:
    async def nothing(_: Inbound) -> None: ...

    state = MemoryState()
    sent = {"id": "wamid.A", "status": "sent", "recipient_id": NUMBER, "biz_opaque_callback_data": "k"}
    errors = [{"code": 131047, "title": "Re-engagement message"}]
    failed = {**sent, "status": "failed", "biz_opaque_callback_data": "f", "errors": errors}
    await Receiver(state, "7").take_call(call(statuses=[sent, failed]), nothing)
    receiver = Receiver(state, "7")
    assert (receiver.receipt("k"), receiver.receipt("f")) == ("wamid.A", None)
    assert receiver.window.is_closed(NUMBER)
    assert "Re-engagement" in caplog.text
