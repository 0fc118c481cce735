from __future__ import annotations

from bench.comparison import Line, asked_of_peer, compare
from bench.figure import POSTGRES, SQLITE, Figure
from bench.plan import FULL, MEDIUM, QUICK, SMALL, Size
from bench.timing import Timing

PEER = {
    "sizes": {"sessions": MEDIUM.sessions},
    "milliseconds": {"append_filled": {"median": 3.0, "min": 2.0}},
    "bytes": {"database": 700, "text": 100},
    "writers": {"kept": 100, "seconds": 10.0, "wait": {"max": 2000.0}},
}


def test_only_what_was_measured_at_the_same_size_on_the_same_kind_of_store_is_compared() -> None:
    figures = [
        Figure("append", SQLITE, SMALL, Timing.of([9.0])),
        Figure("append", SQLITE, MEDIUM, Timing.of([0.5])),
        Figure("append", POSTGRES, MEDIUM, Timing.of([9.0])),
        Figure("size", SQLITE, MEDIUM, facts={"times_text": 2.0}),
        Figure("writers", SQLITE, None, Timing.of([1.0]), facts={"longest_ms": 100.0, "per_second": 50.0}),
    ]
    assert compare(figures, PEER) == [
        Line("append", "ms", 0.5, 3.0, 6.0, 4.0),
        Line("size", "× text", 2.0, 7.0, 3.5),
        Line("writers, longest wait", "ms", 100.0, 2000.0, 20.0),
        Line("writers, together", "appends/s", 50.0, 10.0, 5.0),
    ]


def test_a_turn_is_compared_with_the_shortest_history() -> None:
    figures = [Figure("turn", SQLITE, Size(1, entries, entries), Timing.of([5.0 * entries])) for entries in (10, 100)]
    peer = {**PEER, "milliseconds": {"turn": {"median": 100.0, "min": 75.0}}}
    assert compare(figures, peer) == [Line("turn", "ms", 50.0, 100.0, 2.0, 1.5)]


def test_the_peer_is_asked_for_the_sizes_of_the_plan() -> None:
    for plan, size in ((FULL, MEDIUM), (QUICK, SMALL)):
        smaller, compared = asked_of_peer(plan)
        asked = (compared["sessions"], compared["messages"], compared["long_session"], compared["writer_appends"])
        assert asked == (size.sessions, size.entries, size.long, plan.writer_appends)
        assert size in plan.sizes
        assert smaller["messages"] * 10 == compared["messages"]
