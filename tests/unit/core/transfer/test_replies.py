"""What was said to a place, read off the transcript."""

from __future__ import annotations

from typing import Any

from baton.core.log.entry import Entry, encode_body, entry
from baton.core.transfer.replies import replies

PLACE = {"place": "telegram:7", "turn": "u_1"}


def entries(*given: tuple[str, dict[str, Any]]) -> list[Entry]:
    return [entry("s", seq, kind, seq, 0, encode_body(data)) for seq, (kind, data) in enumerate(given, 1)]


def told(*given: tuple[str, dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(each.place, each.key, each.text) for each in replies(entries(*given))]


def test_replies_of_turns_from_a_place_have_keys_of_turn_and_step() -> None:
    assert told(
        ("user", {"text": "hi", **PLACE}),
        ("assistant", {"text": " one ", "step": 1, **PLACE}),
        ("assistant", {"text": "", "step": 2, **PLACE}),
        ("assistant", {"text": "three", "step": 3, **PLACE}),
        ("note", {"end": "completed", "error": "", **PLACE}),
        ("assistant", {"text": "said in the terminal"}),
    ) == [("telegram:7", "u_1/1", "one"), ("telegram:7", "u_1/3", "three")]


def test_a_copy_gives_the_same_reply_again() -> None:
    original = ("assistant", {"text": "one", "step": 1, **PLACE})
    copy = ("assistant", {"text": "one", "step": 1, **PLACE, "copied": 2})
    first, second = told(original, copy)
    assert first == second


def test_ends_that_a_person_must_know_of_are_told() -> None:
    ends = [
        ("cancelled", "", "◆ Stopped."),
        ("failed", "no key", "⚠ no key"),
        ("limit", "too many", "⚠ too many"),
        ("failed", "", "⚠ failed"),
    ]
    for end, error, text in ends:
        assert told(("note", {"end": end, "error": error, **PLACE})) == [("telegram:7", "u_1/end", text)]
    for end in ("completed", "waiting", "handed_over", "suspended", "interrupted"):
        assert told(("note", {"end": end, "error": "", **PLACE})) == []


def test_text_that_only_looks_like_a_place_is_no_reply() -> None:
    assert told(("assistant", {"text": 'the word "place"'}), ("note", {"text": '"place"'})) == []
