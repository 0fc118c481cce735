"""What entries say to the policy."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import pytest

from baton.core.handoff import signs
from baton.core.handoff.policy import ALL_REASONS, COMPRESSIONS, MODEL, REASONS, TOKENS
from baton.core.log.entry import Entry, encode_body, entry
from baton.core.log.payloads import (
    AssistantStep,
    Compression,
    CompressionFailed,
    CompressionPutOff,
    CompressionUndone,
    ContextWarned,
    HandoffAsked,
    HandoffDeclined,
    HandoffFailed,
    Note,
    PacketOpening,
    Payload,
    ToolResult,
    TurnEnd,
    UserInput,
    to_json,
)

SAID = AssistantStep("ok", (), "m", "stop")
REQUEST = ToolResult("1", "session_handoff", "session-handoff-requested", True, {"reason": "too long"})
COMPRESSED = Compression("compressed", "", 1.0, 1, "", (), "s", "t", 9)
NOT_COMPRESSED = CompressionFailed("failed", "down", 1.0, "t_1")
PACKET = PacketOpening("text", "p_1", "00", "a.md", "first", ())
ASKED = HandoffAsked("d_1", COMPRESSIONS, "Continue?")
WAITS = TurnEnd("t_1", "waiting", place="telegram:7")


def log(*held: Payload, copied: int = 0) -> list[Entry]:
    """Entries that hold this; the first `copied` are copies."""
    return [
        entry("s", seq, each.kind, 0, 0, encode_body({**to_json(each), **({"copied": 1} if seq <= copied else {})}))
        for seq, each in enumerate(held, 1)
    ]


REFUSED: list[tuple[list[Payload], AbstractSet[str]]] = [
    ([], set()),
    ([HandoffDeclined("d_1", COMPRESSIONS)], {COMPRESSIONS}),
    ([HandoffDeclined("d_1", COMPRESSIONS), SAID, HandoffDeclined("d_2", TOKENS)], {COMPRESSIONS, TOKENS}),
    ([HandoffDeclined("d_1", COMPRESSIONS, (TOKENS,))], {COMPRESSIONS, TOKENS}),
    ([HandoffDeclined("d_1")], {ALL_REASONS}),
    ([HandoffFailed("It broke.")], {ALL_REASONS}),
    ([HandoffDeclined("d_1", COMPRESSIONS), SAID, COMPRESSED], set()),
    ([HandoffDeclined("d_1", COMPRESSIONS), SAID, NOT_COMPRESSED], set()),
    ([HandoffDeclined("d_1", COMPRESSIONS), COMPRESSED], {COMPRESSIONS}),
    ([HandoffDeclined("d_1", MODEL), UserInput("x")], {MODEL}),
    ([HandoffDeclined("d_1", MODEL), UserInput("x"), REQUEST], set()),
    ([HandoffDeclined("d_1"), REQUEST], set(REASONS) - {MODEL}),
    ([REQUEST, HandoffDeclined("d_1", MODEL)], {MODEL}),
    ([Note("odd")], set()),
]


@pytest.mark.parametrize(("held", "refused"), REFUSED)
def test_what_is_refused(held: list[Payload], refused: AbstractSet[str]) -> None:
    assert signs.find_refused(log(*held)) == refused


def test_a_no_that_a_split_copied_was_before_the_compression() -> None:
    assert signs.find_refused(log(COMPRESSED, HandoffDeclined("d_1"), copied=2)) == frozenset()


@pytest.mark.parametrize(
    ("held", "request_"),
    [
        ([UserInput("x"), SAID, REQUEST], "too long"),
        ([REQUEST, UserInput("x")], ""),
        ([UserInput("x"), ToolResult("1", "session_handoff", "no", False, {})], ""),
        ([UserInput("x"), ToolResult("1", "read", "session_handoff", True, {})], ""),
        ([REQUEST, PACKET], ""),
    ],
)
def test_what_the_model_asks_for(held: list[Payload], request_: str) -> None:
    assert signs.find_request(log(*held)) == request_


@pytest.mark.parametrize(
    ("held", "times", "place"),
    [
        ([ASKED, WAITS], 1, "telegram:7"),
        ([ASKED, WAITS, UserInput("x")], 1, "telegram:7"),
        ([ASKED, TurnEnd("t_1", "waiting"), UserInput("x"), ASKED, TurnEnd("t_2", "waiting")], 2, ""),
        ([HandoffAsked("d_0", TOKENS), HandoffDeclined("d_0", TOKENS), COMPRESSED, ASKED, WAITS], 1, "telegram:7"),
        ([ASKED], 1, ""),
    ],
)
def test_a_question_without_an_answer(held: list[Payload], times: int, place: str) -> None:
    assert signs.find_question(log(*held)) == signs.OpenQuestion(ASKED, times, place)


ANSWERED: list[list[Payload]] = [
    [],
    [ASKED, WAITS, HandoffDeclined("d_1")],
    [ASKED, WAITS, UserInput("x"), SAID],
    [ASKED, WAITS, COMPRESSED],
]


@pytest.mark.parametrize("held", ANSWERED)
def test_no_question(held: list[Payload]) -> None:
    assert signs.find_question(log(*held)) is None


def test_which_question_a_draft_was_in() -> None:
    entries = log(HandoffAsked("d_0", TOKENS), ASKED, SAID)
    assert signs.find_asked(entries, "d_0") == HandoffAsked("d_0", TOKENS)
    assert signs.find_asked(entries, "d_2") is None


def test_a_cycle_ends_with_a_compression_in_force() -> None:
    put_off = CompressionPutOff("t_1")
    assert signs.count_put_off(log(put_off, NOT_COMPRESSED, put_off)) == 2
    assert signs.count_put_off(log(put_off, COMPRESSED, put_off)) == 1
    assert signs.is_warned(log(ContextWarned(9), NOT_COMPRESSED))
    assert not signs.is_warned(log(ContextWarned(9), COMPRESSED))
    assert not signs.is_warned(log(ContextWarned(9), copied=1))


def test_whether_a_compression_waits_because_the_last_one_failed_in_an_earlier_turn() -> None:
    undone = CompressionUndone("s", 1, "compressed")
    assert signs.waits_after_failure(log(NOT_COMPRESSED, SAID), "t_2")
    assert not signs.waits_after_failure(log(NOT_COMPRESSED, SAID), "t_1")
    assert not signs.waits_after_failure(log(NOT_COMPRESSED, COMPRESSED), "t_2")
    assert not signs.waits_after_failure(log(NOT_COMPRESSED, undone), "t_2")
    assert not signs.waits_after_failure([], "t_1")


def test_a_session_is_fresh_until_something_is_done_in_it() -> None:
    assert signs.is_fresh(log(PACKET, UserInput("x")))
    assert not signs.is_fresh(log(PACKET, UserInput("x"), SAID))
    assert not signs.is_fresh(log(UserInput("x")))
    assert not signs.is_fresh([])


def test_whose_word_is_next() -> None:
    assert signs.awaits_model(log(SAID, UserInput("x"), WAITS))
    assert signs.awaits_model(log(PACKET))
    assert signs.awaits_model(log(SAID, REQUEST))
    assert not signs.awaits_model(log(UserInput("x"), SAID, WAITS))
    assert not signs.awaits_model([])
