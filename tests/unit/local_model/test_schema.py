"""Tools of any origin are reduced to a form the grammar engine is known to take."""

from __future__ import annotations

import json
from typing import Any

import pytest

from baton.adapters.models.local.schema import grammar, offered_properties, reduce_schema
from baton.core.agent.message import ToolSpec

STRING = {"type": "string"}
WHOLE = {"type": "integer"}


def one(schema: object) -> Any:
    """What becomes of one property."""
    return reduce_schema({"type": "object", "properties": {"it": schema}})["properties"]["it"]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "format": "uri", "pattern": "^h", "title": "T", "default": "x"}, STRING),
        ({"type": "integer", "minimum": 1, "maximum": 5}, {**WHOLE, "minimum": 1, "maximum": 5}),
        ({"type": "integer", "minimum": 5, "maximum": 1}, WHOLE),
        ({"type": "integer", "minimum": "1"}, WHOLE),
        ({"type": "number", "minimum": 1}, {"type": "number"}),
        ({"type": ["string", "null"]}, {"anyOf": [STRING, {"type": "null"}]}),
        ({"oneOf": [STRING, WHOLE]}, {"anyOf": [STRING, WHOLE]}),
        ({"anyOf": []}, {"anyOf": [{}]}),
        ({"enum": ["a", "b"], "type": "string"}, {"enum": ["a", "b"]}),
        ({"const": 1}, {"const": 1}),
        ({"type": "array", "items": STRING, "uniqueItems": True}, {"type": "array", "items": STRING, "maxItems": 20}),
        ({"type": "object"}, {"type": "object"}),
        ({"not": STRING}, {}),
        ({"$ref": "https://elsewhere.example/schema"}, {}),
        (True, {}),
    ],
)
def test_a_property_keeps_what_is_known_and_loses_the_rest(schema: object, expected: object) -> None:
    assert one(schema) == expected


def test_references_are_followed_and_circles_end() -> None:
    schema = {
        "type": "object",
        "properties": {"tree": {"$ref": "#/$defs/node"}},
        "$defs": {"node": {"type": "object", "properties": {"name": STRING, "below": {"$ref": "#/$defs/node"}}}},
    }
    tree = reduce_schema(schema)["properties"]["tree"]
    assert tree["properties"]["name"] == STRING
    assert len(json.dumps(tree)) < 2_000
    assert "$" not in json.dumps(tree)


def test_arguments_are_an_object_whatever_a_tool_says() -> None:
    assert reduce_schema({}) == reduce_schema({"type": "string"}) == {"type": "object"}


def test_only_arguments_that_exist_are_required() -> None:
    schema = {"type": "object", "properties": {"a": STRING}, "required": ["a", "b"]}
    assert reduce_schema(schema)["required"] == ["a"]


def test_the_grammar_has_one_alternative_for_each_tool_and_one_for_the_answer() -> None:
    tools = [ToolSpec(name, "", {"type": "object"}) for name in ("read", "answer", "write")]
    start, _, schema = grammar(tools).partition("start: %json ")
    names = [each["properties"]["tool"]["const"] for each in json.loads(schema)["anyOf"]]
    assert (start, names) == ("%llguidance {}\n", ["read", "write", "answer"])


def test_switches_that_may_be_left_out_are_not_offered() -> None:
    switch = {"type": "boolean"}
    parameters = {"properties": {"path": STRING, "all": switch, "sure": switch}, "required": ["path", "sure"]}
    assert list(offered_properties(parameters)) == ["path", "sure"]
