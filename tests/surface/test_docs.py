from __future__ import annotations

from pathlib import Path

import pytest

from baton.surfaces.shared.command import Command
from baton.surfaces.shared.commands import COMMANDS
from baton.surfaces.tui.app import ChatApp

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "chat.md").read_text()
KEYS = {"escape": "Esc", "pageup": "PgUp", "pagedown": "PgDn", "ctrl+d": ""}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_is_documented(command: Command) -> None:
    assert f"| `{command.usage}` |" in PAGE


def test_every_key_is_documented() -> None:
    for binding in ChatApp.BINDINGS:
        assert KEYS.get(binding.key, "+".join(part.title() for part in binding.key.split("+"))) in PAGE
