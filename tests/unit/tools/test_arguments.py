from __future__ import annotations

import math
from typing import Any

import pytest

from baton.adapters.tools import specs
from baton.adapters.tools.arguments import check, check_loosely, describe_allowed
from baton.core.agent.message import ToolSpec
from baton.core.errors import BadArguments

SPEC = specs.spec(
    "demo",
    "A demonstration.",
    ["path"],
    path=specs.path("A path."),
    count=specs.whole("A number.", 1, 10, 3),
    state={"type": "string", "enum": ["on", "off"]},
    all=specs.flag("All of it."),
    items={"type": "array", "maxItems": 2, "items": {"type": "object", "properties": {"text": specs.text("T")}}},
)


def test_what_was_left_out_gets_its_default() -> None:
    assert check(SPEC, {"path": "a"}) == {"path": "a", "count": 3, "all": False}


def test_a_whole_number_may_be_written_with_a_point() -> None:
    assert check(SPEC, {"path": "a", "count": 2.0})["count"] == 2.0


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({}, "path is missing"),
        ({"path": ""}, "path is empty"),
        ({"path": 1}, "path is 1, not text"),
        ({"path": None}, "path is None, not text"),
        ({"path": "a", "count": True}, "count is True, not a whole number"),
        ({"path": "a", "count": 11}, "count is 11, not a whole number from 1 to 10"),
        ({"path": "a", "count": 10**400}, "count is 1000000000000000000000000000000000000000000000000"),
        ({"path": "a", "count": 10**5000}, "count is a huge number, not a whole number from 1 to 10"),
        ({"path": "a", "count": "3"}, "count is '3', not a whole number"),
        ({"path": "a", "count": math.nan}, "count is nan, not a whole number"),
        ({"path": "a", "count": math.inf}, "count is inf, not a whole number"),
        ({"path": "a", "state": "maybe"}, "state is 'maybe', not one of on, off"),
        ({"path": "a", "all": "yes"}, "all is 'yes', not true or false"),
        ({"path": "a", "items": {}}, "items is an object, not a list"),
        ({"path": "a", "items": [{}, {}, {}]}, "items has 3 items, more than 2"),
        ({"path": "a", "items": [{"text": 5}]}, "items[0].text is 5, not text"),
        ({"path": "a", "pth": "b"}, "there is no argument 'pth'"),
        ({"path": "a" * 5000}, "path has 5,000 characters, more than 4,096"),
        ({"_raw": '{"path": "a'}, 'they are not valid JSON: \'{"path": "a\''),
    ],
)
def test_wrong_arguments_are_refused_with_the_reason_and_what_is_allowed(args: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadArguments) as caught:
        check(SPEC, args)
    assert str(caught.value.facts["reason"]).startswith(reason)
    assert caught.value.facts["allowed"] == describe_allowed(SPEC)


def test_arguments_that_are_no_object_are_refused() -> None:
    with pytest.raises(BadArguments, match="all of it is a list, not an object"):
        check(SPEC, ["path"])  # pyright: ignore[reportArgumentType]


def test_allowed_names_every_argument() -> None:
    assert describe_allowed(SPEC) == (
        "path (text, required); count (a whole number from 1 to 10); state (one of on, off); all (true or false); "
        "items (a list of {text: text})"
    )


def test_hostile_keys_reach_no_terminal() -> None:
    with pytest.raises(BadArguments) as caught:
        check(SPEC, {"path": "a", "\x1b[31m": 1})
    assert "\x1b" not in str(caught.value)


def test_a_foreign_schema_is_taken_loosely() -> None:
    foreign = ToolSpec("s__t", "", {"type": "object", "required": ["q"], "properties": {"q": True, "n": {"$ref": "#"}}})
    check_loosely(foreign, {"q": [1], "n": 2, "more": 3})
    with pytest.raises(BadArguments, match="'q' is missing"):
        check_loosely(foreign, {"n": 2})
    with pytest.raises(BadArguments, match="not valid JSON"):
        check_loosely(foreign, {"_raw": "{"})
