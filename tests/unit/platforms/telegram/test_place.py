from __future__ import annotations

import pytest

from baton.adapters.platforms.telegram.place import chat_of, place, room, topic_of
from baton.core.errors import BadPlace, SendRefused
from baton.core.transfer.place import Place


@pytest.mark.parametrize("text", ["777", "-4001", "-1001234567890"])
def test_a_room_is_a_chat_without_a_topic(text: str) -> None:
    assert room(text) == place(int(text)) == Place("telegram", text)
    assert (chat_of(room(text)), topic_of(room(text))) == (int(text), None)


@pytest.mark.parametrize("text", ["", "@olga", "olga", "0", "07", "7_7", "７", "- 7", "7\n", "9" * 30, "777:5"])
def test_anything_but_a_number_is_no_room(text: str) -> None:
    with pytest.raises(BadPlace):
        room(text)


def test_a_topic_is_a_thread_and_the_general_one_is_none() -> None:
    assert place(-1001, 12) == Place("telegram", "-1001", "12")
    assert topic_of(place(-1001, 12)) == 12
    assert place(-1001, 1) == place(-1001, 0) == place(-1001, None) == Place("telegram", "-1001")


@pytest.mark.parametrize("chat", ["olga", "７", "7" * 20])
def test_what_is_no_chat_cannot_be_written_to(chat: str) -> None:
    with pytest.raises(SendRefused):
        chat_of(Place("telegram", chat))


@pytest.mark.parametrize("topic", ["x", "-1", "７"])
def test_what_is_no_topic_cannot_be_written_to(topic: str) -> None:
    with pytest.raises(SendRefused):
        topic_of(Place("telegram", "777", topic))
