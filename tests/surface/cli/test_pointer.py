"""`baton sessions show CONVERSATION POINTER`: the entry that a packet names, whole."""

from __future__ import annotations

import pytest

from baton.core.log.entry import NewEntry
from baton.ports.store import Store
from tests.surface.cli.conftest import Cli, Told


def test_an_entry_is_shown_whole_and_safe_for_a_terminal(cli: Cli, told: Told) -> None:
    shown = cli("sessions", "show", told.id, "g1#1")
    assert shown.code == 0
    assert "› You · " in shown.out
    assert "g1#1" in shown.out
    assert "  never touch the migrations red" in shown.out
    assert "\x1b]0" not in shown.out
    assert "dead lock" not in shown.out


def test_neighbours_are_shown_in_order_and_stay_in_the_session(cli: Cli, told: Told) -> None:
    shown = cli("sessions", "show", told.id, "g1#2", "--around", "1", "--json").json
    assert [(each["pointer"], each["kind"]) for each in shown] == [
        ("g1#1", "user"), ("g1#2", "assistant"), ("g1#3", "compression"),
    ]  # fmt: skip
    assert shown[1]["body"]["text"] == "found a dead lock on retry"
    assert shown[0]["session"] == told.sessions[0]
    most = cli("sessions", "show", told.id, "g1#4", "--around", "1000", "--json").json
    assert [each["pointer"] for each in most] == ["g1#1", "g1#2", "g1#3", "g1#4"]


def test_without_a_session_it_is_the_newest(cli: Cli, store: Store, told: Told) -> None:
    mine = store.conversations.claim(told.id, "test", 60)
    head = store.conversations.get(told.id).head_id
    [entry] = store.entries.append(mine, head, [NewEntry("user", {"text": "the very last word"})])
    store.conversations.release(mine)
    assert "the very last word" in cli("sessions", "show", told.id, f"#{entry.seq}").out


@pytest.mark.parametrize(
    ("pointer", "says"),
    [
        ("g9#1", "There is no session g9: this conversation has g1 to g3."),
        ("g1#99", "There is no entry g1#99: session g1 has #1 to #4."),
        ("23", "'23' is no pointer. Allowed: #23 for entry 23 of the newest session, g4#23 for that of the fourth."),
    ],
)
def test_a_pointer_that_leads_nowhere_says_what_there_is(cli: Cli, told: Told, pointer: str, says: str) -> None:
    refused = cli("sessions", "show", told.id, pointer)
    assert (refused.code, refused.out) == (1, "")
    assert says in refused.err


def test_a_wrong_number_of_neighbours_is_refused(cli: Cli, told: Told) -> None:
    assert (
        "--around -1 is not allowed. Allowed: 0 to 1000."
        in cli("sessions", "show", told.id, "#1", "--around", "-1").err
    )
    assert "--around needs a pointer to an entry" in cli("sessions", "show", told.id, "--around", "2").err
