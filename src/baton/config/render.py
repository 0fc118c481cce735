"""The settings as a person or a script is shown them, secrets masked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from baton.config.keys import Key, Section
from baton.config.masking import masked, masked_argument, masked_text, printable
from baton.config.schema import tree
from baton.core.value import MISSING, Field, Frozen, fields

if TYPE_CHECKING:
    from baton.config.layers import Loaded
    from baton.config.sources import Source

_LONGEST_START = 60


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
        "settings": _nested(tree(), loaded),
        "sources": {path: _source(source) for path, source in loaded.sources.items()},
    }


def value_of(loaded: Loaded, key: Key) -> object:
    """The value of a key; of a secret only what may be shown."""
    value: object = loaded.settings
    for name in key.path.split("."):
        value = getattr(value, name)
    return plain(_hidden(value, key.kind) if key.secret else value)


def plain(value: object) -> Any:
    """A value as JSON has it; records of a table with their secrets hidden."""
    if isinstance(value, Frozen):
        shown = ((each, getattr(value, each.name)) for each in fields(value))
        return {
            each.name: plain(_hidden(held, each.metadata["kind"]) if each.metadata["secret"] else held)
            for each, held in shown
            if held != _default(each)
        }
    if isinstance(value, Mapping):
        return {str(name): plain(held) for name, held in cast("Mapping[object, object]", value).items()}
    if isinstance(value, tuple):
        return [masked_argument(each, before) for before, each in pairwise(("", *cast("tuple[str, ...]", value)))]
    return value


def _hidden(value: object, kind: object) -> object:
    """What may be shown of a secret: an address without its password, a text only if it names a variable instead."""
    if isinstance(value, str):
        return "***" if getattr(kind, "opaque", False) else masked(value)
    if isinstance(value, Mapping):
        return {name: masked_text(text) for name, text in cast("Mapping[str, str]", value).items()}
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


def _nested(section: Section, loaded: Loaded) -> dict[str, object]:
    return {
        name: _nested(child, loaded) if isinstance(child, Section) else value_of(loaded, child)
        for name, child in section.children.items()
    }


def _source(source: Source) -> dict[str, object]:
    spot = {"file": source.file and str(source.file), "line": source.line, "variable": source.variable}
    return {"layer": source.layer, **{name: value for name, value in spot.items() if value is not None}}
