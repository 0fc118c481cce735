"""Pointers are written and followed by the same rules, and say what there is when they lead nowhere."""

from __future__ import annotations

import pytest

from baton.core.errors import BadInput
from baton.core.log.pointer import pointer, reachable, resolve, resolve_entry
from baton.core.log.session import FORK, HANDOFF, Session, begin
from baton.core.value import replace

CHAIN = ["20260101_000000_aaaaaa", "20260101_000000_bbbbbb", "20260101_000000_cccccc"]


def sessions(*entries: int) -> list[Session]:
    made = [begin(CHAIN[0], "c_1", "m", 0)]
    for index in range(1, len(entries)):
        made.append(begin(CHAIN[index], "c_1", "m", 0, parent=made[-1], edge=HANDOFF))
    return [replace(each, entries=count) for each, count in zip(made, entries, strict=True)]


def test_what_is_written_leads_back() -> None:
    for place, session_id in enumerate(CHAIN, 1):
        written = pointer(CHAIN, f"{session_id}/23")
        assert written == f"g{place}#23"
        assert resolve(CHAIN, written) == (session_id, 23)


def test_without_a_session_it_is_the_head() -> None:
    assert resolve(CHAIN, " #7 ") == (CHAIN[-1], 7)


def test_a_session_outside_the_lineage_has_no_pointer() -> None:
    assert pointer(CHAIN, "20260101_000000_dddddd/3") == ""


@pytest.mark.parametrize(
    "text", ["", "23", "g2", "g2#", "#", "#-1", "#1#2", "G2#1", "g2#1x", "#٣", "g٢#1", "#" + "9" * 40]
)
def test_what_is_no_pointer_is_said(text: str) -> None:
    with pytest.raises(BadInput, match="is no pointer"):
        resolve(CHAIN, text)


@pytest.mark.parametrize("text", ["g0#1", "g4#1"])
def test_a_missing_session_names_those_there_are(text: str) -> None:
    with pytest.raises(BadInput, match="this conversation has g1 to g3"):
        resolve(CHAIN, text)


@pytest.mark.parametrize("text", ["g2#0", "g2#213", "g2#999999999"])
def test_a_missing_entry_names_those_there_are(text: str) -> None:
    with pytest.raises(BadInput, match=r"There is no entry g2#\d+: session g2 has #1 to #212"):
        resolve_entry(sessions(5, 212, 1), text)


def test_small_and_empty_sessions_are_named_right() -> None:
    with pytest.raises(BadInput, match="g3 has #1 only"):
        resolve_entry(sessions(5, 212, 1), "#2")
    with pytest.raises(BadInput, match="g1 has no entries"):
        resolve_entry(sessions(0), "#1")


def test_what_the_parent_of_a_fork_did_later_is_out_of_reach() -> None:
    parent, child = sessions(10, 4)
    fork = replace(child, edge=FORK, parent_seq=6)
    assert reachable([parent, fork]) == [6, 4]
    assert resolve_entry([parent, fork], "g1#6") == (parent, 6)
    with pytest.raises(BadInput, match="g1 has #1 to #6"):
        resolve_entry([parent, fork], "g1#7")
