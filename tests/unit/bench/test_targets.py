from __future__ import annotations

import pytest
from bench import run
from bench.__main__ import main
from bench.figure import POSTGRES, PROCESS, SQLITE, Figure
from bench.plan import LARGE, MEDIUM, SMALL, TINY, Size
from bench.targets import TARGETS, Verdict, judge
from bench.timing import Timing


def flat(milliseconds: float) -> Timing:
    return Timing.of([milliseconds])


def timed(name: str, size: Size, baton: float, floor: float = 1.0, store: str = SQLITE, **facts: float) -> Figure:
    return Figure(name, store, size, flat(baton), flat(floor), facts=facts)


def verdict(name: str, *figures: Figure) -> Verdict:
    return next(each for each in judge(figures) if each.name == name)


def test_what_was_not_measured_is_neither_met_nor_missed() -> None:
    assert {each.met for each in judge([])} == {None}
    assert len(judge([])) == len(TARGETS)


@pytest.mark.parametrize(("baton", "met"), [(1.5, True), (1.51, False)])
def test_a_limit_itself_is_still_allowed(baton: float, met: bool) -> None:
    assert verdict("append", timed("append", SMALL, baton)).met is met


def test_append_is_judged_at_the_size_where_it_is_worst() -> None:
    found = verdict("append", timed("append", TINY, 1.2), timed("append", SMALL, 1.7), timed("append", MEDIUM, 1.3))
    assert (found.found, found.where, found.met) == (1.7, "1k/10k", False)


def test_append_on_postgres_has_no_limit() -> None:
    assert verdict("append", timed("append", SMALL, 9, store=POSTGRES)).met is None


def test_load_is_judged_by_the_longest_session_only() -> None:
    short, long = timed("load", SMALL, 4, loaded=1_000), timed("load", MEDIUM, 2, loaded=10_000)
    assert verdict("load", short, long).found == 2


def test_start_up_is_judged_by_the_fastest_runs() -> None:
    baton, floor = Timing.of([40.0, 90.0, 95.0]), Timing.of([20.0, 20.0, 20.0])
    assert verdict("start_version", Figure("start_version", PROCESS, SMALL, baton, floor)).found == 2.0


def test_growth_is_measured_between_the_sizes_of_the_target() -> None:
    figures = [timed("list", size, ms) for size, ms in ((TINY, 0.1), (SMALL, 1), (MEDIUM, 2), (LARGE, 4))]
    near, far = verdict("list_growth", *figures), verdict("list_growth_far", *figures)
    assert (near.found, near.where, near.met) == (2, "1k → 10k sessions", True)
    assert (far.found, far.where, far.met) == (4, "1k → 100k sessions", False)


def test_growth_of_a_quick_run_is_measured_between_its_ends() -> None:
    found = verdict("search_growth", timed("search_common", TINY, 1), timed("search_common", SMALL, 2))
    assert (found.found, found.where) == (2, "1k → 10k entries")


def test_a_search_that_shows_fewer_hits_is_no_base_for_growth() -> None:
    few, many = timed("search_rare", TINY, 1, hits=4), timed("search_rare", SMALL, 5, hits=20)
    assert verdict("search_growth_rare", few, many).met is None


def test_one_lost_or_failed_append_misses_the_target() -> None:
    facts = {"tried": 100, "kept": 99, "failed": 0, "longest_ms": 1.0}
    assert verdict("writers_lost_sqlite", Figure("writers", SQLITE, facts=facts)).met is False
    kept = {**facts, "kept": 100}
    assert verdict("writers_lost_sqlite", Figure("writers", SQLITE, facts=kept)).met is True


def test_size_is_judged_at_a_hundred_thousand_entries() -> None:
    figures = [Figure("size", SQLITE, size, facts={"times_text": x}) for size, x in ((MEDIUM, 2.0), (LARGE, 9.0))]
    assert verdict("size", *figures).found == 2.0


def test_a_turn_is_judged_where_it_is_slowest() -> None:
    figures = [timed("turn", Size(1, entries, entries), ms) for entries, ms in ((10, 4), (1_000, 31), (10_000, 5))]
    found = verdict("turn", *figures)
    assert (found.found, found.where, found.met) == (31, "1/1k, by medians 31", False)


def test_the_first_frame_is_judged_by_the_median_and_keys_by_the_slowest_percent() -> None:
    frames = Figure("first_frame", PROCESS, baton=Timing.of([300.0, 400.0, 900.0]))
    keys = Figure(
        "typing", PROCESS, baton=Timing.of([5.0] * 98 + [101.0, 300.0]), floor=flat(3), facts={"stream_cpu": 5900.0}
    )
    assert (verdict("first_frame", frames).found, verdict("first_frame", frames).met) == (400, True)
    assert (verdict("typing", keys).found, verdict("typing", keys).met) == (101, False)
    assert (verdict("streaming", keys).found, verdict("streaming", keys).met) == (5900, True)


@pytest.mark.parametrize(("ratio", "code"), [(1.4, 0), (1.6, 1)])
def test_check_fails_exactly_when_a_target_is_missed(
    ratio: float, code: int, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "measure", lambda *_: [timed("append", SMALL, ratio)])
    arguments = ["--quick", "--postgres", "none", "--json", str(tmp_path / "out.json")]
    assert main([*arguments, "--check"]) == code
    assert main(arguments) == 0
