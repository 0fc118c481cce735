"""The gateway's page says only what there is: keys, variables, commands, configurations that load."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from baton.adapters.platforms.registry import NEEDS
from baton.config import load
from baton.config.schema import tree
from baton.surfaces.cli.parser import build
from baton.surfaces.shared.commands import COMMANDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "howto" / "gateway.md").read_text()
UNIT = (ROOT / "docs" / "gateway" / "baton-gateway.service").read_text()
IMAGE = (ROOT / "docs" / "gateway" / "Containerfile").read_text()
KEYS = tree().every_key()
SHELL = "\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL))
COMMAND = re.compile(r"^ *(?:podman exec (?:-it )?baton )?(baton (?!gateway\.)[^#\n]*)", re.MULTILINE)
SAMPLES = {"PLATFORM": "slack", "S": "9", "ID": "t_1", "TITLE": "x", "DRAFT": "d_1"}


def commands() -> list[str]:
    inline = re.findall(r"`(baton [a-z][^`…]*)`", PAGE)
    return sorted({each.strip() for each in [*inline, *COMMAND.findall(SHELL)]})


@pytest.mark.parametrize("command", commands())
def test_every_command_on_the_page_is_understood(command: str) -> None:
    words = [SAMPLES.get(word, word) for word in shlex.split(command.replace("[", "").replace("]", ""))[1:]]
    if words[-1] in ("--mode", "--to"):
        words.append("ask")
    assert build().parse_args(words).handler


@pytest.mark.parametrize("platform", NEEDS)
def test_what_each_platform_needs_is_on_the_page(platform: str) -> None:
    for name in NEEDS[platform]:
        key = KEYS[f"gateway.{platform}.{name}"]
        assert f"`{key.variables[0]}` (`{key.path}`)" in PAGE


def test_every_key_and_variable_on_the_page_is_there() -> None:
    known = {variable for key in KEYS.values() for variable in key.variables} | {"BATON_HOME"}
    for text in (PAGE, UNIT, IMAGE):
        assert set(re.findall(r"BATON_[A-Z_]+", text)) <= known
        named = set(re.findall(r"(?:`|# )((?:gateway|store|agent)\.[a-z][a-z_.]*)[`: ]", text))
        assert {name for name in named if not any(f"{path}.".startswith(f"{name}.") for path in KEYS)} == set()


def test_the_configurations_on_the_page_load(tmp_path: Path) -> None:
    blocks = [block for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if block.startswith("gateway:")]
    assert len(blocks) == 2
    for block in blocks:
        (tmp_path / "config.yaml").write_text(block)
        loaded = load(environ={"BATON_HOME": str(tmp_path)}, cwd=tmp_path, home=tmp_path)
        assert loaded.settings.gateway.targets or loaded.settings.gateway.owners


def test_every_slash_command_on_the_page_works_in_a_channel() -> None:
    ours = {command.name for command in COMMANDS if command.in_channels}
    theirs = {"newbot", "setprivacy", "invite", "baton"}
    named = set(re.findall(r"`[/!]([a-z]+)[ `]", PAGE))
    assert {"handoff", "resume", "sethome", "stop", "new", "mode"} <= named <= ours | theirs


def test_a_stop_gets_longer_than_turns_do() -> None:
    drain = float(str(KEYS["gateway.drain"].default()))
    found = re.search(r"^TimeoutStopSec=(\d+)s$", UNIT, re.MULTILINE)
    assert found is not None
    assert int(found[1]) > drain + 10
