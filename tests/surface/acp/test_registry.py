"""The manifest for the ACP registry, by the rules its checks apply: schema, version, icon, a way to log in."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft7Validator

from baton import __version__
from baton.surfaces.acp.agent import announcement

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "docs" / "acp-registry"
MANIFEST = json.loads((FOLDER / "agent.json").read_text())

TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
ARGUMENTS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
VARIABLES: dict[str, Any] = {"type": "object", "additionalProperties": {"type": "string"}}
PACKAGE = {
    "type": "object",
    "required": ["package"],
    "properties": {"package": TEXT, "args": ARGUMENTS, "env": VARIABLES},
    "additionalProperties": False,
}
"""For npx and uvx: the registry runs the command that has the package's name."""

RULES = {
    "type": "object",
    "required": ["id", "name", "version", "description", "distribution"],
    "properties": {
        "id": {"type": "string", "pattern": "^[a-z][a-z0-9-]*$"},
        "name": TEXT,
        "version": {"type": "string", "pattern": r"^[0-9]+\.[0-9]+\.[0-9]+$"},
        "description": TEXT,
        "repository": {"type": "string", "pattern": "^https://"},
        "website": {"type": "string", "pattern": "^https://"},
        "authors": {"type": "array", "items": {"type": "string"}},
        "license": {"type": "string"},
        "distribution": {
            "type": "object",
            "minProperties": 1,
            "properties": {"npx": PACKAGE, "uvx": PACKAGE},
            "additionalProperties": False,
        },
    },
    "additionalProperties": False,
}


def faults(manifest: Any) -> list[str]:
    return [error.message for error in Draft7Validator(RULES).iter_errors(manifest)]


def test_the_manifest_keeps_the_rules() -> None:
    assert faults(MANIFEST) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "Baton"},
        {"version": "1"},
        {"distribution": {}},
        {"distribution": {"pipx": {"package": "baton-agent"}}},
        {"distribution": {"uvx": {"package": "baton-agent", "cmd": "baton"}}},
        {"distribution": {"uvx": {"args": ["acp"]}}},
    ],
)
def test_the_rules_find_what_is_wrong(wrong: dict[str, Any]) -> None:
    assert faults({**MANIFEST, **wrong})


def test_it_starts_this_version_by_a_command_that_the_package_has() -> None:
    uvx = MANIFEST["distribution"]["uvx"]
    package, _, version = uvx["package"].partition("==")
    assert (MANIFEST["version"], version, uvx["args"]) == (__version__, __version__, ["acp"])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (project["name"], project["scripts"][package]) == (package, project["scripts"]["baton"])
    assert MANIFEST["license"] == project["license"]


def test_the_icon_is_sixteen_by_sixteen_in_the_colour_of_the_theme() -> None:
    written = (FOLDER / "icon.svg").read_text()
    assert "<!--" not in written
    root = ElementTree.fromstring(written)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("16", "16", "0 0 16 16")
    colours = {each.get(name) for each in root.iter() for name in ("fill", "stroke")} - {None}
    assert colours == {"currentColor", "none"}
    assert not re.search(r"style|class|#", written)


def test_there_is_a_way_to_log_in_that_the_registry_knows() -> None:
    for terminal in (False, True):
        methods = announcement(unstable=False, terminal_login=terminal)["authMethods"]
        assert {each.get("type", "agent") for each in methods} & {"agent", "terminal"}
