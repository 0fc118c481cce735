"""Which checkpoints of a conversation may go, as a table."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.config.schema import Settings
from baton.core.handoff import packet
from baton.core.handoff.checkpoint import Checkpoint
from baton.core.handoff.retention import DAY, Retention, find_outdated, pointed_to

NOW = 1_800_000_000
SESSION = "20260527_123456_abcdef"


def aged(days: float, number: int, session: str = SESSION) -> Checkpoint:
    return Checkpoint(f"{session}/{number}", f"{number:040x}", "m", session, int(NOW - days * DAY))


def every(*days: float) -> list[Checkpoint]:
    """Checkpoints of these ages, the first being number 1."""
    return [aged(each, number) for number, each in enumerate(days, 1)]


TABLE: list[tuple[str, Retention, list[float], set[str], list[int]]] = [
    ("none", Retention(1, 1), [], set(), []),
    ("only one, very old", Retention(1, 1), [900], set(), []),
    ("as many as are kept", Retention(3, 0), [4, 3, 2], set(), []),
    ("one more", Retention(3, 0), [5, 4, 3, 2], set(), [1]),
    ("many more, newest first", Retention(2, 0), [6, 5, 4, 3, 2], set(), [3, 2, 1]),
    ("keep one", Retention(1, 0), [4, 3, 2], set(), [2, 1]),
    ("too old", Retention(0, 90), [200, 91, 90, 89], set(), [2, 1]),
    ("all too old: the newest stays", Retention(0, 90), [300, 200, 100], set(), [2, 1]),
    ("too many or too old", Retention(3, 90), [100, 50, 40, 30, 2], set(), [2, 1]),
    ("no limit at all", Retention(0, 0), [9000, 900, 90], set(), []),
    ("no limit by number", Retention(0, 90), [80] * 60, set(), []),
    ("no limit by age", Retention(50, 0), [9000, 900], set(), []),
    ("a day's work stays, however much", Retention(1, 1), [0.99, 0.5, 0.1, 0], set(), []),
    ("a day is over", Retention(1, 0), [1.0, 0.9, 0.1], set(), [1]),
    ("the clock was ahead", Retention(1, 1), [5, -3, -2], set(), [1]),
    ("needed by name", Retention(1, 0), [4, 3, 2], {f"{SESSION}/1"}, [2]),
    ("needed by hash", Retention(1, 0), [4, 3, 2], {f"{2:040x}"}, [1]),
    ("needed by somebody else", Retention(1, 0), [4, 3, 2], {"20260527_123456_ffffff/1"}, [2, 1]),
    ("needed ones count among those that are kept", Retention(2, 0), [5, 4, 3], {f"{SESSION}/3"}, [1]),
]


@pytest.mark.parametrize(("about", "retention", "days", "needed", "gone"), TABLE, ids=[row[0] for row in TABLE])
def test_what_may_go(about: str, retention: Retention, days: list[float], needed: set[str], gone: list[int]) -> None:
    assert [each.number for each in find_outdated(every(*days), retention, needed, NOW)] == gone


def test_of_one_second_the_later_session_and_number_is_newer() -> None:
    later = "20260527_123457_000000"
    given = [aged(9, 10), aged(9, 9), aged(9, 2, later), aged(9, 1, later)]
    gone = find_outdated(given, Retention(1, 0), (), NOW)
    assert [each.name for each in gone] == [f"{later}/1", f"{SESSION}/10", f"{SESSION}/9"]


AGES = st.lists(st.floats(-2, 400, allow_nan=False), max_size=12)
LIMITS = st.builds(Retention, st.integers(0, 6), st.integers(0, 120))


@given(AGES, AGES, LIMITS, st.sets(st.integers(1, 12)))
def test_whatever_the_limits_what_must_stay_stays(
    one: list[float], other: list[float], limits: Retention, kept: set[int]
) -> None:
    mine = every(*one)
    gone = find_outdated(mine, limits, {f"{SESSION}/{number}" for number in kept}, NOW)
    assert not {each.number for each in gone} & kept
    assert all(NOW - each.at >= DAY for each in gone)
    assert max(mine, key=lambda each: each.age_order, default=None) not in gone
    assert {*gone} <= {*find_outdated([*mine, *every(*other)], limits, (), NOW)}, "two taken for one give no less"
    again = [each for each in mine if each not in gone]
    assert find_outdated(again, limits, {f"{SESSION}/{number}" for number in kept}, NOW) == []


def test_the_defaults_are_those_of_the_configuration() -> None:
    given = Settings().checkpoint
    assert Retention() == Retention(given.keep, given.keep_days)


@pytest.mark.parametrize(
    ("ledger", "names"),
    [
        ({"checkpoint": aged(1, 7).as_dict()}, {f"{SESSION}/7", f"{7:040x}"}),
        ({"checkpoint": None}, set()),
        ({"checkpoint": {"name": 5, "sha": ""}}, set()),
        ({"checkpoint": [1]}, set()),
        ({}, set()),
    ],
)
def test_what_a_packet_points_to(ledger: dict[str, object], names: set[str]) -> None:
    assert pointed_to(packet.write(SESSION, "# Scope", ledger, 1, NOW)) == names


@pytest.mark.parametrize("ledger", ["[]", "no json", "", json.dumps("checkpoint")])
def test_a_ledger_of_another_form_points_to_nothing(ledger: str) -> None:
    assert pointed_to(packet.Packet("p", SESSION, "", "", ledger, 1, NOW)) == set()
