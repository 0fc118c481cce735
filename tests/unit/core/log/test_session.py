from __future__ import annotations

import time

import pytest

from baton.core.errors import BadInput, BadText, SequenceMoved
from baton.core.log.session import (
    CONTINUATIONS,
    EDGES,
    END_REASONS,
    Node,
    Session,
    Vitals,
    begin,
    check_continuation,
    check_count,
    forest,
    lineage,
    read_vitals,
)
from baton.core.value import replace


def chain(length: int, prefix: str = "s") -> list[Session]:
    sessions = [begin(f"{prefix}0", "c", "m", 0)]
    for number in range(1, length):
        parent = sessions[-1]
        sessions.append(begin(f"{prefix}{number}", "c", "m", number, parent=parent, edge="handoff"))
    return sessions


def test_a_root_is_its_own_root() -> None:
    assert begin("s0", "c", "model", 7) == Session(
        "s0", "c", None, None, "s0", "root", "", 0, "model", 7, None, None, 0, 0
    )


def test_a_child_is_one_deeper_below_its_parent() -> None:
    root = begin("s0", "c", "model", 7)
    child = begin("s1", "d", "other", 8, parent=root, parent_seq=3, edge="fork", reason="why")
    assert child == Session("s1", "d", "s0", 3, "s0", "fork", "why", 1, "other", 8, None, None, 0, 0)
    assert child.live
    assert not replace(child, ended_at=9, end_reason="handoff").live


@pytest.mark.parametrize(
    "options", [{"model": "x" * 201}, {"model": "\0"}, {"reason": "x" * 4097}, {"reason": "\ud800"}]
)
def test_texts_that_cannot_be_stored_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(BadText):
        begin(**{"id": "s", "conversation_id": "c", "model": "m", "now": 1, **options})  # type: ignore[arg-type]


def test_a_head_ends_and_goes_on_only_in_the_ways_that_are_named() -> None:
    for edge in (*EDGES, ""):
        for end_reason in (*END_REASONS, "", "tired"):
            if edge in CONTINUATIONS and end_reason in END_REASONS:
                check_continuation(edge, end_reason)
            else:
                with pytest.raises(BadInput, match="cannot end by"):
                    check_continuation(edge, end_reason)


def test_a_writer_that_expects_nothing_is_never_refused() -> None:
    check_count("s", 5, None)
    check_count("s", 5, 5)
    for expected in (4, 6, 0):
        with pytest.raises(SequenceMoved):
            check_count("s", 5, expected)


@pytest.mark.parametrize(
    ("bodies", "vitals"),
    [
        ([], Vitals()),
        ([{}], Vitals(compressions=1)),
        ([{"outcome": "compressed"}, {"outcome": "lossy"}], Vitals(compressions=2, lossy=1)),
        ([{"outcome": "failed", "error": "a"}, {"outcome": "timed_out", "error": "b"}], Vitals(0, 0, 1, 1, "b")),
        ([{"outcome": "failed", "error": "a"}, {"outcome": "compressed"}], Vitals(1, 0, 1, 0, "a")),
        ([{"outcome": "failed", "error": ""}, {"outcome": "failed", "error": None}], Vitals(failed=2)),
        ([{"outcome": 7, "error": 8}], Vitals(last_error="8")),
    ],
)
def test_vitals_count_outcomes_and_keep_the_last_error(bodies: list[dict[str, object]], vitals: Vitals) -> None:
    assert read_vitals(bodies) == vitals


def test_a_lineage_is_read_from_any_order_of_sessions() -> None:
    sessions = chain(6)
    assert lineage("s5", reversed(sessions)) == sessions
    assert lineage("s2", sessions) == sessions[:3]
    assert lineage("s0", sessions) == sessions[:1]


def test_a_lineage_begins_where_the_parents_are_known() -> None:
    sessions = chain(6)
    assert lineage("s5", sessions[3:]) == sessions[3:]
    assert lineage("unknown", sessions) == []


def test_a_lineage_that_is_a_loop_is_empty() -> None:
    root, *rest = chain(5)
    for back_to in ("s0", "s2", "s4"):
        assert lineage("s4", [replace(root, parent_id=back_to), *rest]) == []
    assert lineage("s0", [replace(root, parent_id="s0")]) == []


def test_a_lineage_of_fifty_thousand_is_walked_quickly() -> None:
    sessions = chain(50_000)
    start = time.monotonic()
    assert lineage("s49999", sessions) == sessions
    assert time.monotonic() - start < 5


def test_a_forest_draws_each_root_with_its_children_oldest_first() -> None:
    root = begin("a", "c", "m", 1)
    second = begin("b", "c", "m", 5, parent=root, edge="handoff")
    fork = begin("d", "e", "m", 3, parent=root, edge="fork")
    lonely = begin("z", "f", "m", 0)
    trees = forest([second, fork, root, lonely])
    assert trees == (Node(lonely, ()), Node(root, (Node(fork, ()), Node(second, ()))))


def test_a_session_whose_parent_is_not_there_is_a_top() -> None:
    sessions = chain(4)
    assert [node.session for node in forest(sessions[2:])] == [sessions[2]]


def test_a_chain_of_five_thousand_can_be_drawn() -> None:
    sessions = chain(5000)
    [top] = forest(sessions)
    assert [node.session for node in flat(top)] == sessions


def test_many_forks_of_one_session_stand_beside_each_other() -> None:
    root = begin("r", "c", "m", 0)
    forks = [begin(f"f{number:04}", f"c{number}", "m", 1, parent=root, edge="fork") for number in range(2000)]
    [node] = forest([root, *forks])
    assert [child.session for child in node.children] == forks


def test_a_loop_does_not_stop_the_drawing() -> None:
    root, *rest = chain(4)
    looped = [replace(root, parent_id="s3"), *rest, begin("t", "c", "m", 9)]
    top, other = forest(looped)
    assert [node.session.id for node in flat(top)] == ["s0", "s1", "s2", "s3"]
    assert other == Node(looped[-1], ())
    same_depth = [replace(each, depth=1) for each in looped]
    assert [node.session for node in forest(same_depth)] == same_depth


def flat(node: Node) -> list[Node]:
    drawn, pending = list[Node](), [node]
    while pending:
        drawn.append(pending.pop())
        pending += drawn[-1].children
    return drawn


def test_nothing_makes_no_forest() -> None:
    assert forest([]) == ()
