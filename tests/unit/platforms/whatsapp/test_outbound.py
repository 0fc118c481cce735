"""What Graph is given for a message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.platforms.whatsapp.outbound import is_trusted_host, render_message
from baton.adapters.platforms.whatsapp.place import place, recipient
from baton.core.errors import BadPlace
from baton.ports.platform import Button, Outgoing, Upload
from tests.support.platforms.whatsapp.rules import broken

TO = {"messaging_product": "whatsapp", "recipient_type": "individual", "to": "15550100"}


def test_a_text_is_one_message() -> None:
    assert list(render_message(Outgoing("**b**"), "")) == [
        {"type": "text", "text": {"body": "*b*", "preview_url": False}}
    ]


def test_a_file_has_the_words_as_its_caption_unless_they_are_too_long() -> None:
    upload = Upload("a.txt", "text/plain", b"x")
    bare = {"id": "1", "filename": "a.txt"}
    assert list(render_message(Outgoing("hi", file=upload), "1")) == [
        {"type": "document", "document": {**bare, "caption": "hi"}}
    ]
    assert list(render_message(Outgoing("", file=upload), "1")) == [{"type": "document", "document": bare}]
    first, second = render_message(Outgoing("x" * 1025, file=upload), "1")
    assert (first["type"], second) == ("text", {"type": "document", "document": bare})


@given(st.lists(st.text(max_size=40), min_size=1, max_size=10), st.text("ab 😀*_", min_size=1, max_size=2000))
def test_whatever_the_labels_are_the_titles_fit_and_differ(labels: list[str], words: str) -> None:
    buttons = tuple(Button(label, f"choice:{number}") for number, label in enumerate(labels))
    found = list(render_message(Outgoing(f"x{words}x", buttons), ""))
    assert [flaw for each in found for flaw in broken({**TO, **each})] == []
    shown = str(found[-1])
    assert all(f"'choice:{number}'" in shown for number in range(len(labels)))


def test_people_groups_and_scoped_ids_are_told_apart() -> None:
    assert recipient(place("+15550100")) == {"recipient_type": "individual", "to": "15550100"}
    assert recipient(place("US.ENT.118")) == {"recipient_type": "individual", "recipient": "US.ENT.118"}
    assert recipient(place("group.Y2Fw=")) == {"recipient_type": "group", "to": "Y2Fw="}


@pytest.mark.parametrize(
    "room", ["", "+", "ann", "555", "15550100@s.whatsapp.net", "us.1", "group.", "１５５５０１００"]
)
def test_what_is_no_room_is_refused(room: str) -> None:
    with pytest.raises(BadPlace, match="country code"):
        place(room)


API = "https://graph.facebook.com/v23.0"


@pytest.mark.parametrize(
    ("url", "ours"),
    [
        ("https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1", True),
        ("https://scontent.xx.fbcdn.net/v/1", True),
        ("https://mmg.whatsapp.net/v/1", True),
        ("https://graph.facebook.com/x", True),
        ("https://graph.facebook.com:443/x", True),
        ("http://lookaside.fbsbx.com/x", False),
        ("https://lookaside.fbsbx.com:8443/x", False),
        ("https://lookaside.fbsbx.com.evil.example/x", False),
        ("https://evilfbsbx.com/x", False),
        ("https://evil.example/?fbsbx.com", False),
        ("https://user@lookaside.fbsbx.com/x", False),
        ("https://lookaside.fbsbx.com@evil.example/x", False),
        ("file:///etc/passwd", False),
        ("https://127.0.0.1/x", False),
        ("https://[::1", False),
        ("https://x:99999999/", False),
        ("", False),
    ],
)
def test_the_token_goes_only_to_metas_own_hosts(url: str, ours: bool) -> None:
    assert is_trusted_host(url, API) is ours
