from __future__ import annotations

from bench.timing import Pair, Timing, interleaved, shown


def test_a_timing_ranks_its_samples() -> None:
    assert Timing.of([float(i) for i in range(1, 201)]) == Timing(n=200, median=100.5, min=1.0, p99=198.0, max=200.0)


def test_below_a_hundred_samples_p99_is_the_maximum() -> None:
    assert Timing.of([3.0, 1.0, 2.0]).p99 == 3.0


def test_subject_and_floor_take_turns_and_who_begins_alternates() -> None:
    order: list[str] = []
    pair = interleaved(lambda: order.append("b"), lambda: order.append("f"), times=4, batch=2)
    assert "".join(order) == "bbff" + "ffbb" + "bbff"
    assert (pair.baton.n, pair.floor.n) == (4, 4)


def test_a_ratio_is_taken_round_by_round_so_that_a_slower_hour_does_not_tilt_it() -> None:
    quiet, busy = ([1.5, 1.5], [1.0, 1.0]), ([15.0, 15.0], [10.0, 10.0])
    disturbed = ([90.0, 90.0], [1.0, 1.0])
    assert Pair.of([quiet, busy, disturbed]).ratio == 1.5


def test_times_are_shown_in_the_unit_that_suits() -> None:
    assert [shown(each) for each in (0.0421, 3.14159, 123.4, 2500.0)] == ["42 µs", "3.14 ms", "123 ms", "2.5 s"]
