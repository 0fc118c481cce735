"""The model sees the end of a session in full and the older part in brief."""

from __future__ import annotations

import time

import pytest

from baton.core.agent.message import Message
from baton.core.agent.tokens import estimate
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.narration.input import narrative_input, room_for
from baton.core.log.context import to_messages
from tests.unit.core.handoff.ledger.talk import Talk

LONG = "The export misses the rows of the last hour. " * 60


def session(rounds: int) -> Talk:
    talk = Talk().say("FIRST: build the importer.")
    for number in range(rounds):
        talk.say(f"note {number}: {LONG}").run(f"make step-{number}", 0, "line of output\n" * 200)
    talk.say(f"{LONG} LAST: which of the two do you want?")
    return talk.add("assistant", text=f"{LONG} Shall I take option B?", calls=[])


def text_of(talk: Talk, room: int) -> str:
    return narrative_input(to_messages(talk.entries), gather(talk.entries), room)


@pytest.mark.parametrize("rounds", [0, 3, 30, 100])
@pytest.mark.parametrize("room", [4096, 16_000])
def test_the_last_exchange_is_whole_and_the_first_request_is_known(rounds: int, room: int) -> None:
    text = text_of(session(rounds), room)
    assert f"{LONG} LAST: which of the two do you want?" in text
    assert text.endswith(f"{LONG} Shall I take option B?")
    assert "FIRST: build the importer." in text
    assert estimate(text) <= room


def test_what_is_older_is_shorter() -> None:
    text = text_of(session(8), 8000)
    older, _, end = text.partition("=== THE END OF THE SESSION, IN FULL ===")
    assert LONG in end
    assert LONG not in older
    assert "note 0:" in older


def test_older_messages_that_do_not_fit_are_counted() -> None:
    text = narrative_input(to_messages(session(2000).entries), Ledger(), 2000)
    assert "older messages are left out.]" in text


def test_a_last_message_that_is_too_long_keeps_both_ends() -> None:
    talk = Talk().say("BEGIN " + LONG * 60 + " and this is the question?")
    text = text_of(talk, 2000)
    assert "BEGIN" in text
    assert "and this is the question?" in text
    assert estimate(text) <= 2000


def test_where_the_work_stands_comes_first() -> None:
    text = text_of(Talk().say("go").plan(write_it="doing", test_it="pending").run("pytest -q", 1), 4000)
    assert "Plan, in work: write it" in text
    assert "Fails: pytest -q" in text


def test_nothing_said_is_nothing_to_read() -> None:
    nothing: list[Message] = []
    assert narrative_input(nothing, Ledger(), 1000) == ""


@pytest.mark.parametrize(("window", "room"), [(1000, 1000), (8192, 4096), (1_000_000, 60_000)])
def test_the_room_fits_the_window(window: int, room: int) -> None:
    assert room_for(window) == room


def test_ten_thousand_messages_take_less_than_a_second() -> None:
    talk = session(2500)
    messages = to_messages(talk.entries)
    start = time.thread_time()
    narrative_input(messages, Ledger(), 60_000)
    assert time.thread_time() - start < 1
