"""`baton pin | pins | unpin`, as scripts call them."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.core.log.entry import NewEntry
from baton.core.log.pins import find_pins
from baton.ports.store import Store
from tests.surface.cli.conftest import Cli

RULE = "Ask me before you push."
TOKEN = "ghp_" + "0123456789abcdefABCDEF0123456789abcd"


@pytest.fixture
def talk(store: Store, isolated: Path) -> str:
    """A conversation of this directory in which something was said."""
    conversation, session = store.conversations.start("Fix the checkout race", str(isolated))
    proof = store.conversations.claim(conversation.id, "test", 60)
    store.entries.append(proof, session.id, [NewEntry("user", {"text": "Fix it. Never touch the migrations."})])
    store.conversations.release(proof)
    return conversation.id


def pins(store: Store, conversation_id: str) -> list[tuple[int, str]]:
    head = store.conversations.get(conversation_id).head_id
    return [(pin.number, pin.text) for pin in find_pins(store.entries.load(head))]


def test_a_rule_is_pinned_listed_and_dropped(cli: Cli, talk: str, store: Store) -> None:
    made = cli("pin", talk, RULE)
    assert (made.code, made.out) == (0, f"Pinned as rule 1, in every request from now on: {RULE}\n")
    again = cli("pin", talk, RULE.lower(), "--json").json
    assert (again["number"], again["known"], pins(store, talk)) == (1, True, [(1, RULE)])
    pinned, found = cli("pins", talk, "--json").json
    assert pinned == {"number": 1, "id": again["id"], "text": RULE, "scope": "pinned"}
    assert (found["number"], found["text"], found["scope"] != "pinned") == (2, "Never touch the migrations.", True)
    assert f"  1  {RULE}" in cli("pins", talk).out
    assert cli("unpin", talk, "1").out == f"Rule 1 is dropped: {RULE}\n"
    assert pins(store, talk) == []
    assert cli("unpin", talk, "1").out == "Rule 1 is dropped: Never touch the migrations.\n"
    listed = cli("pins", talk)
    assert (listed.code, listed.out, listed.err) == (0, "", "No rules yet: `baton pin TEXT` pins one for good.\n")


def test_without_a_name_it_is_the_newest_conversation_of_this_directory(cli: Cli, talk: str, store: Store) -> None:
    assert cli("pin", RULE).code == 0
    assert pins(store, talk) == [(1, RULE)]
    assert cli("unpin", cli("pins", "--json").json[0]["id"]).code == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("pin", ""), "There is nothing to pin."),
        (("pin", "{id}", " "), "There is nothing to pin."),
        (("pin", "{id}"), "is a conversation. Give the rule too"),
        (("pin", "{id}", "x" * 2001), "The rule has 2,001 characters. Allowed: up to 2,000."),
        (("unpin", "{id}", "99"), "There is no rule 99. Allowed: 1."),
        (("pin", "nowhere", RULE), "nowhere"),
        (("pins", "nowhere"), "nowhere"),
    ],
)
def test_bad_input_is_one_sentence_and_changes_nothing(
    cli: Cli, talk: str, store: Store, arguments: tuple[str, ...], says: str
) -> None:
    result = cli(*(each.replace("{id}", talk) for each in arguments))
    assert (result.code, result.out) == (1, "")
    assert says in result.err
    assert pins(store, talk) == []


def test_a_number_that_is_not_there_is_answered_with_those_that_are(cli: Cli, talk: str) -> None:
    cli("pin", talk, RULE)
    result = cli("unpin", talk, "99")
    assert (result.code, result.err) == (1, "baton: There is no rule 99. Allowed: 1, 2.\n")


def test_a_secret_is_taken_out_before_the_rule_is_stored(cli: Cli, talk: str, store: Store) -> None:
    made = cli("pin", talk, f"Use {TOKEN} for nothing.")
    assert "A secret was taken out of it first." in made.out
    assert TOKEN not in made.out
    assert TOKEN not in str(pins(store, talk))


def test_numbers_are_completed(cli: Cli, talk: str, isolated: Path) -> None:
    cli("pin", RULE)
    assert f"1\t{RULE}" in cli("__complete", "unpin", "").out.splitlines()
    assert {"pin", "pins"} <= {line.split("\t")[0] for line in cli("__complete", "pi").out.splitlines()}


def test_a_conversation_at_work_elsewhere_is_left_alone(cli: Cli, talk: str, store: Store) -> None:
    proof = store.conversations.claim(talk, "gateway:1:x", 60)
    result = cli("pin", talk, RULE)
    store.conversations.release(proof)
    assert result.code == 1
    assert "A gateway (process" in result.err
    assert pins(store, talk) == []
