"""Builds the descriptions of tools that models are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from baton.core.agent.message import ToolSpec

PATH_LIMIT = 4096


def spec(name: str, description: str, required: Sequence[str] = (), **properties: Mapping[str, Any]) -> ToolSpec:
    """A tool whose arguments are exactly `properties`."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return ToolSpec(name, description, schema)


def text(description: str, *, least: int = 0, most: int | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "string", "description": description}
    if least:
        found["minLength"] = least
    return found if most is None else {**found, "maxLength": most}


def path(description: str, default: str | None = None) -> dict[str, Any]:
    found = text(description, least=1, most=PATH_LIMIT)
    return found if default is None else {**found, "default": default}


def whole(description: str, least: int, most: int, default: int) -> dict[str, Any]:
    return {"type": "integer", "description": description, "minimum": least, "maximum": most, "default": default}


def flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description, "default": False}
