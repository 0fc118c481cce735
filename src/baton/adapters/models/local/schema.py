"""The form a local model is held to: exactly one of the tools, or an answer.

llama.cpp drops a grammar it cannot build without a word, and the model then writes whatever it likes. So schemas are
first reduced to what its grammar engine is known to take.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from baton.core.agent.message import ToolSpec

ANSWER = "answer"
_DEPTH = 8
_ITEMS = 20
_SCALARS = ("string", "integer", "number", "boolean", "null")
_FORM = {"whitespace_flexible": False, "key_separator": ": ", "item_separator": ", "}
"""The spacing of `json.dumps`: what the model writes is, byte for byte, what it later reads as history."""


def grammar(tools: Sequence[ToolSpec]) -> str:
    """One alternative for each tool, and one for the answer."""
    text = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    calls = [
        (tool.name, reduce_schema({**tool.parameters, "properties": offered_properties(tool.parameters)}))
        for tool in tools
    ]
    calls = [*(call for call in calls if call[0] != ANSWER), (ANSWER, {**text, "additionalProperties": False})]
    union = [_alternative(name, args) for name, args in calls]
    return f"%llguidance {{}}\nstart: %json {json.dumps({'x-guidance': _FORM, 'anyOf': union})}"


def offered_properties(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The properties a local model is told of: no switches that may be left out, for it sets every one it sees."""
    properties = cast("Mapping[str, Any]", parameters.get("properties") or {})
    required = parameters.get("required") or ()
    return {name: each for name, each in properties.items() if name in required or not _is_switch(each)}


def _is_switch(schema: Any) -> bool:
    return isinstance(schema, Mapping) and cast("Mapping[str, Any]", schema).get("type") == "boolean"


def reduce_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object in words the grammar engine knows; wider than the original, never narrower."""
    found = _reduce(schema, schema, 0)
    return found if found.get("type") == "object" else {"type": "object"}


def _alternative(name: str, args: Mapping[str, Any]) -> dict[str, Any]:
    properties = {"tool": {"const": name}, "args": args}
    return {"type": "object", "properties": properties, "required": ["tool", "args"], "additionalProperties": False}


def _reduce(schema: Any, root: Mapping[str, Any], depth: int) -> dict[str, Any]:
    if not isinstance(schema, Mapping) or depth > _DEPTH:
        return {}
    known = cast("Mapping[str, Any]", schema)
    if "$ref" in known:
        return _reduce(_target(str(known["$ref"]), root), root, depth + 1)
    for constant in ("const", "enum"):
        if constant in known:
            return {constant: known[constant]}
    for union in ("anyOf", "oneOf"):
        if union in known:
            return {"anyOf": [_reduce(each, root, depth + 1) for each in known[union]] or [{}]}
    return _reduce_typed(known, root, depth)


def _reduce_typed(known: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> dict[str, Any]:
    kind = known.get("type")
    if isinstance(kind, list):
        return {"anyOf": [_reduce_typed({**known, "type": each}, root, depth) for each in cast("list[Any]", kind)]}
    if kind == "object":
        return _object(known, root, depth)
    if kind == "array":
        return {"type": "array", "items": _reduce(known.get("items"), root, depth + 1), "maxItems": _ITEMS}
    return {"type": kind, **(_bounds(known) if kind == "integer" else {})} if kind in _SCALARS else {}


def _bounds(known: Mapping[str, Any]) -> dict[str, int]:
    """Limits of a whole number, unless they contradict each other."""
    found = {name: known[name] for name in ("minimum", "maximum") if type(known.get(name)) is int}
    return found if len(found) < 2 or found["minimum"] <= found["maximum"] else {}


def _object(known: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> dict[str, Any]:
    properties = cast("Mapping[str, Any]", known.get("properties") or {})
    if not properties:
        return {"type": "object"}
    return {
        "type": "object",
        "properties": {name: _reduce(each, root, depth + 1) for name, each in properties.items()},
        "required": [name for name in known.get("required") or () if name in properties],
        "additionalProperties": False,
    }


def _target(reference: str, root: Mapping[str, Any]) -> Any:
    """What a local reference points to; nothing for one that leads elsewhere."""
    found: Any = root
    for step in reference.removeprefix("#/").split("/"):
        found = cast("Mapping[str, Any]", found).get(step) if isinstance(found, Mapping) else None
    return found
