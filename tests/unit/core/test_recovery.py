"""Input as the transcript has it, and what it must not overtake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from baton.core.log import interrupted
from baton.core.log.entry import Entry, encode_body, entry

HOME = {"place": "telegram:1"}
INPUT = {**HOME, "text": "go", "inbox": "telegram:m1"}
END = ("note", {"turn": "u_a", "end": "completed"})


def transcript(*said: tuple[str, Mapping[str, Any]]) -> list[Entry]:
    return [entry("s", seq, kind, seq, 0, encode_body(dict(data))) for seq, (kind, data) in enumerate(said, 1)]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ((), INPUT),
        ((("user", {**INPUT, "turn": "u_a"}),), None),
        ((("queued", {**INPUT, "turn": "u_q"}),), {**INPUT, "queued": "u_q"}),
        ((("queued", {**INPUT, "turn": "u_q"}), ("user", {**INPUT, "queued": "u_q", "turn": "u_x"})), None),
        ((("queued", {**INPUT, "turn": "u_q"}), ("note", {"queued": "u_q", "taken_back": True})), None),
        ((("queued", {"text": "go", "turn": "u_b"}),), {**INPUT, "queued": "u_b"}),
        ((("queued", {**INPUT, "inbox": "telegram:m2", "turn": "u_q"}),), INPUT),
    ],
    ids=["unknown", "taken up", "waiting", "waited", "taken back", "queued by this turn", "another"],
)
def test_input_is_known_by_its_name_in_the_queue_or_the_inbox(said: Any, kept: Mapping[str, Any] | None) -> None:
    assert interrupted.as_kept(transcript(*said), "u_b", INPUT) == kept


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ((("queued", {**HOME, "turn": "u_a"}), ("queued", {**HOME, "turn": "u_q"})), "u_a"),
        ((("queued", {**HOME, "turn": "u_q"}), ("queued", {**HOME, "turn": "u_a"})), None),
        ((("queued", {**HOME, "turn": "u_q"}), ("queued", {**HOME, "turn": "u_a", "first": True})), "u_a"),
        ((("queued", {"turn": "u_a"}), ("queued", {**HOME, "turn": "u_q"})), None),
    ],
    ids=["an older one", "a younger one", "what goes on with a cut turn", "a terminal's"],
)
def test_queued_input_at_a_place_waits_for_its_turn(said: Any, first: str | None) -> None:
    found = interrupted.before(transcript(*said), {**HOME, "queued": "u_q"})
    assert (found and found["queued"]) == first


@pytest.mark.parametrize("name", ["inbox", "queued"])
def test_what_somebody_sent_does_not_begin_before_a_cut_turn_goes_on(name: str) -> None:
    cut = ("user", {**HOME, "text": "work", "turn": "u_a"})
    assert interrupted.overtakes(transcript(cut), {**HOME, name: "x"})
    assert interrupted.overtakes(transcript(cut, ("note", {"turn": "u_a", "end": "suspended"})), {**HOME, name: "x"})
    assert not interrupted.overtakes(transcript(cut, END), {**HOME, name: "x"})
    assert not interrupted.overtakes(transcript(cut), {name: "x"}), "a terminal asks its person"


def test_a_turn_that_began_twice_is_what_its_last_beginning_came_to() -> None:
    begun = ("user", {**HOME, "text": "greet", "turn": "u_g"})
    cut = transcript(begun, ("note", {"turn": "u_g", "end": "interrupted"}), begun)
    assert interrupted.open_turn(cut) == "u_g"
    assert interrupted.open_turn(transcript(begun, ("note", {"turn": "u_g", "end": "interrupted"}))) == ""
