"""The settings as a JSON Schema, for editors that check and complete YAML."""

from __future__ import annotations

from baton.config.keys import Key, Section
from baton.config.schema import tree

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_PROJECT = " Not allowed in a project file."


def json_schema() -> dict[str, object]:
    """A draft 2020-12 schema that accepts the files the loader accepts.

    Only spelling tells them apart: the loader reads an unquoted number as text where text is expected, and refuses
    `True`, `7.0` and `010`, which YAML parsers disagree on.
    """
    return {"$schema": _DIALECT, "title": "Baton configuration", **_section(tree())}


def _section(section: Section) -> dict[str, object]:
    properties = {
        name: _section(child) if isinstance(child, Section) else _key(child) for name, child in section.children.items()
    }
    about = {"description": section.doc} if section.doc else {}
    return {**about, "type": ["object", "null"], "properties": properties, "additionalProperties": False}


def _key(key: Key) -> dict[str, object]:
    schema = key.kind.schema()
    if key.nullable:
        schema["type"] = [schema["type"], "null"]
    about = key.doc if key.project else key.doc + _PROJECT
    return {"description": about, **schema, "default": key.default()}
