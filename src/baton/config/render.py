"""The settings as a person or a script is shown them, secrets masked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from baton.config.keys import Key, Section
from baton.config.masking import masked, printable
from baton.config.schema import tree

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
    return masked(value) if key.secret and isinstance(value, str) else value


def as_text(value: object) -> str:
    """A value on one line, as it would be written in a file. Of several lines only a beginning is shown."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.15g}"
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
