"""What an event of a timeline says: a table of real ones, and whatever a hostile person can make of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.platforms.matrix.inbound import translate
from baton.adapters.platforms.matrix.place import place
from baton.core.value import replace
from baton.ports.platform import File, Inbound

ROOM, US, THEM = "!room:server", "@baton:server", "@ann:server"
PICTURE = {"msgtype": "m.image", "url": "mxc://server/abc", "info": {"mimetype": "image/png", "size": 3}}
SEALED = {
    "url": "mxc://server/abc",
    "key": {"k": "key"},
    "iv": "iv",
    "hashes": {"sha256": "sum"},
}
THREAD = {"rel_type": "m.thread", "event_id": "$root"}


def event(content: object, **more: object) -> dict[str, Any]:
    said = {"type": "m.room.message", "event_id": "$1", "sender": THEM, "origin_server_ts": 1, "content": content}
    return {**said, **more}


def read(given: dict[str, Any]) -> Inbound | None:
    return translate(given, ROOM, US, direct=True, name="Ann")


def speech(body: str, **more: object) -> dict[str, Any]:
    return event({"msgtype": "m.text", "body": body, **more})


def heard(text: str, *, thread: str = "", quotes: str = "", files: tuple[File, ...] = ()) -> Inbound:
    return Inbound("$1", place(ROOM, thread), f"matrix:{THEM}", text, True, "Ann", files, quotes=quotes)


REPLACE = {"rel_type": "m.replace", "event_id": "$0"}
ANSWER = {"m.in_reply_to": {"event_id": "$ours"}}
QUOTED = "> <@baton:server> shall I?\n> really?\n\nyes"

MESSAGES: list[tuple[str, dict[str, Any], Inbound]] = [
    ("text", speech("hello"), heard("hello")),
    (
        "a place on the map",
        event({"msgtype": "m.location", "body": "here", "geo_uri": "geo:1.5,-2;u=3"}),
        heard("[location 1.50000, -2.00000: here]"),
    ),
    ("a sticker", event({"body": "smile", "url": "mxc://a/b"}, type="m.sticker"), replace(heard(""), odd="sticker")),
    ("a poll", event({"x": 1}, type="m.poll.start"), replace(heard(""), odd="poll")),
    (
        "an edit",
        speech("* b", **{"m.relates_to": REPLACE, "m.new_content": {"msgtype": "m.text", "body": "b"}}),
        replace(heard("b"), corrects="$0"),
    ),
    ("emote", event({"msgtype": "m.emote", "body": "waves"}), heard("waves")),
    ("odd characters", speech("a\0b\ud800c"), heard("a\ufffdb\ufffdc")),
    ("in a thread", speech("hi", **{"m.relates_to": THREAD}), heard("hi", thread="$root")),
    (
        "in a thread, with the false answer for old clients",
        speech("hi", **{"m.relates_to": {**THREAD, "is_falling_back": True, **ANSWER}}),
        heard("hi", thread="$root"),
    ),
    (
        "an answer in a thread",
        speech("hi", **{"m.relates_to": {**THREAD, "is_falling_back": False, **ANSWER}}),
        heard("hi", thread="$root", quotes="$ours"),
    ),
    ("an answer", speech("yes", **{"m.relates_to": ANSWER}), heard("yes", quotes="$ours")),
    ("an answer with the quotation of old", speech(QUOTED, **{"m.relates_to": ANSWER}), heard("yes", quotes="$ours")),
    ("a quotation that is no answer stays", speech(QUOTED), heard(QUOTED)),
    ("a line of their own stays", speech("> x\n\ny", **{"m.relates_to": ANSWER}), heard("> x\n\ny", quotes="$ours")),
    (
        "a picture",
        event({**PICTURE, "body": "a.png"}),
        heard("", files=(File("mxc://server/abc", "a.png", "image/png", 3),)),
    ),
    (
        "a picture with a caption",
        event({**PICTURE, "body": "look", "filename": "a.png"}),
        heard("look", files=(File("mxc://server/abc", "a.png", "image/png", 3),)),
    ),
    (
        "a picture whose caption is its name",
        event({**PICTURE, "body": "a.png", "filename": "a.png"}),
        heard("", files=(File("mxc://server/abc", "a.png", "image/png", 3),)),
    ),
    (
        "an encrypted file",
        event({"msgtype": "m.file", "body": "b", "file": SEALED}),
        heard("", files=(File('{"url": "mxc://server/abc", "k": "key", "iv": "iv", "sha256": "sum"}', "b", "", 0),)),
    ),
    (
        "a name that is a path",
        event({**PICTURE, "body": "../../etc/passwd"}),
        heard("", files=(File("mxc://server/abc", "passwd", "image/png", 3),)),
    ),
    (
        "a name that says nothing, a size that is none",
        event({"msgtype": "m.file", "url": "mxc://server/abc", "body": "\x1b[2J", "info": {"size": -1}}),
        heard("", files=(File("mxc://server/abc", "file", "", 0),)),
    ),
]

NOTHING: list[tuple[str, dict[str, Any]]] = [
    ("our own", speech("hello") | {"sender": US}),
    ("a notice, which bots send", event({"msgtype": "m.notice", "body": "beep"})),
    ("an edit without words", speech("* b", **{"m.relates_to": {"rel_type": "m.replace", "event_id": "$0"}})),
    ("forwarded", speech("rm -rf", **{"org.matrix.msc2723.forwarded": {"event_id": "$0"}})),
    ("a reaction", event({"m.relates_to": {"rel_type": "m.annotation"}}, type="m.reaction")),
    ("a state", speech("hello") | {"state_key": ""}),
    ("removed", event({})),
    ("no place on the map", event({"msgtype": "m.location", "body": "here", "geo_uri": "geo:x,1"})),
    ("a place off the map", event({"msgtype": "m.location", "body": "here", "geo_uri": "geo:91,1"})),
    ("encrypted still", event({"ciphertext": "x"}, type="m.room.encrypted")),
    ("no content", event(None)),
    ("content that is a list", event([1])),
    ("a body that is no text", event({"msgtype": "m.text", "body": {"a": 1}})),
    ("a kind that is no text", event({"msgtype": ["m.text"], "body": "x"})),
    ("a sender that is none", speech("x") | {"sender": "ann"}),
    ("a sender with a line break", speech("x") | {"sender": "@a\n:b"}),
    ("no id", speech("x") | {"event_id": None}),
    ("an id too long", speech("x") | {"event_id": "$" + "x" * 300}),
    ("a thread's id too long", speech("x", **{"m.relates_to": {**THREAD, "event_id": "$" + "x" * 600}})),
    ("a file on the web", event({**PICTURE, "url": "https://evil.example/x", "body": "a"})),
    ("a file with a way out", event({**PICTURE, "url": "mxc://server/../../x", "body": "a"})),
    ("an encrypted file without its key", event({"msgtype": "m.file", "body": "b", "file": {"url": "mxc://a/b"}})),
]


@pytest.mark.parametrize(("given", "wanted"), [each[1:] for each in MESSAGES], ids=[each[0] for each in MESSAGES])
def test_a_message_is_what_the_person_said(given: dict[str, Any], wanted: Inbound) -> None:
    assert read(given) == wanted


@pytest.mark.parametrize("given", [each[1] for each in NOTHING], ids=[each[0] for each in NOTHING])
def test_what_is_no_word_of_a_person_to_us_is_nothing(given: dict[str, Any]) -> None:
    assert read(given) is None


_WORDS = st.sampled_from(
    ["m.text", "m.file", "m.thread", "m.replace", "$1", "mxc://a/b", "@a:b", "> <@a:b> c\n\nd", "\0", "", "\ud800"]
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | _WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS | st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_NAMES = ("msgtype", "body", "filename", "url", "file", "info", "m.relates_to", "m.new_content", "format")
_CONTENT = st.fixed_dictionaries({}, optional=dict.fromkeys(_NAMES, _JSON))


@given(
    content=_CONTENT | _JSON,
    relation=st.fixed_dictionaries({}, optional={"rel_type": _JSON, "event_id": _JSON, "m.in_reply_to": _JSON}),
    sender=_JSON,
    identity=_JSON,
)
def test_nothing_a_hostile_event_holds_is_an_error(
    content: object, relation: dict[str, Any], sender: object, identity: object
) -> None:
    for said in (content, {**content, "m.relates_to": relation} if isinstance(content, dict) else content):
        found = read(event(said, sender=sender, event_id=identity))
        assert found is None or (found.sender.startswith("matrix:@") and (found.text or found.files))
