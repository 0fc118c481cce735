"""The parameters of a tool as a schema that the provider takes. Schemas of other people's tools hold all sorts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

Schema = Mapping[str, object]

_NOT_FOR_GOOGLE = ("$schema", "title", "discriminator", "examples", "exclusiveMinimum", "exclusiveMaximum")
_KINDS: dict[type[object], str] = {bool: "boolean", str: "string", int: "integer", float: "number"}
_NAMED = ("properties", "patternProperties", "$defs", "definitions")
_MOST = 5_000
"""Values in a schema that is written out."""


def with_properties(schema: Schema) -> dict[str, object]:
    """OpenAI refuses an object that names no properties, be it that it has none."""
    return {"properties": {}, **schema} if schema.get("type") == "object" else dict(schema)


def for_google(schema: Schema) -> dict[str, object]:
    """Without the words that Gemini refuses: a constant becomes a choice of one, a format a part of the description."""
    made = {key: _walked(key, held) for key, held in schema.items() if key not in _NOT_FOR_GOOGLE}
    if made.get("const") is not None:
        only = made.pop("const")
        made["enum"] = [only]
        if kind := _KINDS.get(type(only)):
            made.setdefault("type", kind)
    if made.get("type") == "string" and (form := made.pop("format", None)):
        said = made.get("description")
        made["description"] = f"{said} (format: {form})" if said else f"Format: {form}"
    return made


def _walked(key: str, held: object) -> object:
    """The names of properties are no words of the schema, and neither is what a value may be."""
    if key in ("enum", "default", "required", "const"):
        return held
    if isinstance(held, Mapping):
        inner = cast("Schema", held)
        if key in _NAMED:
            return {name: for_google(cast("Schema", each)) for name, each in inner.items() if isinstance(each, Mapping)}
        return for_google(inner)
    if isinstance(held, list):
        listed = cast("list[object]", held)
        return [for_google(cast("Schema", each)) if isinstance(each, Mapping) else each for each in listed]
    return held


def inlined(schema: Schema) -> dict[str, object]:
    """With each definition where it is referred to, for models that get references wrong. A definition that holds
    itself stays a reference, and a schema that would grow out of hand stays as it is.
    """
    definitions = schema.get("$defs")
    if not isinstance(definitions, Mapping):
        return dict(schema)
    work = _Inlining(cast("Schema", definitions))
    body = {key: held for key, held in schema.items() if key != "$defs"}
    made = cast("dict[str, object]", work.of(body, frozenset()))
    if work.left <= 0:
        return dict(schema)
    return {**made, "$defs": definitions} if work.refers else made


class _Inlining:
    def __init__(self, definitions: Schema) -> None:
        self._definitions = definitions
        self.left = _MOST
        self.refers = False

    def of(self, held: object, within: frozenset[str]) -> object:
        self.left -= 1
        if self.left <= 0:
            return held
        if isinstance(held, list):
            return [self.of(each, within) for each in cast("list[object]", held)]
        if not isinstance(held, Mapping):
            return held
        inner = cast("Schema", held)
        name = str(inner.get("$ref", "")).removeprefix("#/$defs/")
        found = self._definitions.get(name)
        if isinstance(found, Mapping) and name not in within:
            beside = {key: each for key, each in inner.items() if key != "$ref"}
            inner, within = {**cast("Schema", found), **beside}, within | {name}
        elif "$ref" in inner:
            self.refers = True
        return {key: self.of(each, within) for key, each in inner.items()}
