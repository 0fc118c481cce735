"""Places that go without a look: what is asked for no more, and what still is."""

from __future__ import annotations

import pytest

from baton.adapters.redaction.unread import UnreadPlaces

LINES = b"first=1 second=2\n\nthird=3\nfourth=4\n"


def hits(*words: bytes) -> list[tuple[int, int]]:
    return [(0, LINES.index(word)) for word in words]


@pytest.mark.parametrize(
    ("below", "left"),
    [(0, (b"third", b"fourth")), (1, (b"second", b"third", b"fourth"))],
)
def test_a_line_that_goes_is_asked_for_no_more(below: int, left: tuple[bytes, ...]) -> None:
    """With a line below that does not go, a value may stand there."""
    places = UnreadPlaces(LINES)
    places.add(LINES.index(b"=1") + 1, LINES.index(b"\n"))
    assert places.without_covered(hits(b"second", b"third", b"fourth"), below) == hits(*left)


def test_both_lines_go_where_a_value_may_stand_below() -> None:
    places = UnreadPlaces(LINES)
    for word in (b"third", b"fourth"):
        at = LINES.index(word)
        places.add(at + len(word), LINES.index(b"\n", at))
    assert places.without_covered(hits(b"second", b"third", b"fourth"), 1) == hits(b"second", b"fourth")
    assert [LINES[span.start : span.end] for span in places.values()] == [b"3", b"4"]


def test_nothing_is_left_out_of_a_text_that_was_read() -> None:
    given = hits(b"first", b"third")
    assert UnreadPlaces(LINES).without_covered(given, 1) is given
