"""The settings as people, scripts and editors are shown them, secrets masked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from baton.config.keys import Key, Section, tree_of
from baton.config.kinds import TableOf
from baton.config.masking import mask_argument, mask_text, mask_url, printable
from baton.config.schema import tree
from baton.core.value import MISSING, Field, Frozen, fields

if TYPE_CHECKING:
    from baton.config.layers import Loaded
    from baton.config.sources import Source

_LONGEST_START = 60
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NOT_IN_PROJECT = " Ignored in a project file."


class Row(NamedTuple):
    """One line of `baton config show`."""

    key: str
    value: str
    source: str


def rows(loaded: Loaded) -> list[Row]:
    """Every key with its value and where that came from, in the order of the schema, each on one line."""
    return [
        Row(path, as_text(value_of(loaded, key)), printable(str(loaded.sources[path])))
        for path, key in tree().every_key().items()
    ]


def to_dict(loaded: Loaded) -> dict[str, object]:
    """The same for scripts: the home directory, the settings nested as in a file, and the source of each key."""
    return {
        "home": str(loaded.locations.home),
        "settings": _nest(tree(), loaded),
        "sources": {path: _source(source) for path, source in loaded.sources.items()},
    }


def value_of(loaded: Loaded, key: Key) -> object:
    """The value of a key; of a secret only what may be shown."""
    value: object = loaded.settings
    for name in key.path.split("."):
        value = getattr(value, name)
    return to_json(_hide(value, key.kind) if key.secret else value)


def to_json(value: object) -> Any:
    """A value as JSON has it; records of a table with their secrets hidden."""
    if isinstance(value, Frozen):
        shown = ((each, getattr(value, each.name)) for each in fields(value))
        return {
            each.name: to_json(_hide(held, each.metadata["kind"]) if each.metadata["secret"] else held)
            for each, held in shown
            if held != _default(each)
        }
    if isinstance(value, Mapping):
        return {str(name): to_json(held) for name, held in cast("Mapping[object, object]", value).items()}
    if isinstance(value, tuple):
        return [mask_argument(each, before) for before, each in pairwise(("", *cast("tuple[str, ...]", value)))]
    return value


def _hide(value: object, kind: object) -> object:
    """What may be shown of a secret: an address without its password, a text only if it names a variable instead."""
    if isinstance(value, str):
        return "***" if getattr(kind, "opaque", False) else mask_url(value)
    if isinstance(value, Mapping):
        return {name: mask_text(text) for name, text in cast("Mapping[str, str]", value).items()}
    return value


def _default(each: Field) -> object:
    return each.default if each.default is not MISSING else each.default_factory()


def as_text(value: object) -> str:
    """A value on one line, as it would be written in a file. Of several lines only a beginning is shown."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, list | dict):
        return printable(json.dumps(value, ensure_ascii=False))
    lines = str(value).strip().splitlines()
    return printable(lines[0] if len(lines) == 1 else f"{lines[0][:_LONGEST_START]}… ({len(lines)} lines)")


def _nest(section: Section, loaded: Loaded) -> dict[str, object]:
    return {
        name: _nest(child, loaded) if isinstance(child, Section) else value_of(loaded, child)
        for name, child in section.children.items()
    }


def _source(source: Source) -> dict[str, object]:
    spot = {"file": source.file and str(source.file), "line": source.line, "variable": source.variable}
    return {"layer": source.layer, **{name: value for name, value in spot.items() if value is not None}}


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
    return {
        "description": key.doc + ("" if key.in_project else _NOT_IN_PROJECT),
        **schema,
        "default": to_json(key.default()),
    }


def _record(settings: type[Any]) -> dict[str, object]:
    """The keys of one record of a table. Those that must be given have no default that could be shown."""
    section = _section(tree_of(settings))
    for schema in section["properties"].values():
        if schema["default"] == "":
            del schema["default"]
    return section
