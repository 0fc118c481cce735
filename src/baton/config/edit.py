"""One key of the user's file, written or taken out. Comments, order and everything else in the file stay as they are.

The text around a value is never made anew: a value is put where the YAML parser says that the old one stood, or a line
is added to its section. The result is read and checked before it takes the place of the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baton.config.kinds import TableOf
from baton.config.layers import read_file, read_flags
from baton.config.private_file import replace_private
from baton.config.problems import Problems
from baton.config.schema import tree
from baton.core.errors import BadInput

if TYPE_CHECKING:
    import yaml

    from baton.config.locations import Locations

_BY_HAND = "{key} cannot be changed this way here: {why}. Use: baton config edit"
_FLOW = "its section is written in braces"
_TABLE = "it is a table"
_BLOCK = "its value has lines of its own"


def set_key(locations: Locations, key: str, text: str) -> object:
    """Writes what `text` stands for into the user's file and returns it. `BadConfig` for an unknown key, a value that
    is not allowed or a file that is wrong already; `BadInput` where only an editor will do. Then nothing was written.
    """
    problems = Problems()
    given = read_flags([f"{key}={text}"], problems)
    problems.raise_any()
    found = given[key][0]
    if isinstance(tree().every_key()[key].kind, TableOf):
        raise BadInput(reason=_BY_HAND.format(key=key, why=_TABLE))
    write_text(locations, with_value(_read(locations), key, render_value(found)))
    return found


def unset_key(locations: Locations, key: str) -> bool:
    """Whether the user's file had it. Raises as `set_key` does."""
    if key not in tree().every_key():
        problems = Problems()
        read_flags([f"{key}="], problems)
        problems.raise_any()
    text = _read(locations)
    left = without_value(text, key)
    if left == text:
        return False
    write_text(locations, left)
    return True


def with_value(text: str, key: str, written: str) -> str:
    """The text of a file in which `key` has the value that is `written` so in YAML."""
    section, depth = _find_section(text, key.split("."))
    names = key.split(".")[depth:]
    if section is not None and (pair := _pair(section, names[0])) is not None:
        return _put(text, pair[1], written, key)
    if section is not None and section.flow_style:
        raise BadInput(reason=_BY_HAND.format(key=key, why=_FLOW))
    column = section.start_mark.column if section is not None else 0
    lines = [" " * (column + 2 * at) + f"{name}:" for at, name in enumerate(names)]
    lines[-1] += f" {written}"
    added = "\n".join(lines) + "\n"
    if section is None:
        return f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{added}"
    at = text.rindex("\n", 0, section.start_mark.index) + 1 if "\n" in text[: section.start_mark.index] else 0
    return text[:at] + added + text[at:]


def without_value(text: str, key: str) -> str:
    """The text without the lines of `key`; as it is, if it has none."""
    section, depth = _find_section(text, key.split("."))
    names = key.split(".")[depth:]
    pair = _pair(section, names[0]) if section is not None and len(names) == 1 else None
    if section is None or pair is None:
        return text
    if section.flow_style:
        raise BadInput(reason=_BY_HAND.format(key=key, why=_FLOW))
    if len(section.value) == 1 and depth:
        return without_value(text, ".".join(key.split(".")[:depth]))
    lines = text.splitlines(keepends=True)
    last = pair[1].end_mark
    end = last.line + (1 if last.column or last.line == pair[0].start_mark.line else 0)
    del lines[pair[0].start_mark.line : max(end, pair[0].start_mark.line + 1)]
    return "".join(lines)


def render_value(found: object) -> str:
    """On one line of YAML."""
    import json

    if isinstance(found, str):
        return json.dumps(found, ensure_ascii=False) if _needs_quotes(found) else found
    if isinstance(found, tuple | list):
        return json.dumps([str(each) for each in found], ensure_ascii=False)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(found, Mapping):
        return json.dumps(dict(found), ensure_ascii=False)  # pyright: ignore[reportUnknownArgumentType]
    return json.dumps(found)


def _needs_quotes(text: str) -> bool:
    """Whether YAML could read it as something else than these characters."""
    plain = text and all(c.isalnum() or c in "._-/~:@+" for c in text)
    return (
        not plain
        or not text[0].isalpha()
        or text.endswith(":")
        or text.lower() in ("true", "false", "null", "yes", "no", "on", "off")
    )


def _find_section(text: str, names: list[str]) -> tuple[yaml.MappingNode | None, int]:
    """The innermost section of the file on the way to a key, and how many names lead to it."""
    import yaml

    from baton.config.yaml_source import compose

    problems = Problems()
    node = compose(text, "", problems)
    problems.raise_any()
    if not isinstance(node, yaml.MappingNode):
        return None, 0
    depth = 0
    for name in names[:-1]:
        pair = _pair(node, name)
        if pair is None or not isinstance(pair[1], yaml.MappingNode):
            break
        node, depth = pair[1], depth + 1
    return node, depth


def _pair(section: yaml.MappingNode, name: str) -> tuple[Any, Any] | None:
    return next(((key, held) for key, held in section.value if key.value == name), None)


def _put(text: str, node: Any, written: str, key: str) -> str:
    import yaml

    if isinstance(node, yaml.CollectionNode) and not node.flow_style:
        raise BadInput(reason=_BY_HAND.format(key=key, why=_BLOCK))
    start, end = node.start_mark.index, node.end_mark.index
    space = "" if text[:start].endswith((" ", "\n")) else " "  # `key:` without a value
    return text[:start] + space + written + text[end:]


def _read(locations: Locations) -> str:
    """The file as it is; `BadConfig` if it is wrong already."""
    _check(locations, locations.user)
    return locations.user.read_text(encoding="utf-8") if locations.user.exists() else ""


def write_text(locations: Locations, text: str) -> None:
    """In the place of the file, whole, for you alone. `BadConfig` if the text is wrong, and the file stays."""
    replace_private(locations.user, text, lambda file: _check(locations, file))


def _check(locations: Locations, file: Path) -> None:
    problems = Problems()
    read_file("user", file, locations, problems)
    problems.raise_any()
