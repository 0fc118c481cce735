"""A packet after thirty sessions: the newest one is told in full, those before it in a line each."""

from __future__ import annotations

import pytest

from baton.core.handoff.fit import Piece, hurry_newest
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.narration.narrative import Narrative
from baton.core.handoff.packet_text import BUDGET, Scene, render
from baton.core.handoff.score import measure
from tests.unit.core.handoff.ledger.talk import Talk

SESSIONS = 30
END = "and when you are done, tell me which of the two you kept and why you kept it."


def session(number: int) -> Talk:
    talk = Talk(f"20260101_{number:06}_abcdef")
    for part in range(6):
        subject = f"part {part} of stage {number}"
        talk.say(f"Rework {subject} so that it reads its input in blocks of a fixed size {'with care ' * 9}{END}")
        talk.write(f"src/stage_{number}/part_{part}.py")
        talk.run(f"pytest tests/stage_{number}/test_part_{part}.py -q", 0, f"{number + 1} passed in 3.10s")
        talk.run(f"git commit -am 'rework {subject}'", 0, f"[main {number:04x}{part:03x}] rework {subject}")
        talk.add("assistant", text=f"Kept the reader of {subject}.", calls=[])
    return talk


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    known: Ledger | None = None
    for number in range(SESSIONS):
        known = gather(session(number).entries, known)
    assert known is not None
    return known


@pytest.fixture(scope="module")
def text(ledger: Ledger) -> str:
    chain = tuple(f"20260101_{number:06}_abcdef" for number in range(SESSIONS))
    rendered = render(ledger, Scene(workspace="/w", session_id=chain[-1], chain=chain), Narrative(missing="none"))
    assert rendered.tokens <= BUDGET
    assert measure(ledger, rendered.markdown, rendered.tokens, BUDGET).shortfalls() == []
    return " ".join(rendered.markdown.split())


@pytest.mark.parametrize("part", range(6))
def test_each_message_of_the_newest_session_has_its_end_its_pointer_and_its_outcome(text: str, part: int) -> None:
    start = text.index(f"Rework part {part} of stage {SESSIONS - 1} ")
    line = text[start : start + 420]
    assert END in line
    assert f"(g{SESSIONS}#" in line
    if part < 5:  # the last one has its reply below
        assert f"Kept the reader of part {part} of stage {SESSIONS - 1}." in line


@pytest.mark.parametrize("part", range(6))
def test_each_check_and_commit_of_the_newest_session_is_named(text: str, part: int) -> None:
    assert f"test_part_{part}.py -q` → passed: {SESSIONS} passed" in text.replace(f"stage_{SESSIONS - 1}/", "")
    assert f"commit {SESSIONS - 1:04x}{part:03x}" in text


def test_earlier_sessions_are_a_line_each_and_their_products_one_line(text: str) -> None:
    assert f"Rework part 5 of stage {SESSIONS - 3} " in text
    assert f"Kept the reader of part 5 of stage {SESSIONS - 3}." not in text
    assert text.count("- Made in earlier sessions: ") == 1
    assert f"commit {SESSIONS - 2:04x}005" in text


def test_a_rule_is_never_cut_in_the_middle() -> None:
    rule = (
        "Never change what the exporter writes for a customer who has not agreed to the new terms of the contract yet."
    )
    talk = Talk().say(rule)
    for number in range(150):
        talk.say(f"Please improve the module of number {number}: it does too little and takes too long to do it.")
    assert f"- {rule}" in render(gather(talk.entries), Scene(), Narrative(missing="none")).markdown


def test_a_plan_points_to_where_it_was_approved() -> None:
    talk = Talk().say("Build it.").write("a.py").call("ExitPlanMode", {}, approved_plan="# Plan\n1. measure\n2. build")
    scene = Scene(session_id=talk.session_id, chain=(talk.session_id,))
    markdown = render(gather(talk.entries), scene, Narrative(missing="none")).markdown
    assert f"approved this plan (g1#{len(talk.entries)})" in markdown


def test_the_newest_pieces_are_hurried_as_far_as_there_is_room() -> None:
    pieces = [Piece((5, f"short {number}"), (9, f"in more words {number}")) for number in range(4)]
    hurry_newest(pieces, 1, 2 * pieces[0].cost(1), 6)
    assert [piece.forms[1][0] for piece in pieces] == [9, 9, 6, 6]
