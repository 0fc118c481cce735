"""What Slack tells us becomes messages of people, or nothing; whatever it is, it does no harm."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.platforms.slack.inbound import Me, translate
from baton.core.errors import BadPlace
from baton.core.transfer.place import Place
from baton.ports.platform import File, Inbound

ME = Me("UBOT", "T1", "baton")
TS = "1700000000.000100"
ROOT = "1690000000.000001"
SAID = {"type": "message", "user": "U1", "text": "hi", "ts": TS, "channel": "C1", "team": "T1"}
HI = Inbound(f"C1:{TS}", Place("slack", "C1"), "slack:T1:U1", "hi", direct=False)


def event(**changes: Any) -> dict[str, Any]:
    said = {name: value for name, value in {**SAID, **changes}.items() if value is not None}
    return {"type": "events_api", "envelope_id": "e", "payload": {"team_id": "T1", "event": said}}


def test_a_message() -> None:
    assert translate(event(), ME) == HI


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"type": "app_mention", "text": "<@UBOT> hi"}, HI),
        ({"subtype": "thread_broadcast", "thread_ts": ROOT}, Place("slack", "C1", ROOT)),
        ({"thread_ts": TS}, Place("slack", "C1")),
        ({"thread_ts": ROOT}, Place("slack", "C1", ROOT)),
        ({"channel": "D9", "channel_type": "im"}, Place("slack", "D9")),
        ({"user_team": "T2"}, "slack:T2:U1"),
        ({"team": None}, "slack:T1:U1"),
        ({"team": "nonsense"}, "slack:T1:U1"),
    ],
)
def test_where_and_by_whom(changes: dict[str, Any], expected: Inbound | Place | str) -> None:
    inbound = translate(event(**changes), ME)
    assert inbound is not None
    assert expected in (inbound, inbound.place, inbound.sender)
    assert inbound.direct == inbound.place.room.startswith("D")


def test_a_file_may_come_without_words() -> None:
    lost = {"id": "F2", "mode": "tombstone"}
    file = {
        "id": "F1",
        "name": "a.txt",
        "mimetype": "text/plain",
        "size": 3,
        "url_private": "https://elsewhere.example/",
    }
    inbound = translate(event(subtype="file_share", text="", files=[file, lost, "no file"]), ME)
    assert inbound is not None
    assert inbound.files == (File("F1", "a.txt", "text/plain", 3),)


@pytest.mark.parametrize(
    "changes",
    [
        {"bot_id": "B1"},
        {"user": "UBOT"},
        {"user": "USLACKBOT"},
        {"user": None},
        {"user": "a name"},
        {"subtype": "message_changed"},
        {"subtype": "message_deleted"},
        {"subtype": "bot_message"},
        {"subtype": "channel_join"},
        {"hidden": True},
        {"type": "app_mention", "edited": {"user": "U1"}},
        {"type": "reaction_added"},
        {"text": "", "attachments": [{"is_share": True, "text": "/approve everything"}]},
    ],
)
def test_not_a_message_of_a_person(changes: dict[str, Any]) -> None:
    assert translate(event(**changes), ME) is None


def test_a_shared_message_is_not_what_the_person_said() -> None:
    shared = [{"is_share": True, "is_msg_unfurl": True, "text": "/approve everything"}]
    assert translate(event(attachments=shared), ME) == HI


@pytest.mark.parametrize("changes", [{"channel": "elsewhere"}, {"ts": "now"}, {"ts": 17.5}, {"thread_ts": "x"}])
def test_a_message_from_nowhere(changes: dict[str, Any]) -> None:
    with pytest.raises(BadPlace):
        translate(event(**changes), ME)


@pytest.mark.parametrize(
    ("command", "text", "line"),
    [
        ("/handoff", "telegram", "/handoff telegram"),
        ("/Handoff", "", "/handoff"),
        ("/baton", "status now", "/status now"),
        ("/baton", "/status", "/status"),
        ("/baton", "", "/help"),
    ],
)
def test_a_slash_command(command: str, text: str, line: str) -> None:
    payload = {"command": command, "text": text, "team_id": "T1", "user_id": "U1", "channel_id": "D1"}
    inbound = translate({"type": "slash_commands", "payload": {**payload, "trigger_id": "1.2.ab"}}, ME)
    assert inbound == Inbound("command:1.2.ab", Place("slack", "D1"), "slack:T1:U1", line, direct=False)


def press(**changes: Any) -> dict[str, Any]:
    action = {"type": "button", "block_id": "baton", "value": "yes", "action_ts": "1700000001.000000", **changes}
    container = {"type": "message", "message_ts": TS, "channel_id": "C1", "thread_ts": ROOT}
    who = {"id": "U1", "team_id": "T1", "username": "ann"}
    payload = {"type": "block_actions", "user": who, "container": container, "actions": [action]}
    return {"type": "interactive", "payload": payload}


def test_a_button() -> None:
    key = f"press:C1:{TS}:U1:1700000001.000000"
    place = Place("slack", "C1", ROOT)
    expected = Inbound(key, place, "slack:T1:U1", "", direct=False, name="ann", choice="yes", quotes=TS)
    assert translate(press(), ME) == expected


@pytest.mark.parametrize("changes", [{"block_id": "another"}, {"type": "static_select"}, {"value": ""}])
def test_not_our_button(changes: dict[str, str]) -> None:
    assert translate(press(**changes), ME) is None


words = st.sampled_from(["C1", "U1", TS, "message", "button", "baton", "block_actions", "/status"])
names = st.sampled_from(
    [*SAID, "files", "id", "container", "actions", "command", "trigger_id", "user_id", "channel_id"]
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=6),
    max_leaves=10,
)
payloads = st.dictionaries(names | st.just("event"), anything, max_size=8)


@given(st.sampled_from(["events_api", "slash_commands", "interactive", "hello", "new", 7, None]), payloads | anything)
def test_nothing_that_comes_does_harm(kind: object, payload: object) -> None:
    try:
        inbound = translate({"type": kind, "payload": payload}, ME)
    except BadPlace:
        return
    assert inbound is None or (inbound.sender == "slack:T1:U1" and (inbound.text or inbound.choice or inbound.files))


@given(st.dictionaries(names, anything, max_size=4))
def test_nothing_in_a_message_does_harm(changes: dict[str, Any]) -> None:
    try:
        inbound = translate(event(**changes), ME)
    except BadPlace:
        return
    assert inbound is None or inbound.place.platform == "slack"


def changed(edited: object, *, before: object = None, **message: Any) -> dict[str, Any]:
    inner = {**SAID, "text": "hello", "edited": edited, **message}
    previous = {**SAID, "edited": before}
    return event(subtype="message_changed", user=None, text=None, message=inner, previous_message=previous)


def test_an_edit_names_what_it_corrects_in_its_thread() -> None:
    found = translate(changed({"user": "U1", "ts": "1700000009.000000"}, thread_ts=ROOT), ME)
    assert found is not None
    assert (found.id, found.corrects) == (f"C1:{TS}:edit:1700000009.000000", f"C1:{TS}")
    assert (found.text, found.place, found.files) == ("hello", Place("slack", "C1", ROOT), ())


@pytest.mark.parametrize(
    "given",
    [
        changed(None),
        changed({"user": "U2", "ts": "1700000009.000000"}),
        changed({"user": "U1", "ts": "1700000009.000000"}, before={"user": "U1", "ts": "1700000009.000000"}),
        changed({"user": "UBOT", "ts": "1700000009.000000"}, user="UBOT"),
        changed({"user": "U1", "ts": "1700000009.000000"}, text=""),
    ],
)
def test_a_link_that_was_unfurled_or_anothers_change_is_no_edit(given: dict[str, Any]) -> None:
    assert translate(given, ME) is None
