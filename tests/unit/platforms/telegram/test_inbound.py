"""Updates as messages: a table of what comes through and what does not, and updates that mean harm."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.platforms.json_fields import Malformed
from baton.adapters.platforms.telegram.inbound import Me, read_callback, translate
from baton.core.errors import BadPlace
from baton.core.transfer.place import Place
from baton.core.value import replace
from baton.ports.platform import File, Inbound

ME = Me(4242, "Baton_Bot")
BOT = {"id": 4242, "is_bot": True, "first_name": "Baton"}
OLGA = {"id": 777, "is_bot": False, "first_name": "Olga", "last_name": "Ow\x1b[2Jner", "username": "root"}
PRIVATE = {"id": 777, "type": "private", "first_name": "Olga"}
GROUP = {"id": -4001, "type": "group", "title": "G"}
FORUM = {"id": -1001, "type": "supergroup", "title": "F", "is_forum": True}
BERLIN = {"latitude": 52.52, "longitude": 13.405}
FILE = {"file_id": "F1", "file_unique_id": "u"}


def message(**more: Any) -> dict[str, Any]:
    held = {"message_id": 5, "date": 1, "from": OLGA, "chat": PRIVATE, "text": "hello", **more}
    return {"update_id": 1, "message": {key: value for key, value in held.items() if value is not None}}


def edited(**more: Any) -> dict[str, Any]:
    held = message(**{"edit_date": 9, **more})
    return {"update_id": 1, "edited_message": held["message"]}


def pressed(**more: Any) -> dict[str, Any]:
    ours = {"message_id": 9, "date": 1, "from": BOT, "chat": PRIVATE, "text": "?"}
    held = {"id": "438", "from": OLGA, "message": ours, "chat_instance": "1", "data": "yes", **more}
    return {"update_id": 1, "callback_query": {key: value for key, value in held.items() if value is not None}}


PLAIN = Inbound("777:5", Place("telegram", "777"), "telegram:777", "hello", direct=True, name="Olga Owner")
PRESS = Inbound(
    "callback:438", Place("telegram", "777"), "telegram:777", "", True, name="Olga Owner", choice="yes", quotes="9"
)


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        (message(), PLAIN),
        (message(text="\ud800a\0"), replace(PLAIN, text="\ufffda\ufffd")),
        (
            message(chat=GROUP, message_thread_id=3),
            replace(PLAIN, id="-4001:5", place=Place("telegram", "-4001"), direct=False),
        ),
        (
            message(chat=FORUM, message_thread_id=3, is_topic_message=True),
            replace(PLAIN, id="-1001:5", place=Place("telegram", "-1001", "3"), direct=False),
        ),
        (
            message(chat=FORUM, message_thread_id=1, is_topic_message=True),
            replace(PLAIN, id="-1001:5", place=Place("telegram", "-1001"), direct=False),
        ),
        (
            message(message_thread_id=8, is_topic_message=True),
            replace(PLAIN, place=Place("telegram", "777", "8")),
        ),
        (
            message(chat={**PRIVATE, "id": 888}),
            replace(PLAIN, id="888:5", place=Place("telegram", "888"), direct=False),
        ),
        (message(text="/status@baton_bot now"), replace(PLAIN, text="/status now")),
        (message(text="/status@baton_bot"), replace(PLAIN, text="/status")),
        (message(text="/status@baton_bot_2"), None),
        (message(text="mail a/b@baton_bot"), replace(PLAIN, text="mail a/b@baton_bot")),
        (message(reply_to_message={"message_id": 4, "from": BOT, "text": "x"}), replace(PLAIN, quotes="4")),
        (message(reply_to_message={"message_id": 4, "from": OLGA, "text": "x"}), PLAIN),
        (message(reply_to_message={"message_id": 4, "from": BOT, "forum_topic_created": {"name": "t"}}), PLAIN),
        (message(quote={"text": "/handoff", "position": 0}, external_reply={"origin": {}}), PLAIN),
        (message(forward_origin={"type": "user"}), None),
        (
            message(forward_origin={"type": "user"}, text=None, caption="/x", document=FILE),
            replace(PLAIN, text="", files=(File("F1", "document"),)),
        ),
        (message(via_bot=BOT), None),
        (message(**{"from": BOT}), None),
        (message(**{"from": None}), None),
        (message(sender_chat=GROUP), None),
        (message(text=None, sticker=FILE), replace(PLAIN, text="", odd="sticker")),
        (message(text=None, contact={"phone_number": "1"}), replace(PLAIN, text="", odd="contact")),
        (message(text=None, poll={"id": "1"}), replace(PLAIN, text="", odd="poll")),
        (message(text=None, dice={"value": 3}), replace(PLAIN, text="", odd="other")),
        (message(text=None, location=BERLIN), replace(PLAIN, text="[location 52.52000, 13.40500]")),
        (
            message(text=None, location=BERLIN, venue={"title": "Alex", "address": "Platz 1"}),
            replace(PLAIN, text="[location 52.52000, 13.40500: Alex, Platz 1]"),
        ),
        (message(text=None, location=BERLIN, forward_origin={"type": "user"}), None),
        (message(text=None, voice=FILE), replace(PLAIN, text="", files=(File("F1", "voice.ogg", "audio/ogg"),))),
        (edited(text="hallo"), replace(PLAIN, id="777:5:edit:9", text="hallo", corrects="777:5")),
        (
            edited(text=None, caption="new", photo=[{**FILE, "width": 1, "height": 1}]),
            replace(PLAIN, id="777:5:edit:9", text="new", corrects="777:5"),
        ),
        (edited(text=None, location=BERLIN), None),
        (edited(edit_date=None), None),
        (edited(**{"from": BOT}), None),
        (message(text=None, new_chat_members=[OLGA]), None),
        (pressed(), PRESS),
        (pressed(data=None), None),
        (pressed(message=None, inline_message_id="1"), None),
        (pressed(message={"message_id": 9, "date": 0, "chat": PRIVATE}), None),
        ({"update_id": 1, "poll": {}}, None),
        ({"update_id": 1}, None),
    ],
)
def test_an_update_is_the_message_of_a_person_or_nothing(update: dict[str, Any], expected: Inbound | None) -> None:
    assert translate(update, ME) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"document": {**FILE, "file_name": "a.txt", "mime_type": "text/plain", "file_size": 3}},
         File("F1", "a.txt", "text/plain", 3)),
        ({"document": {**FILE, "file_name": "../../etc/passwd"}}, File("F1", "passwd")),
        ({"document": {**FILE, "file_name": "C:\\x\\..\\.."}}, File("F1", "document")),
        ({"document": {**FILE, "file_name": "a\nb\u202egpj.exe"}}, File("F1", "a bgpj.exe")),
        ({"photo": [{**FILE, "width": 9, "height": 9}, {"file_id": "F2", "width": 90, "height": 90, "file_size": 7},
                    {"file_id": "F3", "width": 1, "height": 1}]}, File("F2", "photo.jpg", "image/jpeg", 7)),
        ({"voice": {**FILE, "duration": 1}}, File("F1", "voice.ogg", "audio/ogg")),
        ({"audio": {**FILE, "file_name": "song.flac", "mime_type": "audio/flac"}},
         File("F1", "song.flac", "audio/flac")),
        ({"video": FILE}, File("F1", "video.mp4", "video/mp4")),
        ({"animation": FILE, "document": FILE}, File("F1", "document")),
    ],
)  # fmt: skip
def test_a_file_comes_with_its_caption_and_a_harmless_name(content: dict[str, Any], expected: File) -> None:
    found = translate(message(text=None, caption="look", **content), ME)
    assert found == replace(PLAIN, text="look", files=(expected,))


@pytest.mark.parametrize(
    "update",
    [
        None,
        [],
        "message",
        {"message": 5},
        message(chat=None),
        message(chat={"id": "777", "type": "private"}),
        message(chat={"id": True, "type": "private"}),
        message(chat={"id": 2**70, "type": "private"}),
        message(**{"from": {"id": None}}),
        message(message_id="5"),
        message(text=["/handoff"]),
        message(photo={"file_id": "x"}),
        message(photo=[3]),
        pressed(id=None),
        pressed(**{"from": None}),
    ],
)
def test_a_malformed_update_says_so(update: object) -> None:
    with pytest.raises(Malformed):
        translate(update, ME)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_NAMES = [*message()["message"], "reply_to_message", "photo", "document", "message_thread_id", "caption"]
_SPOILED = st.dictionaries(st.sampled_from(_NAMES), _JSON, max_size=4)
_SPOILED_PRESS = st.dictionaries(st.sampled_from([*pressed()["callback_query"]]), _JSON)


@given(_SPOILED, _SPOILED_PRESS)
def test_whatever_comes_is_read_or_malformed(spoiled: dict[str, Any], press: dict[str, Any]) -> None:
    for update in (message(**spoiled), pressed(**press)):
        try:
            translate(update, ME)
            read_callback(update)
        except (Malformed, BadPlace):
            continue
