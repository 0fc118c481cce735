"""Input as the transcript has it, and what it must not overtake. The transcripts are as 0.1 wrote them, too."""

from __future__ import annotations

from typing import Any

import pytest

from baton.core.log import interrupted, waiting
from baton.core.log.entry import Entry, encode_body, entry
from baton.core.log.payloads import (
    COMPLETED,
    SUSPENDED,
    InputWithdrawn,
    Payload,
    QueuedInput,
    TurnEnd,
    TurnInterrupted,
    UserInput,
    to_json,
)
from baton.core.value import replace

INPUT = UserInput("go", place="telegram:1", inbox="telegram:m1")
HOME = UserInput("", place="telegram:1")
END = TurnEnd("u_a", COMPLETED)
Old = tuple[str, dict[str, Any]]


def transcript(*said: Payload | Old) -> list[Entry]:
    rows = [each if isinstance(each, tuple) else (each.kind, to_json(each)) for each in said]
    return [entry("s", seq, kind, seq, 0, encode_body(data)) for seq, (kind, data) in enumerate(rows, 1)]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ((), INPUT),
        ((replace(INPUT, turn="u_a"),), None),
        ((QueuedInput(INPUT, "u_q"),), replace(INPUT, queued="u_q")),
        ((QueuedInput(INPUT, "u_q"), replace(INPUT, queued="u_q", turn="u_x")), None),
        ((QueuedInput(INPUT, "u_q"), InputWithdrawn("u_q")), None),
        ((QueuedInput(INPUT, "u_q"), ("note", {"queued": "u_q", "taken_back": True})), None),
        ((QueuedInput(UserInput("go"), "u_b"),), replace(INPUT, queued="u_b")),
        ((QueuedInput(replace(INPUT, inbox="telegram:m2"), "u_q"),), INPUT),
    ],
    ids=[
        "unknown",
        "taken up",
        "waiting",
        "waited",
        "taken back",
        "taken back by 0.1",
        "queued by this turn",
        "another",
    ],
)
def test_input_is_known_by_its_name_in_the_queue_or_the_inbox(said: Any, kept: UserInput | None) -> None:
    assert waiting.as_stored(transcript(*said), "u_b", INPUT) == kept


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ((QueuedInput(HOME, "u_a"), QueuedInput(HOME, "u_q")), "u_a"),
        ((QueuedInput(HOME, "u_q"), QueuedInput(HOME, "u_a")), None),
        ((QueuedInput(HOME, "u_q"), QueuedInput(HOME, "u_a", first=True)), "u_a"),
        ((QueuedInput(UserInput(""), "u_a"), QueuedInput(HOME, "u_q")), None),
    ],
    ids=["an older one", "a younger one", "what continues an interrupted turn", "a terminal's"],
)
def test_queued_input_at_a_place_waits_for_its_turn(said: Any, first: str | None) -> None:
    found = waiting.find_earlier(transcript(*said), replace(HOME, queued="u_q"))
    assert (found and found.queued) == first


@pytest.mark.parametrize("name", ["inbox", "queued"])
def test_what_somebody_sent_does_not_begin_before_a_cut_turn_goes_on(name: str) -> None:
    cut = replace(HOME, text="work", turn="u_a")
    given = replace(HOME, **{name: "x"})
    assert waiting.overtakes(transcript(cut), given)
    assert waiting.overtakes(transcript(cut, TurnEnd("u_a", SUSPENDED)), given)
    assert waiting.overtakes(transcript(cut, ("note", {"turn": "u_a", "end": "suspended"})), given)
    assert not waiting.overtakes(transcript(cut, END), given)
    assert not waiting.overtakes(transcript(cut, ("note", {"turn": "u_a", "end": "completed"})), given)
    assert not waiting.overtakes(transcript(cut), replace(given, place="")), "a terminal asks its person"


@pytest.mark.parametrize("end", [TurnInterrupted("u_g", ""), ("note", {"turn": "u_g", "end": "interrupted"})])
def test_a_turn_that_began_twice_is_what_its_last_beginning_came_to(end: Any) -> None:
    begun = replace(HOME, text="greet", turn="u_g")
    assert interrupted.open_turn(transcript(begun, end, begun)) == "u_g"
    assert interrupted.open_turn(transcript(begun, end)) == ""


def test_a_message_that_a_turn_began_with_waits_no_more_under_any_name() -> None:
    queued, begun = QueuedInput(INPUT, "u_q"), replace(INPUT, turn="u_x")
    assert waiting.find_waiting(transcript(queued, begun)) == []
    assert waiting.find_waiting(transcript(queued, replace(begun, inbox="telegram:m2"))) != []


def test_a_message_does_not_overtake_what_another_process_queued_for_a_place() -> None:
    queued = QueuedInput(replace(INPUT, inbox="telegram:m0"), "u_q")
    assert waiting.overtakes(transcript(queued), INPUT)
    assert not waiting.overtakes(transcript(queued), replace(INPUT, queued="u_x")), "the queue itself keeps the order"
    assert not waiting.overtakes(transcript(queued, InputWithdrawn("u_q")), INPUT)
    assert not waiting.overtakes(transcript(QueuedInput(UserInput("typed"), "u_t")), INPUT), "a terminal's"
