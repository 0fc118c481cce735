"""What comes over the gateway, and what it means; hostile things included."""

from __future__ import annotations

from typing import Any

import pytest

from baton.adapters.platforms.discord.inbound import (
    Press,
    is_from_person,
    read_press,
    translate,
    translate_edit,
    translate_press,
)
from baton.adapters.platforms.discord.place import Channel
from baton.adapters.platforms.json_fields import Fields, Malformed
from baton.core.transfer.place import Place
from baton.ports.platform import File, Inbound
from tests.support.platforms.discord import shapes

ME, ADA = "1", "2"
BOT, PERSON = shapes.user(ME, "baton", bot=True), shapes.user(ADA, "ada")
ROOM, THREAD, CHAT = Channel("10", 0), Channel("11", 11, "10"), Channel("12", 1)


def message(text: str = "hello", **more: Any) -> Fields:
    return Fields(shapes.message("100", "10", PERSON, text) | more)


def test_a_message_in_a_channel() -> None:
    place = Place("discord", "10")
    assert translate(message(), ROOM, ME) == Inbound("100", place, "discord:2", "hello", direct=False, name="Ada")


def test_a_message_in_a_thread_is_of_the_thread_in_its_channel() -> None:
    assert translate(message(), THREAD, ME).place == Place("discord", "10", "11")


def test_a_message_in_a_private_chat_is_direct() -> None:
    assert translate(message(), CHAT, ME).direct


@pytest.mark.parametrize("text", ["<@1> /status", "<@!1>, /status", "  <@1>: /status"])
def test_calling_us_is_not_part_of_what_is_said(text: str) -> None:
    assert translate(message(text), ROOM, ME).text == "/status"


def test_calling_somebody_else_is() -> None:
    assert translate(message("<@5> /status"), ROOM, ME).text == "<@5> /status"


def test_an_answer_names_our_message_and_holds_none_of_its_text() -> None:
    ours = shapes.message("99", "10", BOT, "what shall I do?")
    reference = {"type": 0, "channel_id": "10", "message_id": "99"}
    found = translate(message("go on", type=19, message_reference=reference, referenced_message=ours), ROOM, ME)
    assert (found.text, found.quotes) == ("go on", "99")


def test_an_answer_to_somebody_else_quotes_nothing_of_ours() -> None:
    theirs = shapes.message("99", "10", PERSON, "/handoff")
    assert translate(message("yes", type=19, referenced_message=theirs), ROOM, ME).quotes == ""


def test_files_are_known_by_their_message() -> None:
    each = shapes.attachment("7", "a.txt", 3, "https://cdn.discordapp.com/a", "text/plain")
    found = translate(message("", attachments=[each]), ROOM, ME)
    assert found.files == (File("10/100/7", "a.txt", "text/plain", 3),)


def test_text_no_store_keeps_is_replaced() -> None:
    assert translate(message("a\0b\ud800c"), ROOM, ME).text == "a\ufffdb\ufffdc"


def understood(found: Fields) -> Inbound | None:
    return translate(found, ROOM, ME) if is_from_person(found, ME) else None


FORWARD = {"type": 1, "channel_id": "10", "message_id": "9"}
SNAPSHOT = {"message": {"content": "/handoff telegram", "type": 0}}
NOT_FOR_US = {
    "our own": {"author": BOT},
    "another bot's": {"author": shapes.user("3", "x", bot=True)},
    "a webhook's": {"webhook_id": "4"},
    "Discord's": {"author": {**PERSON, "system": True}},
    "somebody joined": {"type": 7},
    "a thread began": {"type": 18},
    "the first line of a thread": {"type": 21},
    "a command's answer": {"type": 20},
    "a forward": {"content": "", "message_reference": FORWARD, "message_snapshots": [SNAPSHOT]},
    "a forward that has text": {"message_reference": FORWARD},
    "empty": {"content": ""},
    "only a call": {"content": "<@1>"},
}


@pytest.mark.parametrize("more", NOT_FOR_US.values(), ids=NOT_FOR_US)
def test_what_no_person_said_to_us_is_dropped(more: dict[str, Any]) -> None:
    assert is_from_person(message(), ME)
    assert not is_from_person(message(**more), ME)


MALFORMED = {
    "no author": {"author": None},
    "author is a text": {"author": "ada"},
    "id is a number": {"author": {**PERSON, "id": 2}},
    "id is a path": {"author": {**PERSON, "id": "../2"}},
    "content is an object": {"content": {}},
    "type is a text": {"type": "0"},
    "attachments are a text": {"content": "", "attachments": "x"},
    "an attachment is null": {"content": "", "attachments": [None]},
    "reference is a list": {"message_reference": []},
}


@pytest.mark.parametrize("more", MALFORMED.values(), ids=MALFORMED)
def test_malformed_messages_are_told_apart_and_their_content_stays_out_of_the_error(more: dict[str, Any]) -> None:
    with pytest.raises(Malformed) as caught:
        understood(message(**more))
    assert "../" not in str(caught.value)


def interaction(**more: Any) -> Fields:
    return Fields(
        {
            "id": "50",
            "type": 3,
            "token": "t",
            "channel_id": "10",
            "member": {"user": PERSON},
            "message": {"id": "99"},
            "data": {"custom_id": "yes", "component_type": 2},
            **more,
        }
    )


def test_a_press_is_a_choice_of_the_person_who_pressed() -> None:
    expected = Inbound(
        "50", Place("discord", "10"), "discord:2", "", direct=False, name="Ada", choice="yes", quotes="99"
    )
    assert read_press(interaction()) == Press("50", "10", "t")
    assert translate_press(interaction(), ROOM) == expected


def test_in_a_private_chat_the_person_stands_elsewhere() -> None:
    assert translate_press(interaction(member=None, user=PERSON), CHAT).sender == "discord:2"


def test_other_interactions_are_no_press() -> None:
    assert read_press(interaction(type=2)) is None


@pytest.mark.parametrize("more", [{"member": None}, {"message": None}, {"data": []}, {"id": 5}])
def test_malformed_presses_are_told_apart(more: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        pytest.fail(str([read_press(interaction(**more)), translate_press(interaction(**more), ROOM)]))


STICKER = [{"id": "1", "name": "x", "format_type": 1}]


@pytest.mark.parametrize(
    ("more", "odd"),
    [
        ({"content": " ", "sticker_items": STICKER}, "sticker"),
        ({"content": "", "poll": {"question": {"text": "?"}}}, "poll"),
        ({"content": "look", "sticker_items": STICKER}, ""),
    ],
)
def test_a_sticker_or_a_poll_is_told_as_such_unless_there_are_words(more: dict[str, Any], odd: str) -> None:
    assert is_from_person(message(**more), ME)
    assert translate(message(**more), ROOM, ME).odd == odd


def test_an_edit_names_what_it_corrects_and_comes_once_for_each_edit() -> None:
    found = translate_edit(message("new", edited_timestamp="2026-11-17T08:00:00+00:00"), THREAD, ME)
    assert found is not None
    assert (found.id, found.corrects) == ("100:edit:2026-11-17T08:00:00+00:00", "100")
    assert (found.text, found.place) == ("new", Place("discord", "10", "11"))


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"edited_timestamp": None},
        {"edited_timestamp": "t", "author": BOT},
        {"edited_timestamp": "t", "content": ""},
    ],
)
def test_a_preview_of_a_link_or_a_change_of_ours_is_no_edit(more: dict[str, Any]) -> None:
    assert translate_edit(message(**more), ROOM, ME) is None
