"""Arguments as a model writes them, checked against the tool's own JSON schema before anything else happens."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from baton.core.agent.message import ToolSpec
from baton.core.display import one_line
from baton.core.errors import BadArguments

RAW = "_raw"
_NAMES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


def check(spec: ToolSpec, args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, with defaults for what was left out. Raises `BadArguments`, which says what is allowed."""
    reason = _raw(args, spec) or _flaw(spec.parameters, args, "")
    if reason:
        raise BadArguments(tool=spec.name, reason=reason, allowed=describe_allowed(spec))
    defaults = {name: each["default"] for name, each in _properties(spec.parameters).items() if "default" in each}
    return {**defaults, **args}


def check_loosely(spec: ToolSpec, args: Mapping[str, Any]) -> None:
    """For a schema that somebody else wrote: an object that has what is required. Its owner checks the rest."""
    required = spec.parameters.get("required", ())
    names = cast("list[Any]", required) if isinstance(required, list) else []
    reason = _raw(args, spec) or next((f"{_describe(name)} is missing" for name in names if name not in args), "")
    if reason:
        raise BadArguments(tool=spec.name, reason=reason, allowed=f"what its schema says: {_describe(str(names))}")


def refuse(spec: ToolSpec, reason: str) -> BadArguments:
    """The error for arguments that have the right form but make no sense."""
    return BadArguments(tool=spec.name, reason=reason, allowed=describe_allowed(spec))


def describe_allowed(spec: ToolSpec) -> str:
    """Every argument with what it may be, on one line."""
    required = spec.parameters.get("required", ())
    parts = [
        f"{name} ({_form(each)}{', required' if name in required else ''})"
        for name, each in _properties(spec.parameters).items()
    ]
    return "; ".join(parts) or "no arguments"


def _raw(args: object, spec: ToolSpec) -> str:
    if isinstance(args, Mapping) and RAW in args and RAW not in _properties(spec.parameters):
        return f"they are not valid JSON: {_describe(cast('Any', args)[RAW])}"
    return ""


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    found = schema.get("properties")
    return cast("Mapping[str, Mapping[str, Any]]", found) if isinstance(found, Mapping) else {}


def _form(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    kind = schema.get("type")
    name = _NAMES.get(kind, "any value") if isinstance(kind, str) else "any value"
    if kind == "array" and "items" in schema:
        return f"a list of {_form(schema['items'])}"
    if kind == "object" and _properties(schema):
        return "{" + ", ".join(f"{key}: {_form(each)}" for key, each in _properties(schema).items()) + "}"
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and most is not None:
        return f"{name} from {least:g} to {most:g}"
    return f"{name} of at least {least:g}" if least is not None else name


def _flaw(schema: Mapping[str, Any], value: Any, where: str) -> str:
    """The first thing wrong with `value`, or an empty string. Keywords that are not known here restrict nothing."""
    kind = schema.get("type")
    if isinstance(kind, str) and kind in _NAMES and not _is(kind, value):
        return f"{where or 'all of it'} is {_describe(value)}, not {_NAMES[kind]}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is {_describe(value)}, not {_form(schema)}"
    if isinstance(value, str):
        return _text_flaw(schema, value, where)
    if isinstance(value, Mapping):
        return _object_flaw(schema, cast("Mapping[str, Any]", value), where)
    if isinstance(value, list):
        return _list_flaw(schema, cast("list[Any]", value), where)
    return _number_flaw(schema, value, where)


def _is(kind: str, value: Any) -> bool:
    if kind in ("integer", "number"):
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return isinstance(value, int) or (math.isfinite(value) and (kind == "number" or value.is_integer()))
    types: dict[str, type] = {"string": str, "boolean": bool, "array": list, "object": Mapping}
    return isinstance(value, types[kind])


def _text_flaw(schema: Mapping[str, Any], value: str, where: str) -> str:
    least, most = schema.get("minLength", 0), schema.get("maxLength", math.inf)
    if len(value) < least:
        return f"{where} is empty" if not value else f"{where} has less than {least} characters"
    return f"{where} has {len(value):,} characters, more than {most:,}" if len(value) > most else ""


def _number_flaw(schema: Mapping[str, Any], value: Any, where: str) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    if not schema.get("minimum", -math.inf) <= value <= schema.get("maximum", math.inf):
        return f"{where} is {_describe(value)}, not {_form(schema)}"
    return ""


def _list_flaw(schema: Mapping[str, Any], value: Sequence[Any], where: str) -> str:
    most = schema.get("maxItems", math.inf)
    if len(value) > most:
        return f"{where} has {len(value):,} items, more than {most}"
    items = schema.get("items", {})
    flaws = (_flaw(items, item, f"{where}[{number}]") for number, item in enumerate(value))
    return next(filter(None, flaws), "")


def _object_flaw(schema: Mapping[str, Any], value: Mapping[str, Any], where: str) -> str:
    known = _properties(schema)
    for name in schema.get("required", ()):
        if name not in value:
            return f"{_join(where, name)} is missing"
    if schema.get("additionalProperties") is False:
        for name in value:
            if name not in known:
                return f"there is no argument {_describe(name)}"
    flaws = (_flaw(each, value[name], _join(where, name)) for name, each in known.items() if name in value)
    return next(filter(None, flaws), "")


def _join(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _describe(value: Any) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    try:
        return one_line(repr(value[:200] if isinstance(value, str) else value), 60)
    except ValueError:  # Python refuses to spell out a number of thousands of digits
        return "a huge number"
