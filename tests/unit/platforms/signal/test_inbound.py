"""What comes from the daemon, as Baton knows it."""

from __future__ import annotations

from typing import Any

import pytest

from baton.adapters.platforms.signal.inbound import translate
from baton.core.transfer.place import Place
from baton.ports.platform import File, Inbound

ANN = "11111111-aaaa-4aaa-8aaa-111111111111"
BOB = "22222222-bbbb-4bbb-8bbb-222222222222"
OURS = "+15550000000"
GROUP = "Pmpi+EfPWmsxiomLe9Nx2XF9HOE483p6iKiFj65iMwI="


def event(data: object = None, **envelope: object) -> dict[str, Any]:
    whole = {"sourceUuid": ANN, "sourceName": "Ann", "timestamp": 1700000000001, "dataMessage": data, **envelope}
    return {"envelope": whole, "account": OURS}


def words(text: str, **more: object) -> dict[str, Any]:
    return {"timestamp": 1700000000001, "message": text, **more}


def test_a_direct_message() -> None:
    assert translate(event(words(" hello ")), OURS) == Inbound(
        id=f"{ANN}/1700000000001",
        place=Place("signal", ANN),
        sender=f"signal:{ANN}",
        text="hello",
        direct=True,
        name="Ann",
    )


def test_a_message_wrapped_in_a_subscription_is_the_same() -> None:
    plain = event(words("hello"))
    assert translate({"subscription": 0, "result": plain}, OURS) == translate(plain, OURS)


def test_a_group_message_is_of_the_group_and_still_of_its_sender() -> None:
    found = translate(event(words("hello", groupInfo={"groupId": GROUP, "type": "DELIVER"})), OURS)
    assert found is not None
    assert (found.place, found.sender, found.direct) == (Place("signal", f"group.{GROUP}"), f"signal:{ANN}", False)


def test_files_are_named_by_where_they_came_from() -> None:
    attachments = [
        {"id": "a1.png", "filename": "x\n.png", "contentType": "image/png", "size": 3},
        {"id": "../etc/passwd", "filename": "x"},
        {"id": "a..b"},
        {"id": ".hidden"},
        {"id": "b2", "filename": None, "contentType": None, "size": None},
    ]
    found = translate(event(words(None, attachments=attachments)), OURS)  # type: ignore[arg-type]
    assert found is not None
    assert found.files == (File(f"{ANN} a1.png", "x .png", "image/png", 3), File(f"{ANN} b2", "b2", "", 0))


@pytest.mark.parametrize(
    ("quote", "quotes"),
    [
        ({"id": 1700000000000, "authorNumber": OURS, "text": "/approve"}, "1700000000000"),
        ({"id": 1700000000000, "authorUuid": BOB, "text": "/approve"}, "1700000000000"),
        ({"id": 1700000000000, "authorUuid": ANN, "text": "/approve"}, ""),
        ({"id": -1, "authorNumber": OURS}, ""),
        ({"authorNumber": OURS}, ""),
        ([], ""),
    ],
)
def test_a_quote_names_our_message_and_is_no_part_of_the_words(quote: object, quotes: str) -> None:
    found = translate(event(words("yes", quote=quote)), OURS)
    assert found is not None
    assert (found.text, found.quotes) == ("yes", quotes)


def test_in_a_group_only_our_own_number_makes_a_quote_ours() -> None:
    data = words("yes", groupInfo={"groupId": GROUP}, quote={"id": 5, "authorUuid": BOB})
    found = translate(event(data), OURS)
    assert found is not None
    assert found.quotes == ""


def test_people_are_named_where_the_app_has_placeholders() -> None:
    mentions = [
        {"start": 0, "length": 1, "number": OURS, "name": "Baton"},
        {"start": 5, "length": 1, "uuid": BOB, "name": "Bob\u202e"},
        {"start": 99, "length": 1, "name": "nobody"},
        {"start": "x", "length": None},
    ]
    found = translate(event(words("\ufffc 😀 \ufffc /x", mentions=mentions)), OURS)
    assert found is not None
    assert found.text == "😀 @Bob /x"


@pytest.mark.parametrize(
    "given",
    [
        event(),
        event(words("")),
        event(words("  ")),
        event(words("x", reaction={"emoji": "👍"})),
        event(words("x", remoteDelete={"timestamp": 1})),
        event(words("x", storyContext={"sentTimestamp": 1})),
        event(words("x"), sourceUuid=None),
        event(words("x"), sourceUuid="+15550100"),
        event(words("x"), sourceUuid="PNI:11111111-aaaa-4aaa-8aaa-111111111111"),
        event(words("x"), sourceNumber=OURS),
        event(words("x", timestamp=0), timestamp=None),
        event(words("x", groupInfo={"groupId": "not a group!"})),
        event(words("x", groupInfo={"groupId": None, "x": 1})),
        {**event(words("x")), "account": "+15551111111"},
        event(None, syncMessage={"sentMessage": {"message": "from our own telephone", "timestamp": 1}}),
        event(None, editMessage={"dataMessage": words("edited")}),
        event(None, editMessage={"targetSentTimestamp": 1, "dataMessage": words("")}),
        event(None, typingMessage={"action": "STARTED"}),
        event(None, receiptMessage={"isRead": True}),
        event(None, callMessage={}),
        event(["list"]),
        {"envelope": 3},
        {"exception": {"message": "x", "type": "UntrustedIdentityException"}},
        {},
    ],
)
def test_what_is_no_message_of_a_person_is_none(given: dict[str, Any]) -> None:
    assert translate(given, OURS) is None


def test_an_edit_names_the_message_it_corrects() -> None:
    found = translate(event(None, editMessage={"targetSentTimestamp": 7, "dataMessage": words("edited")}), OURS)
    assert found is not None
    assert (found.id, found.corrects, found.text) == (f"{ANN}/1700000000001", f"{ANN}/7", "edited")


@pytest.mark.parametrize(
    ("more", "odd"),
    [({"sticker": {"packId": "p"}}, "sticker"), ({"contacts": [{}]}, "contact"), ({"payment": {"x": 1}}, "other")],
)
def test_what_has_no_words_is_told_as_such(more: dict[str, Any], odd: str) -> None:
    found = translate(event(words("", **more)), OURS)
    assert found is not None
    assert (found.text, found.odd) == ("", odd)
    said = translate(event(words("look", **more)), OURS)
    assert said is not None
    assert said.odd == ""
