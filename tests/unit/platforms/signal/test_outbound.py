"""What is sent to the daemon, and its stream of events cut into events."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.platforms.signal.inbound import EventStream
from baton.adapters.platforms.signal.outbound import Revisions, render, render_message
from baton.ports.platform import Outgoing, Upload

STREAM = b':\nevent:receive\ndata:{"a":1}\n\n:\r\n\nid: 7\r\ndata: two\r\ndata:lines\r\n\r\n\n\ndata:cut'


@given(st.lists(st.integers(0, len(STREAM)), max_size=6))
def test_events_are_the_same_wherever_the_bytes_are_cut(cuts: list[int]) -> None:
    events, found = EventStream(), list[bytes]()
    edges = [0, *sorted(cuts), len(STREAM)]
    for start, end in pairwise(edges):
        found += events.feed(STREAM[start:end])
    assert found == [b'{"a":1}', b"two\nlines"]


def test_an_event_without_end_is_passed_over_and_the_next_is_not() -> None:
    events = EventStream()
    for _ in range(5):
        assert events.feed(b"data:" + b"x" * 1_000_000) == []
    assert events.feed(b"\n\ndata:next\n\n") == [b"next"]
    assert events.feed((b"data:" + b"x" * 1_000_000 + b"\n") * 5 + b"\n") == []
    assert events.feed(b"data:next\n\n") == [b"next"]


def test_styles_count_in_utf16() -> None:
    assert render("😀 **b** `c` ~~s~~ *i*") == (
        "😀 b c s i",
        ["3:1:BOLD", "5:1:MONOSPACE", "7:1:STRIKETHROUGH", "9:1:ITALIC"],
    )
    assert render("[a](https://x.org) https://x.org") == ("a (https://x.org) https://x.org", [])


def test_a_file_is_a_data_uri_whose_name_breaks_nothing() -> None:
    said = render_message(Outgoing("", file=Upload("a;base64,\n%+ü", "text/plain; charset=utf-8", b"x")))
    assert said == {
        "message": "",
        "attachments": ["data:text/plain;filename=a%3Bbase64%2C%0A%25%2B%C3%BC;base64,eA=="],
    }


def test_revisions_lead_to_the_newest_and_back() -> None:
    revisions = Revisions()
    assert revisions.newest("1") == "1"
    revisions.add("1", "2")
    revisions.add("1", "3")
    assert (revisions.newest("1"), revisions.receipt("2"), revisions.receipt("3")) == ("3", "1", "1")
    for number in range(1000):
        revisions.add(f"m{number}", f"n{number}")
    assert (revisions.newest("1"), revisions.newest("m999")) == ("1", "n999")
