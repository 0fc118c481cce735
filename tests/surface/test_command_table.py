"""The one table of slash commands: what each surface reads off it."""

from __future__ import annotations

import pytest

from baton.core.errors import BadInput
from baton.surfaces.acp.commands import available_commands
from baton.surfaces.gateway.channel_commands import ChannelCommands
from baton.surfaces.shared.command import Channel
from baton.surfaces.shared.commands import COMMANDS, channel_names, find_in_channel, is_repeatable


@pytest.mark.parametrize(
    ("line", "name", "rest"),
    [("/stop", "stop", ""), ("/START@baton_bot", "help", ""), ("/resume@bot  the race ", "resume", "the race")],
)
def test_a_channel_finds_commands_as_people_type_them(line: str, name: str, rest: str) -> None:
    found = find_in_channel(line)
    assert found is not None
    assert (found[0].name, found[1]) == (name, rest)


def test_a_word_that_is_no_command_is_refused_in_a_channel_too() -> None:
    with pytest.raises(BadInput, match="/stop"):
        find_in_channel("/stpo")


def test_only_what_changes_nothing_when_done_twice_is_repeated() -> None:
    assert {name for name in channel_names() if is_repeatable(f"/{name}")} == {
        "help",
        "start",
        "status",
        "stop",
        "sessions",
        "pin",
        "pins",
    }


def test_editors_are_offered_what_they_do_not_do_themselves() -> None:
    offered = {each["name"] for each in available_commands()["availableCommands"]}
    assert offered == {each.name for each in COMMANDS if not each.by_editor}
    assert {each.name for each in COMMANDS} - offered == {"stop", "resume", "new", "sethome", "quit"}


def test_the_gateway_has_every_method_that_the_table_may_name() -> None:
    promised = {name for name in vars(Channel) if not name.startswith("_")}
    assert promised <= set(dir(ChannelCommands))
    assert all(each.in_channels for each in COMMANDS if each.channel or each.aliases or each.repeatable)
