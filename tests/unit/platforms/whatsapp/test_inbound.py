"""What comes through the webhook, as Baton knows it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.platforms.whatsapp.inbound import Report, changes, read_report, translate
from baton.adapters.platforms.whatsapp.memory import People
from baton.core.transfer.place import Place
from baton.ports.platform import File, Inbound
from tests.support.platforms.state import MemoryState

ANN, OURS = "16505551234", "15550783881"
METADATA = {"display_phone_number": "+1 555-078-3881", "phone_number_id": "106540352242922"}
CONTACT = {"profile": {"name": "Ann"}, "wa_id": ANN}


def read(message: dict[str, Any], **change: object) -> Inbound | None:
    base = {"from": ANN, "id": "wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQQA=", "timestamp": "1749416383"}
    value = {"metadata": METADATA, "contacts": [CONTACT], **change}
    found = translate({**base, **message}, value, People(MemoryState()))
    return found and found.inbound


def text(body: str, **more: object) -> dict[str, Any]:
    return {"type": "text", "text": {"body": body}, **more}


def test_a_text() -> None:
    assert read(text(" hello ")) == Inbound(
        id="wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQQA=",
        place=Place("whatsapp", ANN),
        sender=f"whatsapp:{ANN}",
        text="hello",
        direct=True,
        name="Ann",
    )


@pytest.mark.parametrize("contacts", [None, [], [{}], "x", [{"profile": None, "wa_id": "1"}], [{"wa_id": 5}]])
def test_a_text_without_a_contact_is_still_a_text(contacts: object) -> None:
    found = read(text("hello"), contacts=contacts)
    assert found is not None
    assert (found.sender, found.name) == (f"whatsapp:{ANN}", "")


def test_of_several_people_each_has_their_own_name() -> None:
    other = {"profile": {"name": "Eve"}, "wa_id": "19995550000", "user_id": "US.666"}
    found = read(text("hello"), contacts=[other, CONTACT])
    assert found is not None
    assert (found.name, found.sender) == ("Ann", f"whatsapp:{ANN}")


def test_somebody_who_hides_their_number_is_known_by_the_scoped_id() -> None:
    scoped = {"profile": {"name": "Ann"}, "user_id": "US.13491208655302741918"}
    found = read({**text("hello", from_user_id="US.13491208655302741918"), "from": None}, contacts=[scoped])
    assert found is not None
    assert (found.sender, found.place.room) == ("whatsapp:US.13491208655302741918", "US.13491208655302741918")


def test_a_group_message_is_of_the_group() -> None:
    found = read(text("hello", group_id="Y2FwaV9ncm91cDo="))
    assert found is not None
    assert (found.place.room, found.direct, found.sender) == ("group.Y2FwaV9ncm91cDo=", False, f"whatsapp:{ANN}")


@pytest.mark.parametrize(
    ("context", "quotes"),
    [
        ({"from": OURS, "id": "wamid.A"}, "wamid.A"),
        ({"id": "wamid.A"}, "wamid.A"),
        ({"from": ANN, "id": "wamid.A"}, ""),
        ({"from": OURS, "id": "no id"}, ""),
        ({"from": OURS}, ""),
        (3, ""),
    ],
)
def test_an_answer_names_our_message(context: object, quotes: str) -> None:
    found = read(text("yes", context=context))
    assert found is not None
    assert found.quotes == quotes


@pytest.mark.parametrize("mark", ["forwarded", "frequently_forwarded"])
def test_forwarded_words_are_nobodys(mark: str) -> None:
    assert read(text("/approve", context={mark: True})) is None
    image = {"type": "image", "image": {"id": "1", "mime_type": "image/jpeg", "caption": "/approve"}}
    found = read({**image, "context": {mark: True}})
    assert found is not None
    assert (found.text, len(found.files)) == ("", 1)


def test_media_are_files_with_their_caption_as_words() -> None:
    document = {"id": "77", "filename": "a\nb.pdf", "mime_type": "application/pdf; x", "caption": "look", "sha256": "x"}
    found = read({"type": "document", "document": document})
    assert found is not None
    assert (found.text, found.files) == ("look", (File("77", "a b.pdf", "application/pdf"),))
    found = read({"type": "voice", "voice": {"id": "123456789", "mime_type": "audio/ogg; codecs=opus"}})
    assert found is not None
    assert found.files == (File("123456789", "voice-23456789.ogg", "audio/ogg"),)


@pytest.mark.parametrize(
    ("interactive", "choice"),
    [
        ({"type": "button_reply", "button_reply": {"id": "yes:1", "title": "Yes"}}, "yes:1"),
        ({"type": "list_reply", "list_reply": {"id": "c4", "title": "B4", "description": ""}}, "c4"),
    ],
)
def test_a_pressed_button_is_a_choice_without_words(interactive: object, choice: str) -> None:
    found = read({"type": "interactive", "interactive": interactive, "context": {"from": OURS, "id": "wamid.A"}})
    assert found is not None
    assert (found.choice, found.text, found.quotes) == (choice, "", "wamid.A")


@pytest.mark.parametrize(
    "message",
    [
        {},
        text(""),
        text("x", id=""),
        text("x", id="wamid A"),
        text("x", id=None),
        {**text("x"), "from": "ann"},
        text("x", group_id="no group!"),
        {"type": "text", "text": "x"},
        {"type": "reaction", "reaction": {"emoji": "👍", "message_id": "wamid.A"}},
        {"type": "location", "location": {}},
        {"type": "system", "system": {"body": "User changed number", "wa_id": "12195555358"}},
        {"type": "image", "image": {"id": "../../me"}},
        {"type": "interactive", "interactive": {"type": "nfm_reply"}},
        {"type": ["x"]},
    ],
)
def test_what_is_no_message_of_a_person_is_none(message: dict[str, Any]) -> None:
    assert read(message) is None


def test_only_what_is_about_our_number_counts() -> None:
    ours, other = {"metadata": METADATA}, {"metadata": {"phone_number_id": "1"}}
    body = {"entry": [{"changes": [{"value": other}, {"value": ours}, 3]}, {"changes": None}, None]}
    assert list(changes(body, "106540352242922")) == [ours]


def test_a_status_tells_what_became_of_our_message() -> None:
    errors = [{"code": 131047, "title": "Re-engagement message", "error_data": {"details": "More than 24 hours"}}]
    status = {"id": "wamid.A", "status": "failed", "recipient_id": ANN, "errors": errors}
    assert read_report({**status, "biz_opaque_callback_data": "k"}) == Report(
        "wamid.A", "k", "failed", ANN, 131047, "More than 24 hours"
    )
    assert read_report({"status": "sent"}) is None
    assert read_report({"id": "wamid.A", "errors": 3, "status": 5}) == Report("wamid.A", "", "", "")


_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
_field = st.sampled_from(["text", "image", "interactive", "context", "group_id", "from_user_id", "timestamp"])
_kind = st.sampled_from(["text", "image", "interactive", "button"])


@given(_kind, st.dictionaries(_field, _anything), _anything)
def test_whatever_comes_is_a_message_or_none(kind: str, message: dict[str, Any], contacts: Any) -> None:
    found = read({"type": kind, **message}, contacts=contacts)
    if found is not None:
        assert "\0" not in found.text
        found.text.encode()


@pytest.mark.parametrize(("kind", "odd"), [("contacts", "contact"), ("order", "order"), ("unsupported", "other")])
def test_what_has_no_words_is_told_as_such(kind: str, odd: str) -> None:
    found = read({"type": kind, "errors": [{"code": 131051}]})
    assert found is not None
    assert (found.text, found.odd) == ("", odd)


def test_a_location_is_read_in_words() -> None:
    spot = {"latitude": 52.52, "longitude": 13.405, "name": "Alex", "address": "Platz\n1"}
    found = read({"type": "location", "location": spot})
    assert found is not None
    assert found.text == "[location 52.52000, 13.40500: Alex, Platz 1]"
