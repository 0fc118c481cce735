"""The settings as a JSON Schema, for editors that check and complete YAML."""

from __future__ import annotations

from typing import Any

from baton.config.keys import Key, Section, tree_of
from baton.config.render import plain
from baton.config.schema import tree
from baton.config.structures import TableOf

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_PROJECT = " Not allowed in a project file."


def json_schema() -> dict[str, object]:
    """A draft 2020-12 schema that accepts the files the loader accepts.

    Only spelling tells them apart: the loader reads an unquoted number as text where text is expected, and refuses
    `True`, `7.0` and `010`, which YAML parsers disagree on.
    """
    return {"$schema": _DIALECT, "title": "Baton configuration", **_section(tree())}


def _section(section: Section) -> dict[str, Any]:
    properties = {
        name: _section(child) if isinstance(child, Section) else _key(child) for name, child in section.children.items()
    }
    about = {"description": section.doc} if section.doc else {}
    return {**about, "type": ["object", "null"], "properties": properties, "additionalProperties": False}


def _key(key: Key) -> dict[str, object]:
    schema = key.kind.schema(_record) if isinstance(key.kind, TableOf) else key.kind.schema()
    if key.nullable:
        schema["type"] = [schema["type"], "null"]
    about = key.doc if key.project else key.doc + _PROJECT
    return {"description": about, **schema, "default": plain(key.default())}


def _record(settings: type[Any]) -> dict[str, object]:
    """The keys of one record of a table. Those that must be given have no default that could be shown."""
    section = _section(tree_of(settings))
    for schema in section["properties"].values():
        if schema["default"] == "":
            del schema["default"]
    return section
